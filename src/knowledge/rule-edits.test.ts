import { describe, expect, test } from "vitest";
import { notePath } from "../notebook/paths.ts";
import { ruleReader } from "./rule-edits.ts";
import { AI, bookOf, after, withBase, withRules, check, refusal } from "./suites/books.ts";

describe("refusals", () => {
  const book = withBase();
  test.each(["", "a b", "a/b", "..", "é", "a".repeat(101), "a\n"])("the name %j", (name) => {
    expect(refusal(() => withBase({ name }))).toMatchObject({
      code: "input_refused",
      details: { parameter: "name" },
    });
  });
  test.each(["constructor", "__proto__", "toString", "-", "A_1"])("the name %j is as good as any", (name) => {
    const made = withRules(withBase({ name }), "research/ai", { filename: { pattern: "^x" } }, name);
    expect(made.bases[0]?.name).toBe(name);
    expect(check(made, "research/ai/y.md", "")?.issues).toHaveLength(1);
    expect(bookOf({}).bindingOn(notePath(`${name}/x.md`))).toBeNull();
    expect(refusal(() => ruleReader.updateBase(bookOf({}), { name })).code).toBe("base_missing");
  });
  test.each(["ai-research", "AI-Research"])("a name that is taken: %s", (name) => {
    expect(refusal(() => withBase({ name, subfolder: "b" }, book))).toMatchObject({
      code: "base_exists",
      details: { name: "ai-research" },
    });
  });
  test.each(["", "/", "/a", "../a", "a/../b", ".obsidian", "a/.git", "a//b", "a\\b", "C:/a", "a\u0000", "."])(
    "the folder %j",
    (subfolder) => {
      expect(refusal(() => withBase({ subfolder })).code).toBe("path_refused");
      expect(refusal(() => ruleReader.updateBase(book, { name: "ai-research", subfolder })).code).toBe(
        "path_refused",
      );
      expect(refusal(() => withRules(book, subfolder, {})).code).toBe("path_refused");
    },
  );
  test.each([
    ["research/ai", true],
    ["research/ai/", true],
    ["research", true],
    ["research/ai/papers", true],
    ["Research/AI/x", true],
    ["research/ai2", false],
    ["research/a", false],
    ["research2", false],
    ["ai", false],
  ])("a second base on %s overlaps: %s", (subfolder, overlaps) => {
    const add = () => withBase({ name: "second", subfolder }, book);
    if (overlaps)
      expect(refusal(add)).toMatchObject({
        code: "base_overlap",
        details: { other: { name: "ai-research", subfolder: "research/ai" } },
      });
    else expect(add().bases).toHaveLength(2);
  });
  test("texts that are too long, or have no UTF-8 form", () => {
    expect(refusal(() => withBase({ description: "x".repeat(10_001) }))).toMatchObject({
      code: "input_refused",
      details: { parameter: "description" },
    });
    expect(refusal(() => withBase({ organizationRules: "x".repeat(100_001) }))).toMatchObject({
      code: "input_refused",
    });
    expect(refusal(() => withBase({ organizationRules: "\ud800" }))).toMatchObject({ code: "input_refused" });
  });
  test("a constraint on an unknown base, outside its folder, or with rules that cannot be used", () => {
    expect(refusal(() => withRules(book, "research/ai", {}, "nope"))).toMatchObject({
      code: "base_missing",
      details: { name: "nope", known: ["ai-research"] },
    });
    expect(refusal(() => withRules(book, "research/ai2", {}))).toMatchObject({
      code: "path_refused",
      details: { subfolder: "research/ai" },
    });
    expect(refusal(() => withRules(book, "research/ai", { x: 1 }))).toMatchObject({
      code: "constraint_malformed",
    });
    expect(refusal(() => withRules(book, "research/ai", { filename: { pattern: "(?=a)" } }))).toMatchObject({
      code: "pattern_refused",
    });
  });
  test("rules that could be written but not read again", () => {
    const allowed_values = Array.from({ length: 9000 }, (_, at) => at % 10);
    expect(
      refusal(() =>
        withRules(book, "research/ai", {
          frontmatter: { required_fields: [{ name: "a", type: "number", allowed_values }] },
        }),
      ),
    ).toMatchObject({ code: "constraint_malformed" });
  });
});

describe("updating a base", () => {
  const book = withRules(withRules(withBase(), "research/ai/papers", {}), "research/ai", {});
  test("nothing given, nothing changed", () => {
    expect(ruleReader.updateBase(book, { name: "ai-research" })).toMatchObject({
      puts: [],
      notes: [],
      base: { ...AI },
    });
  });
  test("only what is given changes", () => {
    const edit = ruleReader.updateBase(book, { name: "ai-research", organizationRules: "New." });
    expect(edit.notes).toEqual([]);
    expect(edit.base).toEqual({ ...AI, createTime: "2025-12-10T14:30:00Z", organizationRules: "New." });
    expect(after(book, edit).bases).toEqual([edit.base]);
  });
  test("a new folder moves no notes, and says which constraints are left outside", () => {
    const edit = ruleReader.updateBase(book, { name: "ai-research", subfolder: "research/ai/papers" });
    expect(edit.notes).toEqual([
      'No notes were moved: those under "research/ai" stay where they are, and only those under "research/ai/papers" belong to this knowledge base now.',
      'The folder constraint on "research/ai" is now out of scope and no longer applies; its file is kept.',
    ]);
    expect(after(book, edit).constraints.map((one) => one.subfolder)).toEqual(["research/ai/papers"]);
  });
  test("an unknown base", () => {
    expect(refusal(() => ruleReader.updateBase(book, { name: "nope" })).code).toBe("base_missing");
  });
});
