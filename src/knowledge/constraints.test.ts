import { describe, expect, test } from "vitest";
import { parseNote } from "../markdown/note.ts";
import { notePath } from "../notebook/paths.ts";
import type { FieldRule, Issue, RuleSet } from "../notebook/rules.ts";
import { compileRules } from "./constraints.ts";

const issuesOf = (rules: RuleSet, text: string, path = "n.md"): Issue[] =>
  compileRules(rules)(notePath(path), { ...parseNote(text), text });
const field = (rule: FieldRule): RuleSet => ({ frontmatter: { required_fields: [rule] } });

const PAPERS: RuleSet = {
  frontmatter: {
    required_fields: [
      { name: "title", type: "string" },
      { name: "authors", type: "array" },
      { name: "published_date", type: "date", pattern: "^\\d{4}-\\d{2}-\\d{2}$" },
      { name: "status", type: "string", allowed_values: ["reading", "read", "summarized"] },
      { name: "tags", type: "array" },
    ],
  },
  filename: { pattern: "^\\d{4}-\\d{2}-\\d{2}-[a-z0-9-]+\\.md$" },
};
const paper = (status: string): string =>
  `---\ntitle: Transformer Architecture\nauthors: [Vaswani]\npublished_date: 2017-06-12\nstatus: ${status}\ntags:\n  - ml\n---\nText.\n`;

test("the published example of a violation, byte for byte", () => {
  expect(
    JSON.stringify(issuesOf(PAPERS, paper("pending"), "research/ai/papers/transformers.md"), null, 2),
  ).toBe(
    `[
  {
    "field": "frontmatter.status",
    "error": "invalid_value",
    "expected": [
      "reading",
      "read",
      "summarized"
    ],
    "actual": "pending"
  },
  {
    "field": "filename",
    "error": "pattern_mismatch",
    "pattern": "^\\\\d{4}-\\\\d{2}-\\\\d{2}-[a-z0-9-]+\\\\.md$",
    "actual": "transformers.md"
  }
]`,
  );
});

test("a note that satisfies the same rules has no issues", () => {
  expect(issuesOf(PAPERS, paper("read"), "research/ai/papers/2025-12-10-transformers.md")).toEqual([]);
});

test("all issues come at once, in the order of the rules", () => {
  const rules: RuleSet = { ...PAPERS, content: { min_length: 10, required_sections: ["Summary", "Notes"] } };
  expect(issuesOf(rules, "## notes\n").map((issue) => `${issue.field} ${issue.error}`)).toEqual([
    "frontmatter.title missing_required_field",
    "frontmatter.authors missing_required_field",
    "frontmatter.published_date missing_required_field",
    "frontmatter.status missing_required_field",
    "frontmatter.tags missing_required_field",
    "filename pattern_mismatch",
    "content content_too_short",
    "content.sections missing_section",
  ]);
});

describe("types", () => {
  test.each([
    ["string", "text", true],
    ["string", "2025-12-10", true],
    ["string", "1.10", true],
    ["string", "yes", true],
    ["string", '"5"', true],
    ["string", '""', true],
    ["string", "5", false],
    ["string", "true", false],
    ["string", "[a]", false],
    ["number", "42", true],
    ["number", "-3.5", true],
    ["number", "1.10", true],
    ["number", "1e3", true],
    ["number", "+7", true],
    ["number", "007", true],
    ["number", "1e999", false],
    ["number", "0x10", false],
    ["number", ".nan", false],
    ["number", "1,5", false],
    ["number", "many", false],
    ["number", "[1]", false],
    ["boolean", "true", true],
    ["boolean", "false", true],
    ["boolean", "yes", false],
    ["boolean", '"true"', false],
    ["boolean", "1", false],
    ["date", "2025-12-10", true],
    ["date", "2024-02-29", true],
    ["date", "2025-12-10T14:30:00Z", true],
    ["date", "2025-12-10T14:30:00+02:00", true],
    ["date", "2025-02-29", false],
    ["date", "2025-13-01", false],
    ["date", "10.12.2025", false],
    ["date", "2025", false],
    ["date", "tomorrow", false],
    ["array", "[]", true],
    ["array", "[a, b]", true],
    ["array", "\n  - a", true],
    ["array", "a, b", false],
    ["array", "{a: b}", false],
  ] as const)("%s: %s %s", (type, yaml, fits) => {
    const issues = issuesOf(field({ name: "f", type }), `---\nf: ${yaml}\n---\n`);
    expect(issues.map((issue) => issue.error)).toEqual(fits ? [] : ["invalid_field_type"]);
  });

  test("the issue says what was asked for and what was found", () => {
    expect(issuesOf(field({ name: "tags", type: "array" }), "---\ntags: ml\n---\n")).toEqual([
      { field: "frontmatter.tags", error: "invalid_field_type", expected: "array", actual: "ml" },
    ]);
  });
});

