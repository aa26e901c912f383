import { describe, expect, test } from "vitest";
import { notePath } from "../notebook/paths.ts";
import { broken } from "../notebook/rules.ts";
import { ruleReader } from "./rule-edits.ts";
import {
  ROOT,
  bookOf,
  withBase,
  withRules,
  check,
  refusal,
  META,
  constraintText,
  NAMED_X,
  closed,
} from "./suites/books.ts";

describe("what binds a note", () => {
  const book = withRules(
    withRules(withBase(), "research/ai", { filename: { pattern: "^ai" } }),
    "research/ai/papers",
    { filename: { pattern: "^paper" } },
  );
  test.each([
    ["research/ai/x.md", "research/ai"],
    ["research/ai/papers/x.md", "research/ai/papers"],
    ["research/ai/papers/deep/er/x.md", "research/ai/papers"],
    ["Research/AI/Papers/x.md", "research/ai/papers"],
    ["research/ai/papers2/x.md", "research/ai"],
    ["research/ai.md", null],
    ["research/ai2/x.md", null],
    ["x.md", null],
  ])("%s: %s", (path, subfolder) => {
    expect(book.bindingOn(notePath(path))?.subfolder ?? null).toBe(subfolder);
  });

  test("only the most specific constraint applies", () => {
    expect(check(book, "research/ai/papers/paper.md", "x")?.issues).toEqual([]);
    expect(check(book, "research/ai/papers/ai.md", "x")).toEqual({
      constraint: {
        base: "ai-research",
        subfolder: "research/ai/papers",
        file: `${ROOT}/ai-research/folder_constraints/research_ai_papers.md`,
      },
      issues: [{ field: "filename", error: "pattern_mismatch", pattern: "^paper", actual: "ai.md" }],
    });
    expect(check(book, "elsewhere/x.md", "x")).toBeNull();
  });

  test("rules without a demand lift those of the folder above", () => {
    expect(check(withRules(book, "research/ai/free", {}), "research/ai/free/x.md", "")?.issues).toEqual([]);
  });

  test("the refusal carries the constraint and every issue", () => {
    const path = notePath("research/ai/x.md");
    expect(broken(path, check(book, path, "x")!)).toMatchObject({
      code: "rule_broken",
      message:
        'The note "research/ai/x.md" does not satisfy the rules of the folder "research/ai": filename "x.md" does not match ^ai.',
      details: {
        path,
        constraint: { kb_name: "ai-research", subfolder: "research/ai" },
        issues: [{ field: "filename" }],
      },
    });
  });
});

