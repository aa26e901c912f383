import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openVault, unindexed, type TestVault } from "../../test/vault.ts";
import { openIndex } from "../index/note-index.ts";
import { openSql } from "../sqlite/node.ts";
import { openMemory } from "../stores/memory.ts";
import type { GroupName, Survey } from "./check.ts";

let vault: TestVault;
beforeEach(async () => (vault = await openVault({ folder: true })));
afterEach(() => vault.close());

const RULES = ".llm_bridges/knowledge_base";
const META = `---
name: logs
description: x
subfolder: logs
create_time: 2026-01-01T00:00:00Z
---
`;
const told = (survey: Survey): Partial<Record<GroupName, string[]>> =>
  Object.fromEntries(
    survey.groups
      .filter((group) => group.count > 0)
      .map((group) => [group.name, group.findings.map(({ path, detail }) => [path, detail].join(" | "))]),
  );

describe("each kind of trouble is told, with its place", () => {
  test.each<[string, Record<string, string>, Partial<Record<GroupName, unknown>>]>([
    ["nothing but notes that link to each other", { "a.md": "[[b]]", "b.md": "" }, {}],
    ["an orphan", { "a.md": "[[a]]" }, { orphans: ["a.md | "] }],
    [
      "a link to a note there is none of",
      { "a.md": "[[b]]\n[[none]] and [x](folder/no.md)", "b.md": "" },
      {
        broken_links: [
          "a.md | line 2: none (a missing note)",
          "a.md | line 2: folder/no.md (a missing note)",
        ],
      },
    ],
    [
      "a link to a heading or a block that its note has not",
      {
        "a.md": "[[b#Part]] [[b#part one]]\n[[b#Nope]] [x](b.md#part-one) [[b#^id]] ![[b#^no]]",
        "b.md": "# Part\n\n## Part: one\n\ntext ^id\n",
      },
      {
        broken_links: ["a.md | line 2: b#Nope (a missing heading)", "a.md | line 2: b#^no (a missing block)"],
      },
    ],
    [
      "a link to an attachment that is not there",
      { "a.md": "![[no.png]] ![](img/no.pdf#page=2)", "b.md": "[[a]]" },
      {
        broken_links: [
          "a.md | line 1: no.png (a missing attachment)",
          "a.md | line 1: img/no.pdf#page=2 (a missing attachment)",
        ],
      },
    ],
    [
      "fields that cannot be read",
      { "a.md": "---\ntags: [a\n---\n[[b]]", "b.md": "" },
      { bad_fields: [expect.stringMatching(/^a\.md \| .+/)] },
    ],
    [
      "names that do not travel; a folder once",
      {
        "con/a.md": "[[b]]",
        "con/b.md": "",
        "what?.md": "[[a]]",
        "pens, etc..md": "[[a]]",
        "etc./x.md": "[[a]]",
      },
      {
        odd_names: [
          "con | has a name that is reserved on Windows",
          expect.stringMatching(/^etc\. \|/),
          expect.stringMatching(/^what\?\.md \|/),
        ],
      },
    ],
    [
      "conflict copies, ours and others'",
      {
        "a (conflict 0a1b2c3).md": "[[b]]",
        "a.sync-conflict-20260101-120000-ABCDEFG.md": "[[b]]",
        "a (Ada's conflicted copy 2026-01-01).md": "[[b]]",
        "The conflict of 1914 (conflict studies).md": "[[b]]",
        "b.md": "",
      },
      {
        conflict_copies: [
          "a (Ada's conflicted copy 2026-01-01).md | ",
          "a (conflict 0a1b2c3).md | ",
          "a.sync-conflict-20260101-120000-ABCDEFG.md | ",
        ],
      },
    ],
    [
      "a rule file that cannot be used, once, and not for every note below",
      { [`${RULES}/logs/meta.md`]: "nothing", "logs/a.md": "[[b]]", "logs/b.md": "" },
      { damaged_rules: [expect.stringMatching(/logs\/meta\.md \| .+/)] },
    ],
  ])("%s", async (_, files, expected) => {
    for (const [path, text] of Object.entries(files)) await vault.put(path, text);
    const survey = await vault.notebook.survey();
    expect(told(survey)).toEqual(expected);
    expect(survey.needsPerson).toBe(Object.keys(expected).some((name) => name !== "orphans"));
  });
});