describe("a field that is not there", () => {
  const missing = { field: "frontmatter.title", error: "missing_required_field" };
  test.each([
    ["no frontmatter", "Text\n"],
    ["another field", "---\nTitle: x\n---\n"],
    ["nothing after the colon", "---\ntitle:\n---\n"],
    ["null", "---\ntitle: null\n---\n"],
  ])("%s", (_name, text) => {
    expect(issuesOf(field({ name: "title", type: "string" }), text)).toEqual([missing]);
  });

  test("frontmatter that cannot be read is named as the reason", () => {
    const [issue] = issuesOf(field({ name: "title", type: "string" }), "---\ntitle: [x\n---\n");
    expect(issue).toMatchObject({
      ...missing,
      reason: expect.stringMatching(/^the frontmatter cannot be read: /),
    });
  });

  test.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "%s is a name like any other",
    (name) => {
      expect(issuesOf(field({ name, type: "string" }), "---\na: b\n---\n")).toEqual([
        { field: `frontmatter.${name}`, error: "missing_required_field" },
      ]);
      expect(issuesOf(field({ name, type: "string" }), `---\n${name}: b\n---\n`)).toEqual([]);
    },
  );
});

describe("values and patterns", () => {
  test.each([
    ["reading", ["reading", "read"], true],
    ["Reading", ["reading", "read"], false],
    ["2", [1, 2, 3], true],
    ["4", [1, 2, 3], false],
    ["1.10", [1.1], true],
    ["1e3", [1000], true],
    ['"2"', [2], true],
    ["2", ["2"], true],
    ["1.10", ["1.1"], false],
    ["true", [true], true],
    ["true", ["true"], false],
    ["[a, b]", ["a", "b", "c"], true],
    ["[a, d]", ["a", "b", "c"], false],
    ["[]", ["a"], true],
  ])("%s among %j: %s", (yaml, allowed_values, fits) => {
    const type = yaml.startsWith("[")
      ? "array"
      : yaml === "true"
        ? "boolean"
        : /^\d/.test(yaml)
          ? "number"
          : "string";
    const issues = issuesOf(field({ name: "f", type, allowed_values }), `---\nf: ${yaml}\n---\n`);
    expect(issues.map((issue) => issue.error)).toEqual(fits ? [] : ["invalid_value"]);
  });

  test.each([
    ["number", "1.10", "^\\d\\.\\d\\d$", true],
    ["number", "42", "^42$", true],
    ["boolean", "true", "^true$", true],
    ["date", "2025-12-10", "^2025", true],
    ["array", "[ab, ac]", "^a", true],
    ["array", "[ab, bc]", "^a", false],
    ["string", "abc", "b", true],
    ["string", "abc", "^b", false],
  ] as const)("%s %s by %s: %s", (type, yaml, pattern, fits) => {
    const issues = issuesOf(field({ name: "f", type, pattern }), `---\nf: ${yaml}\n---\n`);
    expect(issues.map((issue) => issue.error)).toEqual(fits ? [] : ["pattern_mismatch"]);
  });

  test("a value too long for its pattern does not pass, and the issue says why without repeating it all", () => {
    const [issue] = issuesOf(
      field({ name: "f", type: "string", pattern: "a{498}" }),
      `---\nf: ${"a".repeat(20_000)}\n---\n`,
    );
    expect(issue).toEqual({
      field: "frontmatter.f",
      error: "pattern_mismatch",
      pattern: "a{498}",
      actual: `${"a".repeat(1000)}...`,
      reason: "the value is too long for this pattern to be tried on it",
    });
  });

  test("many long values cannot add up to much work", () => {
    const fields = Array.from({ length: 100 }, (_, at): FieldRule => ({
      name: `f${at}`,
      type: "string",
      pattern: "(a|b)*a(a|b){100}c",
    }));
    const text = `---\n${fields.map((one) => `${one.name}: ${"ab".repeat(500)}c`).join("\n")}\n---\n`;
    const check = compileRules({ frontmatter: { required_fields: fields } });
    const note = { ...parseNote(text), text };
    const before = process.cpuUsage();
    const issues = check(notePath("n.md"), note);
    const used = process.cpuUsage(before);
    expect(issues.length).toBe(100);
    // Ten times the 100 ms that patterns may take: a guard, not a measure.
    expect((used.user + used.system) / 1000).toBeLessThan(1000);
  });
});

describe("content", () => {
  test.each([
    ["12345", { min_length: 5, max_length: 5 }, []],
    ["1234", { min_length: 5 }, [{ field: "content", error: "content_too_short", expected: 5, actual: 4 }]],
    ["123456", { max_length: 5 }, [{ field: "content", error: "content_too_long", expected: 5, actual: 6 }]],
    ["---\na: b\n---\n12345", { max_length: 5 }, []],
    ["\uFEFF12345", { max_length: 5 }, []],
    ["😀é漢", { min_length: 3, max_length: 3 }, []],
    ["", { min_length: 0 }, []],
  ])("%j with %j", (text, content, issues) => {
    expect(issuesOf({ content }, text)).toEqual(issues);
  });

  test.each([
    ["# Summary\n", "Summary", true],
    ["###### summary\n", "Summary", true],
    ["Summary\n=======\n", "SUMMARY", true],
    ["## Summary ##\n", "## Summary", true],
    ["## Über uns\n", "über UNS", true],
    ["## Summary of it\n", "Summary", false],
    ["Summary\n", "Summary", false],
    ["```\n## Summary\n```\n", "Summary", false],
    ["> ## Summary\n", "Summary", false],
  ])("%j has the section %s: %s", (text, section, there) => {
    expect(issuesOf({ content: { required_sections: [section] } }, text)).toEqual(
      there ? [] : [{ field: "content.sections", error: "missing_section", expected: section }],
    );
  });
});
