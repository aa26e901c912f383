/** S6: every limit on what one request may cost, at its edge: what is just within is done, what is just above is refused by name. */

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { compilePattern } from "../src/knowledge/patterns.ts";
import { NoteError } from "../src/markdown/errors.ts";
import { readFront } from "../src/markdown/frontmatter.ts";
import { parseNote } from "../src/markdown/note.ts";
import { LINK_LIMIT } from "../src/notebook/link-graph.ts";
import { NOTE_LIMIT } from "../src/notebook/parts.ts";
import { notePath } from "../src/notebook/paths.ts";
import { parseQuery } from "../src/notebook/query.ts";
import { openWriteQueue } from "../src/protocol/write-queue.ts";
import { openVault, type TestVault } from "./vault.ts";

const outcome = async (work: () => unknown): Promise<string> => {
  try {
    await work();
    return "done";
  } catch (error) {
    if (error instanceof NoteError) return error.code;
    throw error;
  }
};

describe("of what is written in one place", () => {
  const deep = (levels: number) => `${"(".repeat(levels)}a${")".repeat(levels)}`;
  const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(" ");
  const long = (length: number) => `${"a/".repeat(length / 2 - 2)}x.md`;
  test.each<[string, () => unknown, () => unknown, string]>([
    [
      "a query: 2,000 characters",
      () => parseQuery("x".repeat(2000)),
      () => parseQuery("x".repeat(2001)),
      "query_malformed",
    ],
    ["a query: 100 terms", () => parseQuery(words(100)), () => parseQuery(words(101)), "query_malformed"],
    [
      "a query: 30 parentheses deep",
      () => parseQuery(deep(30)),
      () => parseQuery(deep(31)),
      "query_malformed",
    ],
    ["a path: 1,024 characters", () => notePath(long(1024)), () => notePath(long(1028)), "path_refused"],
    [
      "a pattern: 1,024 bytes",
      () => compilePattern(`[${"ab".repeat(511)}]`),
      () => compilePattern(`[${"ab".repeat(511)}c]`),
      "pattern_refused",
    ],
    [
      "a pattern: 500 steps",
      () => compilePattern("a{498}"),
      () => compilePattern("a{499}"),
      "pattern_refused",
    ],
  ])("%s", async (_, within, above, code) => {
    expect(await outcome(within)).toBe("done");
    expect(await outcome(above)).toBe(code);
  });

  const trouble = (yaml: string): boolean => readFront(`---\n${yaml}\n---\n`).front.trouble !== null;
  test.each<[string, string, string]>([
    ["frontmatter: 128 KiB", `"a": "${"x".repeat(130_000)}"`, `"a": "${"x".repeat(132_000)}"`],
    [
      "frontmatter: 50 levels",
      `a: ${"[".repeat(45)}${"]".repeat(45)}`,
      `a: ${"[".repeat(55)}${"]".repeat(55)}`,
    ],
    ["frontmatter: some thousand parts", `a: [${"x,".repeat(2000)}]`, `a: [${"x,".repeat(6000)}]`],
  ])("%s; above it the fields are not read, and the note is", (_, within, above) => {
    expect([trouble(within), trouble(above)]).toEqual([false, true]);
    expect(parseNote(`---\n${above}\n---\n# Title\n`).title).toBe("Title");
  });

  test("quotes and lists: 100 deep, then they are text", () => {
    const heading = (depth: number) => parseNote(`${"> ".repeat(depth)}# h\n`).headings.length;
    expect([heading(99), heading(200)]).toEqual([1, 0]);
  });

  test("calls under way: so many, then busy", async () => {
    const queue = openWriteQueue(3);
    const never = () => new Promise<void>(() => undefined);
    for (let calls = 0; calls < 3; calls++) void queue.read(never);
    expect(await outcome(() => queue.write(async () => undefined))).toBe("busy");
  });
});

describe("of notes", () => {
  let vault: TestVault;
  beforeEach(async () => (vault = await openVault({ folder: true })));
  afterEach(() => vault.close());

  test("8 MiB: what is larger is not written, and what is there already is not read", async () => {
    const path = notePath("large.md");
    const write = (size: number) => outcome(() => vault.notebook.write(path, "x".repeat(size)));
    expect(await write(NOTE_LIMIT)).toBe("done");
    expect(await write(NOTE_LIMIT + 1)).toBe("too_large");
    expect((await vault.notebook.read(path)).bytes.length).toBe(NOTE_LIMIT);
    writeFileSync(join(vault.root!, "large.md"), "x".repeat(NOTE_LIMIT + 1));
    expect(await outcome(() => vault.notebook.read(path))).toBe("too_large");
  });

  test("50,000 links of one note are known", async () => {
    await vault.put("links.md", "[[a]]\n".repeat(LINK_LIMIT + 10));
    expect(await vault.notebook.links({ from: notePath("links.md") })).toHaveLength(LINK_LIMIT);
  });

  test("rule files: 512 KiB; a larger one closes its folder rather than lift its rules", async () => {
    const rule = (size: number) => `---\nsubfolder: a\n---\n\n\`\`\`yaml\n{}\n\`\`\`\n${"x".repeat(size)}`;
    const put = (size: number) =>
      vault.put(".llm_bridges/knowledge_base/b/folder_constraints/a.md", rule(size));
    await vault.put(".llm_bridges/knowledge_base/b/meta.md", "---\ndescription: d\nsubfolder: a\n---\n");
    await put(500 * 1024);
    expect(await outcome(() => vault.notebook.write(notePath("a/one.md"), "x"))).toBe("done");
    await put(600 * 1024);
    expect(await outcome(() => vault.notebook.write(notePath("a/two.md"), "x"))).toBe("constraint_malformed");
  });

  test("folders: 128 deep; what is deeper is passed over and told of", async () => {
    const down = (levels: number) => Array.from({ length: levels }, () => "d").join("/");
    mkdirSync(join(vault.root!, down(140)), { recursive: true });
    writeFileSync(join(vault.root!, down(120), "note.md"), "x");
    writeFileSync(join(vault.root!, down(140), "note.md"), "x");
    await vault.notebook.refresh();
    const { notes } = await vault.notebook.find({ name: "note" }, { limit: 5, sort: "path" });
    expect(notes.map((note) => note.path)).toEqual([`${down(120)}/note.md`]);
    const { groups } = await vault.notebook.survey();
    const reported = groups.find((group) => group.name === "reported")!.findings;
    expect(reported.map(({ detail }) => detail).join()).toContain("too deep");
  });
});
