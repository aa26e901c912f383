/** Every tool that says that it may be called again: called twice, the second time an hour later, it changes nothing but the time of the change. */

import { afterAll, describe, expect, test } from "vitest";
import { notePath } from "../src/notebook/paths.ts";
import { entriesOf } from "../src/protocol/entries.ts";
import { openSurfaces, type AllSurfaces } from "./all-surfaces.ts";
import { surfaces } from "./surfaces.ts";

const NOTES: Record<string, string> = {
  "Alpha.md":
    "---\r\ntags: [one, two] # kept\r\naliases: [first]\r\n---\r\n# Alpha\r\n\r\n[[Beta]], [[b|b]]\r\n\r\n## Plan\r\n\r\nMonday.\r\n",
  "Beta.md":
    "---\ntitle: Beta\nid: a3f7b2c1\naliases: [b]\ntags: [one]\nupdated: 2020-01-01\n---\nTo [[Alpha#Plan]].",
  "other/Beta.md": "Another [[Alpha]].\n",
  "kb/one.md": "---\nupdated: 2020-01-01\n---\nOne, with [[kb/two]].\n",
  "kb/two.md": "Two.\n",
  ".llm_bridges/knowledge_base/kb/meta.md":
    "---\ncreate_time: 2025-12-10T14:30:00Z\ndescription: notes\nsubfolder: kb\n---\n\nOne thought a note.\n",
};

const TEXTS = [
  "",
  "\n\n",
  "plain",
  "---\ntags: [one]\ncreated: 2020-01-01\nbacklinks: [x]\n---\n\n# Title\n",
  "two\r\nlines\r\n\r\n",
  "## Plan\n\nTwice.\n\n## Plan\n",
];
const inKb = { knowledge_base_name: "kb" };

/** The calls of each tool. A function is told the version that Beta.md has before the first call. */
type Call = object | ((version: string) => object);
const CALLS: Record<string, Call[]> = {
  "obsidian update_note": TEXTS.map((content) => ({ name: "Alpha", content })),
  "obsidian rename_note": [
    { old_name: "Alpha", new_name: "Omega" },
    { old_name: "Alpha", new_name: "alpha" },
    { old_name: "Alpha", new_name: "other/Alpha" },
    { old_name: "Beta", new_name: "new/Gamma" },
  ],
  "obsidian set_frontmatter": ["plain", '["one","two"]', '{"a": {"b": 1}}', "null", "1.10"].flatMap((value) =>
    ["new", "tags"].map((key) => ({ name: "Alpha", key, value })),
  ),
  "obsidian remove_tag": ["two", "#one", "none"].map((tag) => ({ name: "Alpha", tag })),
  "bridges update_note": [
    ...TEXTS.map((note_content) => ({ ...inKb, note_path: "one.md", note_content })),
    { ...inKb, note_path: "one.md", note_content: "x", expected_version: "0".repeat(40) },
  ],
  "bridges move_note": ["deep/two.md", "TWO.md"].map((new_note_path) => ({
    ...inKb,
    origin_note_path: "two.md",
    new_note_path,
  })),
  "bridges update_knowledge_base": [
    { name: "kb", description: "other", organization_rules: "none\n" },
    { name: "kb", subfolder: "elsewhere" },
  ],
  "bridges add_knowledge_base_folder_constraint": [{}, { content: { min_length: 1 } }].map((rules) => ({
    kb_name: "kb",
    subfolder: "kb",
    rules,
  })),
  "wiki update_note": [
    ...TEXTS.map((content) => ({ path: "Alpha", content })),
    { path: "Alpha", title: "New", tags: ["x", "one"] },
    { path: "Alpha", add_tags: ["x", "two"], remove_tags: ["one", "two"] },
    { path: "Alpha", new_path: "deep/alpha", update_backlinks: true, content: "moved" },
    { path: "Beta", new_path: "beta" },
  ],
  "cairn cairn_write": ["Alpha", "new/note"].flatMap((path) => [
    ...TEXTS.map((content) => ({ path, content })),
    { path, content: TEXTS[3]!, tags: ["one", "x"], aliases: ["first", "other"] },
  ]),
  "notes UpdateNote": [
    ...TEXTS.map((content) => ({ id: "a3f7b2c1", content })),
    { id: "a3f7b2c1", title: "Beta, renamed: twice" },
  ],
  "native write_note": [
    ...TEXTS.map((text) => ({ path: "new.md", text })),
    ...TEXTS.map((text) => (if_match: string) => ({ path: "Beta.md", text, if_match })),
  ],
  "native manage_rules": [
    { do: "list" },
    { do: "add_base", base: "more", folder: "more", description: "d", guide: "g" },
    { do: "update_base", base: "kb", guide: "other", folder: "elsewhere" },
    { do: "set_rules", base: "kb", folder: "kb/deep", rules: { content: { min_length: 1 } } },
  ],
};

test("every tool with the hint is called here, and no other", () => {
  const hinted = surfaces.flatMap((surface) =>
    entriesOf(surface)
      .filter(({ wire }) => wire.annotations?.idempotentHint)
      .map(({ tool }) => `${surface.name} ${tool.name}`),
  );
  expect(Object.keys(CALLS).toSorted()).toEqual(hinted.toSorted());
});

const filesOf = async ({ vault }: AllSurfaces): Promise<Record<string, string>> => {
  const files = Object.fromEntries(await vault.state());
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      text.replace(/^(modified|updated): .*$/gm, "$1: now"),
    ]),
  );
};

describe.each(Object.entries(CALLS))("%s", (name, calls) => {
  const [surface, tool] = name.split(" ") as [string, string];
  let done = 0;
  afterAll(() => expect(done, "calls that were not refused").toBeGreaterThan(0));

  test.each(calls.map((call) => [JSON.stringify(call) ?? String(call), call] as const))(
    "%s",
    async (_, call) => {
      const all = await openSurfaces({ folder: true });
      for (const [path, text] of Object.entries(NOTES)) await all.vault.put(path, text);
      const { version } = await all.vault.notebook.read(notePath("Beta.md"));
      const input = typeof call === "function" ? call(version) : call;
      const before = await filesOf(all);
      const first = await all.call(surface, tool, input);
      const after = await filesOf(all);
      all.vault.setClock(new Date("2026-02-01T11:00:00Z"));
      await all.call(surface, tool, input);
      expect(await filesOf(all)).toEqual(after);
      if (first.isError) expect(after).toEqual(before);
      else done++;
      await all.close();
    },
  );
});

test("native write_note that was merged with what others wrote is merged once", async () => {
  const all = await openSurfaces({ folder: true });
  await all.done("native", "write_note", { path: "n.md", text: "one\n\ntwo\n\nthree\n" });
  const { version } = await all.vault.notebook.read(notePath("n.md"));
  await all.vault.put("n.md", "ONE\n\ntwo\n\nthree\n");
  const input = { path: "n.md", text: "one\n\ntwo\n\nthree\n\nfour\n", if_match: version };
  await all.done("native", "write_note", input);
  expect((await filesOf(all))["n.md"]).toBe("ONE\n\ntwo\n\nthree\n\nfour\n");
  await all.done("native", "write_note", input);
  expect((await filesOf(all))["n.md"]).toBe("ONE\n\ntwo\n\nthree\n\nfour\n");
  await all.close();
});