describe("files that cannot be used", () => {
  const good = constraintText("research/ai/papers", NAMED_X);

  test.each([
    ["no frontmatter", "Just words.\n", "has no field `subfolder` that names a folder", null],
    ["empty", "", "has no field `subfolder` that names a folder", null],
    [
      "a folder that escapes",
      constraintText("../x", NAMED_X),
      'names the folder "../x", which cannot be one',
      null,
    ],
    ["the vault itself", constraintText('""', NAMED_X), 'names the folder "", which cannot be one', null],
    [
      "a list for a folder",
      constraintText("[a]", NAMED_X),
      "has no field `subfolder` that names a folder",
      null,
    ],
    [
      "broken frontmatter",
      `---\nsubfolder: "research/ai/papers"\nx: [\n---\n`,
      expect.stringMatching(/^has frontmatter that cannot be read: /),
      "research/ai/papers",
    ],
    [
      "frontmatter without an end",
      "---\nsubfolder: research/ai/papers\n",
      "has no field `subfolder` that names a folder",
      "research/ai/papers",
    ],
    [
      "no block",
      "---\nsubfolder: research/ai/papers\n---\n## Rules\n",
      "has no yaml block with rules",
      "research/ai/papers",
    ],
    [
      "a block in another language",
      good.replace("yaml", "json"),
      "has no yaml block with rules",
      "research/ai/papers",
    ],
    ["a block without an end", good.slice(0, -4), "has a yaml block without an end", "research/ai/papers"],
    [
      "two blocks",
      `${good}\n\`\`\`yaml\n{}\n\`\`\`\n`,
      "has more than one yaml block; keep one",
      "research/ai/papers",
    ],
    [
      "an empty block",
      constraintText("research/ai/papers", "# filename:"),
      "has an empty yaml block; write {} for no rules",
      "research/ai/papers",
    ],
    [
      "bad YAML",
      constraintText("research/ai/papers", "filename: [x"),
      expect.stringMatching(/^has a yaml block that cannot be read: /),
      "research/ai/papers",
    ],
    [
      "a misspelled rule",
      constraintText("research/ai/papers", "file_name:\n  pattern: x"),
      'holds rules that cannot be used: rules has the unknown key "file_name"; known are frontmatter, filename, content',
      "research/ai/papers",
    ],
    [
      "a bad pattern",
      constraintText("research/ai/papers", "filename:\n  pattern: (a"),
      'holds rules that cannot be used: The pattern "(a" cannot be used: missing closing ): `(a`',
      "research/ai/papers",
    ],
  ])("%s", (_name, text, reason, subfolder) => {
    const file = `${ROOT}/ai-research/folder_constraints/p.md`;
    const book = bookOf({
      "ai-research/meta.md": META,
      "ai-research/folder_constraints/p.md": text,
      "ai-research/folder_constraints/q.md": constraintText("research/ai/other", NAMED_X),
    });
    expect(book.troubles).toEqual([
      { base: "ai-research", file, reason, subfolder: subfolder ?? "research/ai", whole: subfolder === null },
    ]);
    expect(book.bases.length).toBe(1);
    expect(closed(book, "research/ai/papers/deep/x.md")).toBe(true);
    // Where the file does not even say its folder, every folder of the base may be the one.
    expect(closed(book, "research/ai/other/x.md")).toBe(subfolder === null);
    expect(closed(book, "research/ai/x.md")).toBe(subfolder === null);
    expect(closed(book, "elsewhere/x.md")).toBe(false);
    const path = notePath("research/ai/papers/x.md");
    expect(broken(path, check(book, path, "x")!)).toMatchObject({
      code: "constraint_malformed",
      message: expect.stringContaining(file),
    });
  });

  test.each([
    ["missing", undefined, "is missing"],
    ["broken", "---\nsubfolder: [\n---\n", expect.stringMatching(/^has frontmatter that cannot be read/)],
    ["without a folder", "---\ndescription: d\n---\n", "has no field `subfolder` that names a folder"],
    ["hidden", "---\nsubfolder: .obsidian\n---\n", 'names the folder ".obsidian", which cannot be one'],
    [
      "with a map for a description",
      "---\nsubfolder: research/ai\ndescription: {a: b}\n---\n",
      "has a `description` or `create_time` that is not text",
    ],
  ])("a base whose meta.md is %s still has its constraints bind", (_name, meta, reason) => {
    const book = bookOf({
      ...(meta === undefined ? {} : { "ai-research/meta.md": meta }),
      "ai-research/folder_constraints/p.md": good,
    });
    expect(book.bases).toEqual([]);
    expect(book.troubles).toMatchObject([{ file: `${ROOT}/ai-research/meta.md`, reason, subfolder: null }]);
    expect(check(book, "research/ai/papers/y.md", "")?.issues).toHaveLength(1);
    expect(
      refusal(() => ruleReader.updateBase(book, { name: "ai-research", description: "d" })),
    ).toMatchObject({ code: "constraint_malformed" });
  });

  test("where neither file says a folder, none is open", () => {
    const book = bookOf({ "ai-research/meta.md": "", "ai-research/folder_constraints/p.md": "" });
    expect(closed(book, "x.md")).toBe(true);
  });

  test("two files for one folder close it, and are named when it is constrained anew", () => {
    const book = bookOf({
      "ai-research/meta.md": META,
      "ai-research/folder_constraints/p.md": good,
      "ai-research/folder_constraints/q.md": constraintText("Research/ai/papers", "{}"),
    });
    expect(closed(book, "research/ai/papers/x.md")).toBe(true);
    const error = refusal(() => withRules(book, "research/ai/papers", {}));
    expect(error.code).toBe("constraint_malformed");
    expect(error.message).toContain("folder_constraints/p.md and ");
  });

  test("constraining the folder anew mends its file, whatever was wrong with it", () => {
    for (const text of [
      good.replace("^x", "(x"),
      "---\nsubfolder: research/ai/papers\nx: [\n---\n",
      "---\nsubfolder: research/ai/papers\n---\n",
    ]) {
      const book = withRules(
        bookOf({ "ai-research/meta.md": META, "ai-research/folder_constraints/p.md": text }),
        "research/ai/papers",
        { content: { min_length: 1 } },
      );
      expect(book.troubles).toEqual([]);
      expect(book.constraints).toMatchObject([
        { file: `${ROOT}/ai-research/folder_constraints/p.md`, rules: { content: { min_length: 1 } } },
      ]);
    }
  });

  test("a constraint outside its base binds nothing, and is reported", () => {
    const book = bookOf({
      "ai-research/meta.md": META,
      "ai-research/folder_constraints/p.md": constraintText("research/old", NAMED_X),
    });
    expect(check(book, "research/old/y.md", "")).toBeNull();
    expect(book.troubles).toMatchObject([{ subfolder: null, reason: expect.stringContaining("outside") }]);
  });

  test("bases that were made to overlap by hand are both there, and reported", () => {
    const book = bookOf({ "a/meta.md": META, "b/meta.md": META.replace("research/ai", "Research") });
    expect(book.bases.map((base) => base.name)).toEqual(["a", "b"]);
    expect(book.troubles).toMatchObject([
      { base: "b", reason: expect.stringContaining('overlaps with that of the knowledge base "a"') },
    ]);
  });

  test("other files are passed over", () => {
    expect(
      bookOf({ "ai-research/notes.md": "x", "README.md": "x", "ai-research/meta.md": META }),
    ).toMatchObject({ troubles: [], bases: [{ name: "ai-research" }] });
  });

  test("a mistake in the yaml is placed by the line of the file", () => {
    const book = bookOf({
      "ai-research/meta.md": META,
      "ai-research/folder_constraints/p.md": constraintText(
        "research/ai/papers",
        "filename:\n  pattern: x\n  pattern: [x",
      ),
    });
    expect(book.troubles[0]?.reason).toMatch(/, at line 11$/);
  });
});
