import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ruleReader } from "./rule-edits.ts";
import { ROOT, NOW, AI, bookOf, after, withBase, withRules, textAt, META } from "./suites/books.ts";

describe("files", () => {
  test("a base is laid out as its spec says", () => {
    const { base, puts, message } = ruleReader.addBase(bookOf({}), AI, NOW);
    expect(base).toEqual({ ...AI, createTime: "2025-12-10T14:30:00Z" });
    expect(message).toBe("Create knowledge base: ai-research");
    expect(puts).toEqual([
      {
        path: `${ROOT}/ai-research/meta.md`,
        text: `---
create_time: 2025-12-10T14:30:00Z
description: AI/ML research papers and concepts
subfolder: research/ai
---

## Guidelines
1. One concept per note
2. Use date-prefixed filenames...
`,
      },
    ]);
  });

  test("a constraint is laid out as its spec says", () => {
    const book = withBase();
    const rules = {
      frontmatter: {
        required_fields: [
          { name: "published_date", type: "date", pattern: "^\\d{4}-\\d{2}-\\d{2}$" },
          { name: "status", type: "string", allowed_values: ["reading", "read", "summarized"] },
        ],
      },
      filename: { pattern: "^\\d{4}-\\d{2}-\\d{2}-[a-z0-9-]+\\.md$" },
    };
    const { constraint, puts } = ruleReader.constrain(book, {
      base: "ai-research",
      subfolder: "research/ai/papers/",
      rules,
    });
    expect(constraint).toEqual({
      base: "ai-research",
      subfolder: "research/ai/papers",
      rules,
      file: `${ROOT}/ai-research/folder_constraints/research_ai_papers.md`,
    });
    expect(puts).toEqual([
      {
        path: constraint.file,
        text: expect.stringMatching(
          /^---\nsubfolder: research\/ai\/papers\n---\n\n## Rules\n\n```yaml\nfrontmatter:\n[^]*\n```\n$/,
        ),
      },
    ]);
  });

  test("what is written is what is read: bases", () => {
    const anyText = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({
        unit: fc.constantFrom(
          "\n",
          "\r",
          "---",
          "```",
          "# ",
          ":",
          "'",
          '"',
          " ",
          "\t",
          "é",
          "\uFEFF",
          "yes",
          "1.10",
          "|",
          "%",
          "\u2028",
        ),
      }),
    );
    fc.assert(
      fc.property(anyText, anyText, (description, organizationRules) => {
        const { base, puts } = ruleReader.addBase(bookOf({}), { ...AI, description, organizationRules }, NOW);
        const book = ruleReader.read(puts);
        expect(book.troubles).toEqual([]);
        expect(book.bases).toEqual([base]);
        const again = ruleReader.updateBase(book, {
          name: base.name,
          description: organizationRules.slice(0, 10_000),
          organizationRules: description,
        });
        expect(after(book, again).bases).toEqual([again.base]);
      }),
      { numRuns: 500 },
    );
  });

  test("what is written is what is read: constraints", () => {
    const word = fc.oneof(
      fc.string({ unit: "binary", minLength: 1 }),
      fc.string({
        unit: fc.constantFrom("\n", "```", "~~~", "---", ": ", "- ", "#", "'", '"', "\\", "{", "]", ",", "x"),
        minLength: 1,
      }),
      fc.constantFrom("__proto__", "constructor", "true", "null", "1.10", "2025-01-01", "~", "0x1F", "<<"),
    );
    const value = fc.oneof(
      word,
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((it) => !Object.is(it, -0)),
      fc.boolean(),
    );
    const field = fc.record(
      {
        name: word,
        type: fc.constantFrom("string", "number", "boolean", "date", "array"),
        pattern: word.map((text) => text.replace(/[^\p{L}\s]/gu, "").slice(0, 100) || "x"),
        allowed_values: fc.array(value, { minLength: 1, maxLength: 5 }),
      },
      { requiredKeys: ["name", "type"] },
    );
    const rules = fc.record(
      {
        frontmatter: fc.record(
          { required_fields: fc.uniqueArray(field, { selector: (one) => one.name, maxLength: 4 }) },
          { requiredKeys: [] },
        ),
        filename: fc.constant({ pattern: "^\\d+\\.md$" }),
        content: fc.record(
          {
            min_length: fc.nat(10),
            max_length: fc.integer({ min: 10 }),
            required_sections: fc.array(word, { maxLength: 4 }),
          },
          { requiredKeys: [] },
        ),
      },
      { requiredKeys: [] },
    );
    const base = withBase();
    fc.assert(
      fc.property(rules, (rules) => {
        const edit = ruleReader.constrain(base, { base: "ai-research", subfolder: "research/ai", rules });
        const book = after(base, edit);
        expect(book.troubles).toEqual([]);
        expect(JSON.stringify(book.constraints)).toBe(JSON.stringify([edit.constraint]));
        expect(
          ruleReader.constrain(book, { base: "ai-research", subfolder: "research/ai", rules }).puts,
        ).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test("a base that a person edited keeps what is theirs", () => {
    const mine =
      "---\r\n# mine\r\nowner: me\r\ndescription:   'old'   # short\r\nsubfolder: research/ai\r\n---\r\nKeep\r\nthis\r\n";
    const book = bookOf({ "ai-research/meta.md": mine });
    expect(book.bases).toEqual([
      {
        name: "ai-research",
        description: "old",
        subfolder: "research/ai",
        organizationRules: "Keep\r\nthis",
        createTime: "",
      },
    ]);
    const { puts } = ruleReader.updateBase(book, { name: "ai-research", description: "new" });
    expect(puts[0]?.text).toBe(mine.replace("'old'", "'new'"));
  });

  test("a constraint that a person edited keeps what is theirs", () => {
    const mine =
      "---\nsubfolder: research/ai/papers\nowner: me # keep\n---\nWhy: because.\n\n~~~~ YAML\ncontent: {min_length: 1}\n~~~~\nMore words.";
    const book = withRules(
      bookOf({ "ai-research/meta.md": META, "ai-research/folder_constraints/mine.md": mine }),
      "Research/AI/Papers",
      { content: { min_length: 2 } },
    );
    expect(textAt(book, "ai-research/folder_constraints/mine.md")).toBe(
      mine.replace(
        "~~~~ YAML\ncontent: {min_length: 1}\n~~~~\n",
        "```yaml\ncontent:\n  min_length: 2\n```\n",
      ),
    );
    expect(book.constraints.map((one) => one.rules)).toEqual([{ content: { min_length: 2 } }]);
  });

  test("folders whose names fold into one file name get a file each", () => {
    let book = withBase({ subfolder: "a" });
    for (const folder of ["a/b_c", "a/b/c", "a/B/c_d", "a/b/c/d"])
      book = withRules(book, folder, { content: { min_length: folder.length } });
    expect(book.constraints.map((one) => [one.file.slice(ROOT.length), one.subfolder]).toSorted()).toEqual([
      ["/ai-research/folder_constraints/a_B_c_d.md", "a/B/c_d"],
      ["/ai-research/folder_constraints/a_b_c-2.md", "a/b/c"],
      ["/ai-research/folder_constraints/a_b_c.md", "a/b_c"],
      ["/ai-research/folder_constraints/a_b_c_d-2.md", "a/b/c/d"],
    ]);
  });

  test("a deep folder still gets a file name that every disk takes", () => {
    const folder = `research/ai/${"漢字/".repeat(60)}x`;
    const book = withRules(withBase(), folder, {});
    expect(new TextEncoder().encode(book.constraints[0]!.file.split("/").at(-1)).length).toBeLessThan(255);
    expect(book.constraints[0]!.subfolder).toBe(folder);
  });
});
