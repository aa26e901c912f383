/** Rules bind every write: set through one surface, they hold through all of them, each saying so in its own words. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { notePath } from "../src/notebook/paths.ts";
import { openSurfaces, ruleFile, type AllSurfaces } from "./all-surfaces.ts";

const RULE_FILE = ".llm_bridges/knowledge_base/research/folder_constraints/papers.md";
const GOOD = "---\nid: 0000aaaa\nstatus: read\n---\n# Summary\n\nShort.\n";
const LONG = "This text has more characters than the rules allow.";
const RULES = {
  frontmatter: { required_fields: [{ name: "status", type: "string", allowed_values: ["reading", "read"] }] },
  content: { max_length: 40, required_sections: ["Summary"] },
};

let here: AllSurfaces;
const done: AllSurfaces["done"] = (...asked) => here.done(...asked);
const refused: AllSurfaces["refused"] = (...asked) => here.refused(...asked);
const constrain = (subfolder: string, rules: object) =>
  done("bridges", "add_knowledge_base_folder_constraint", { kb_name: "research", subfolder, rules });
const papers = (yaml: string): string => ruleFile("papers", yaml);

beforeEach(async () => {
  here = await openSurfaces({ folder: true });
  await here.vault.put("papers/a.md", GOOD);
  await here.vault.put("other.md", "---\nid: 0000bbbb\n---\nx\n");
  await done("bridges", "add_knowledge_base", {
    name: "research",
    description: "Papers",
    subfolder: "papers",
    organization_rules: "One paper, one note.",
  });
});
afterEach(() => here.close());

const MISSING = ["frontmatter.status is missing", 'the section "Summary" is missing'];
const TOO_LONG = (length: number) => `the text has ${length} characters, at most 40 are allowed`;
const NEW = [MISSING[0]!, TOO_LONG(51), MISSING[1]!];
const obsidian = (name: string, issues: string[]) =>
  `Note '${name}' does not satisfy the rules of folder 'papers': ${issues.join("; ")}`;
const wiki = (path: string, issues: string[]) =>
  [`Error: Note ${path} does not satisfy the rules of papers:`, ...issues.map((issue) => `- ${issue}`)].join(
    "\n",
  );
const cairn = (path: string, issues: string[]) =>
  `validation_error: ${path} does not satisfy the rules of the folder papers: ${issues.join("; ")}.`;
const notes = (issues: string[]) =>
  `Note does not satisfy the rules of folder 'papers': ${issues.join("; ")} ❌`;
const bridges = (...issues: object[]) =>
  JSON.stringify({
    error: {
      code: "folder_constraint_violation",
      message: "Note does not satisfy folder constraint requirements",
      constraint: { kb_name: "research", subfolder: "papers" },
      issues,
    },
  });
const BRIDGES_MISSING = [
  { field: "frontmatter.status", error: "missing_required_field" },
  { field: "content.sections", error: "missing_section", expected: "Summary" },
] as const;

const KB = { knowledge_base_name: "research" };
const STATUS = 'frontmatter.status "pending" is not one of ["reading","read"]';

describe("a constraint set through bridges", () => {
  beforeEach(async () => void (await constrain("papers", RULES)));

  test.each<[string, string, object, string]>([
    ["obsidian", "create_note", { name: "papers/new", content: LONG }, obsidian("new", NEW)],
    ["obsidian", "update_note", { name: "a", content: LONG }, obsidian("a", [TOO_LONG(51), MISSING[1]!])],
    ["obsidian", "append_note", { name: "a", text: LONG }, obsidian("a", [TOO_LONG(71)])],
    ["obsidian", "replace_text", { name: "a", old_text: "# S", new_text: "S" }, obsidian("a", [MISSING[1]!])],
    ["obsidian", "set_frontmatter", { name: "a", key: "status", value: "pending" }, obsidian("a", [STATUS])],
    ["obsidian", "delete_section", { name: "a", section: "Summary" }, obsidian("a", [MISSING[1]!])],
    ["obsidian", "rename_note", { old_name: "other", new_name: "papers/b" }, obsidian("b", MISSING)],
    [
      "obsidian",
      "rename_note",
      { old_name: "other", new_name: "papers/b", dry_run: true },
      obsidian("b", MISSING),
    ],
    ["wiki", "create_note", { path: "papers/new", title: "N", content: LONG }, wiki("papers/new", NEW)],
    [
      "wiki",
      "update_note",
      { path: "papers/a", content: LONG },
      wiki("papers/a", [TOO_LONG(51), MISSING[1]!]),
    ],
    ["wiki", "update_note", { path: "other", new_path: "papers/b" }, wiki("papers/b", MISSING)],
    ["cairn", "cairn_write", { path: "papers/new", content: LONG }, cairn("papers/new", NEW)],
    ["cairn", "cairn_write", { path: "papers/a", content: LONG }, cairn("papers/a", NEW)],
    [
      "cairn",
      "cairn_patch",
      { path: "papers/a", op: "append", content: LONG },
      cairn("papers/a", [TOO_LONG(71)]),
    ],
    [
      "cairn",
      "cairn_patch",
      { path: "papers/a", op: "replace", find: "Summary", content: "S" },
      cairn("papers/a", [MISSING[1]!]),
    ],
    ["notes", "UpdateNote", { id: "0000aaaa", content: LONG }, notes([TOO_LONG(52), MISSING[1]!])],
    [
      "bridges",
      "create_note",
      { ...KB, note_path: "new.md", note_content: "x" },
      bridges(...BRIDGES_MISSING),
    ],
    ["bridges", "update_note", { ...KB, note_path: "a.md", note_content: "x" }, bridges(...BRIDGES_MISSING)],
    [
      "bridges",
      "append_note",
      { ...KB, note_path: "a.md", note_content: LONG },
      bridges({ field: "content", error: "content_too_long", expected: 40, actual: 70 }),
    ],
  ])("is refused through %s: %s %j", async (surface, tool, args, wanted) => {
    expect(await refused(surface, tool, args)).toBe(wanted);
  });

  test.each<[string, string, object]>([
    ["obsidian", "append_note", { name: "a", text: "More." }],
    ["wiki", "update_note", { path: "papers/a", add_tags: ["seen"] }],
    ["cairn", "cairn_patch", { path: "papers/a", op: "append", content: "More." }],
    ["notes", "UpdateNote", { id: "0000aaaa", title: "Another" }],
    ["bridges", "append_note", { ...KB, note_path: "a.md", note_content: "More." }],
  ])("lets what satisfies it pass through %s", async (surface, tool, args) => {
    await done(surface, tool, args);
    expect((await here.vault.state()).get("papers/a.md")).not.toBe(GOOD);
  });

  test.each<[string, string, object]>([
    ["obsidian", "delete_note", { name: "bad" }],
    ["wiki", "delete_note", { path: "papers/bad" }],
    ["cairn", "cairn_delete", { path: "papers/bad" }],
    ["notes", "DeleteNote", { id: "0000cccc" }],
    ["bridges", "delete_note", { ...KB, note_path: "bad.md" }],
    ["obsidian", "rename_note", { old_name: "bad", new_name: "away/bad" }],
    ["wiki", "update_note", { path: "papers/bad", new_path: "away" }],
  ])("holds no note back that leaves: %s %s", async (surface, tool, args) => {
    await here.vault.put("papers/bad.md", "---\nid: 0000cccc\n---\nbreaks everything\n");
    await done(surface, tool, args);
    expect((await here.vault.state()).has("papers/bad.md")).toBe(false);
  });

  test("does not hold back links rewritten in passing", async () => {
    await here.vault.put("papers/bad.md", "[[other]] and nothing else\n");
    await done("obsidian", "rename_note", { old_name: "other", new_name: "another" });
    expect((await here.vault.state()).get("papers/bad.md")).toBe("[[another]] and nothing else\n");
  });

  test("binds daily notes, which are made in passing", async () => {
    await done("bridges", "add_knowledge_base", {
      name: "days",
      description: "Days",
      subfolder: "daily",
      organization_rules: "",
    });
    const rules = { frontmatter: { required_fields: [{ name: "mood", type: "string" }] } };
    await done("bridges", "add_knowledge_base_folder_constraint", {
      kb_name: "days",
      subfolder: "daily",
      rules,
    });
    const day = "daily/2026-01-15";
    for (const args of [{ op: "read" }, { op: "append", content: "- x" }])
      expect(await refused("cairn", "cairn_daily", args)).toBe(
        `validation_error: ${day} does not satisfy the rules of the folder daily: frontmatter.mood is missing.`,
      );
    await here.vault.put(`${day}.md`, "---\nmood: good\n---\n");
    await done("cairn", "cairn_daily", { op: "append", content: "- x" });
  });

  test("is as its file says, at once, though the file keeps its size and time", async () => {
    await here.vault.put(RULE_FILE, papers("content: {max_length: 10}"));
    await refused("cairn", "cairn_patch", { path: "papers/a", op: "append", content: "x" });
    await here.vault.put(RULE_FILE, papers("content: {max_length: 99}"));
    await done("cairn", "cairn_patch", { path: "papers/a", op: "append", content: "x" });
    await here.vault.put(RULE_FILE, papers("content: {max_length: 10}"));
    expect(await refused("wiki", "update_note", { path: "papers/a", title: "x" })).toContain("at most 10");
  });
});

describe("a rule file that cannot be used", () => {
  test.each<[string, string, string]>([
    ["broken YAML", papers("content: ["), "has a yaml block that cannot be read"],
    ["a rule that is none", papers("content: {max: 1}"), 'has the unknown key "max"'],
    ["a pattern that is none", papers("filename: {pattern: '('}"), 'The pattern "(" cannot be used'],
    ["an empty file", "", "has no field `subfolder`"],
    ["more than 512 KiB", papers(`{} # ${"x".repeat(600 * 1024)}`), "is larger than 512 KiB"],
    ["more than 8 MiB", "x".repeat(9 * 1024 * 1024), "is larger than 512 KiB"],
  ])("closes its folder and no other: %s", async (_, text, reason) => {
    await constrain("papers", {});
    await here.vault.put(RULE_FILE, text);
    for (const [surface, tool, args] of [
      ["obsidian", "append_note", { name: "a", text: "x" }],
      ["wiki", "update_note", { path: "other", new_path: "papers/b" }],
      ["cairn", "cairn_write", { path: "papers/a", content: GOOD }],
      ["notes", "UpdateNote", { id: "0000aaaa", title: "x" }],
      ["bridges", "create_note", { ...KB, note_path: "b.md", note_content: GOOD }],
    ] as const) {
      const words = await refused(surface, tool, args);
      expect(words).toContain(RULE_FILE);
      expect(surface === "bridges" ? JSON.parse(words).error.message : words).toContain(reason);
    }
    await done("obsidian", "append_note", { name: "other", text: "x" });
    await done("wiki", "create_note", { path: "elsewhere", title: "E", content: "x" });
    await done("cairn", "cairn_read", { path: "papers/a" });
    await done("cairn", "cairn_delete", { path: "papers/a" });
    const { problems } = await done("bridges", "list_knowledge_bases", {});
    expect(problems).toMatchObject([{ kb_name: "research", file: RULE_FILE }]);
    await here.vault.put(RULE_FILE, papers("{}"));
    await done("cairn", "cairn_write", { path: "papers/a", content: "open again" });
  });

  test("a description of the base that is too large closes nothing, and its constraints go on to bind", async () => {
    await constrain("papers", RULES);
    await here.vault.put(".llm_bridges/knowledge_base/research/meta.md", "x".repeat(600 * 1024));
    expect(await refused("cairn", "cairn_write", { path: "papers/b", content: "x" })).toContain(
      "does not satisfy the rules of the folder papers",
    );
    await done("cairn", "cairn_write", { path: "elsewhere", content: "x" });
  });
});

test("a base that is given another folder takes its scope along, not its notes", async () => {
  await constrain("papers", RULES);
  await refused("wiki", "update_note", { path: "papers/a", content: LONG });
  const { notes: said } = await done("bridges", "update_knowledge_base", {
    name: "research",
    subfolder: "texts",
  });
  expect(said.map(({ message }: { message: string }) => message)).toEqual([
    'No notes were moved: those under "papers" stay where they are, and only those under "texts" belong to this knowledge base now.',
    'The folder constraint on "papers" is now out of scope and no longer applies; its file is kept.',
  ]);
  await done("wiki", "update_note", { path: "papers/a", content: LONG });
  await constrain("texts", { content: { max_length: 1 } });
  expect(await refused("wiki", "create_note", { path: "texts/x", title: "X", content: "12" })).toContain(
    "at most 1",
  );
});

describe("going back", () => {
  test("a restore goes ahead and says what it breaks", async () => {
    await done("wiki", "create_note", { path: "papers/n", title: "N", content: LONG });
    const first = (await here.vault.notebook.log({ limit: 1 }))[0]!.id;
    await done("wiki", "delete_note", { path: "papers/n" });
    await constrain("papers", RULES);
    expect(await done("wiki", "restore_note_version", { path: "papers/n", version: first })).toBe(
      [
        `Restored note 'papers/n' to version ${first.slice(0, 7)}`,
        "",
        "Warning: this version does not satisfy the rules of papers:",
        ...NEW.map((issue) => `- ${issue}`),
      ].join("\n"),
    );
    expect((await here.vault.state()).has("papers/n.md")).toBe(true);
  });

  test("an undo goes ahead and reports what it breaks", async () => {
    await here.vault.put("papers/n.md", LONG);
    await done("wiki", "delete_note", { path: "papers/n" });
    const [removal] = await here.vault.notebook.log({ limit: 1 });
    await constrain("papers", RULES);
    const { broken } = await here.vault.notebook.undo([await here.vault.notebook.revision(removal!.id)]);
    expect(broken.map(({ path, verdict }) => [path, verdict.issues.length])).toEqual([["papers/n.md", 3]]);
    expect((await here.vault.state()).get("papers/n.md")).toBe(LONG);
  });

  test("rules are versioned and undone like notes", async () => {
    await constrain("papers", { content: { max_length: 5 } });
    await constrain("papers", RULES);
    const [second, first] = await here.vault.notebook.log({ limit: 2 });
    expect([first, second].map((revision) => [revision!.message, revision!.author])).toEqual([
      ["Constrain folder: papers", "transcript"],
      ["Constrain folder: papers", "transcript"],
    ]);
    const text = await here.vault.notebook.read(notePath("papers/a.md"));
    await here.vault.notebook.undo([await here.vault.notebook.revision(second!.id)]);
    expect((await here.vault.state()).get(RULE_FILE)).toContain("max_length: 5");
    expect(await refused("cairn", "cairn_patch", { path: "papers/a", op: "append", content: "x" })).toContain(
      "at most 5",
    );
    await here.vault.notebook.undo([await here.vault.notebook.revision(first!.id)]);
    expect((await here.vault.state()).has(RULE_FILE)).toBe(false);
    await done("cairn", "cairn_patch", { path: "papers/a", op: "append", content: LONG });
    expect((await here.vault.notebook.read(notePath("papers/a.md"))).version).not.toBe(text.version);
  });
});