test("a note that breaks the rule of its folder is told with what it breaks", async () => {
  await vault.put(`${RULES}/logs/meta.md`, META);
  await vault.notebook.refresh();
  await vault.put("logs/a.md", "[[b]]");
  await vault.put("logs/b.md", "long enough");
  await vault.notebook.bases.constrain({
    base: "logs",
    subfolder: "logs",
    rules: { content: { min_length: 8 } },
  });
  expect(told(await vault.notebook.survey())).toEqual({
    rule_violations: ["logs/a.md | the text has 5 characters, at least 8 are asked for"],
  });
});

test("Obsidian's settings that cannot be used are told", async () => {
  const settings: Record<string, string> = {
    "app.json": '{"userIgnoreFilters":["/(?=x)/","Old/"]}',
    "daily-notes.json": '{"folder":"Tage","format":"dddd, D. MMMM YYYY"}',
    "templates.json": "{ no JSON",
    "community-plugins.json": '["periodic-notes"]',
    "plugins/periodic-notes/data.json": '{"weekly":{"enabled":true,"folder":"../..","format":"gggg-[W]ww"}}',
  };
  for (const [name, text] of Object.entries(settings)) await vault.put(`.obsidian/${name}`, text);
  await vault.put("Tage/Dienstag, 24. Februar 2026.md", "[[b]]");
  await vault.put("b.md", "");
  await vault.notebook.refresh();
  expect(told(await vault.notebook.survey())).toEqual({
    odd_settings: [
      ".obsidian/templates.json | is no JSON, and is left out",
      expect.stringMatching(/^\.obsidian\/app\.json \| has a filter that is left out: .+/),
      expect.stringMatching(
        /^\.obsidian\/daily-notes\.json \| .+ \(de\), such as "Dienstag, 24\. Februar 2026\.md"; start with --locale de$/,
      ),
      expect.stringMatching(
        /^\.obsidian\/plugins\/periodic-notes\/data\.json \| puts notes of a week nowhere: .+/,
      ),
    ],
  });
});

test("many findings are counted, and as many told as were asked for", async () => {
  await vault.put("a.md", Array.from({ length: 30 }, (_, at) => `[[none ${at}]]`).join("\n"));
  const { groups } = await vault.notebook.survey({ first: 3 });
  expect(groups.find((group) => group.name === "broken_links")).toMatchObject({ count: 30 });
  expect(groups.find((group) => group.name === "broken_links")!.findings).toHaveLength(3);
});

test("a survey can be called off", async () => {
  await vault.put("a.md", "x".repeat(300_000));
  const asking = vault.notebook.as({
    client: "t",
    surface: "t",
    tool: "t",
    connection: "t",
    signal: AbortSignal.abort(),
  });
  await expect(asking.survey()).rejects.toThrow(/abort/i);
});

test("a vault in memory has no files to be odd", async () => {
  const memory = await openVault({ folder: false });
  await memory.put("a.md", "[[b]]");
  await memory.put("b.md", "");
  expect(told(await memory.notebook.survey())).toEqual({});
  await memory.close();
});

test("notes are read a few at a time: each may be a call to a bucket, and long ones are read alone", async () => {
  const notes = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`${at}.md`, `[[${at + 1}]]\n`]));
  const store = openMemory({ ...notes, "long.md": "x".repeat(300_000) });
  let [open, most, withLong] = [0, 0, 0];
  const read: typeof store.read = async (path) => {
    most = Math.max(most, ++open);
    await new Promise((done) => setTimeout(done, 1));
    if (path === "long.md") withLong = Math.max(withLong, open);
    open--;
    return store.read(path);
  };
  const notebook = unindexed({}, openIndex(await openSql(":memory:")), { store: { ...store, read } });
  await notebook.refresh();
  [most, withLong] = [0, 0];
  const survey = await notebook.survey();
  expect([survey.notes, most, withLong]).toEqual([21, 6, 1]);
  expect(told(survey)).toEqual({
    broken_links: ["19.md | line 1: 20 (a missing note)"],
    orphans: expect.any(Array),
  });
  await notebook.close();
});
