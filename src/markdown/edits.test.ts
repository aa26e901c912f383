import { describe, expect, test } from "vitest";
import { append, countText, insertLine, prepend, replaceBody, replaceText } from "./edits.ts";
import { NoteError } from "./errors.ts";

const FRONT = "---\ntags: [ a,b ]\n---\n";
const refused = (code: string, details: Record<string, unknown> = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) as unknown }) as NoteError;

describe("append", () => {
  test.each([
    ["Line1", "Line1\n\nLine2"],
    ["Line1\n", "Line1\n\nLine2\n"],
    ["Line1\n\n", "Line1\n\nLine2\n"],
    ["Line1\n\n\n", "Line1\n\n\nLine2\n"],
    ["Line1\n  ", "Line1\n  \nLine2"],
    ["Line1\n \t\n", "Line1\n \t\nLine2\n"],
    ["Line1\r\nx", "Line1\r\nx\r\n\r\nLine2"],
    ["Line1\r\n", "Line1\r\n\r\nLine2\r\n"],
    ["", "Line2"],
    ["\uFEFF", "\uFEFFLine2"],
    [FRONT, `${FRONT}\nLine2\n`],
    ["---\na: 1\n---", "---\na: 1\n---\n\nLine2"],
  ])("under a blank line to %j", (before, after) => {
    expect(append("Line2", "blank")(before)).toBe(after);
  });

  test.each([
    ["Line1", "Line1\nLine2"],
    ["Line1\n", "Line1\n\nLine2"],
    ["", "\nLine2"],
    ["a\r\nb", "a\r\nb\r\nLine2"],
  ])("after a line ending to %j", (before, after) => {
    expect(append("Line2", "line")(before)).toBe(after);
  });

  test("the text takes the file's line ending, and brings its own last one", () => {
    expect(append("a\nb\n", "blank")("x\r\ny")).toBe("x\r\ny\r\n\r\na\r\nb\r\n");
    expect(append("", "blank")("x")).toBe("x");
  });
});

test.each([
  ["Body\n", "New\n\nBody\n"],
  ["\uFEFFBody", "\uFEFFNew\n\nBody"],
  [`${FRONT}Body`, `${FRONT}New\n\nBody`],
  [`${FRONT}\nBody`, `${FRONT}\nNew\n\nBody`],
  [FRONT, `${FRONT}\nNew\n`],
  ["", "New"],
  ["a\r\nb", "New\r\n\r\na\r\nb"],
])("prepend to %j", (before, after) => {
  expect(prepend("New")(before)).toBe(after);
});

describe("replaceBody", () => {
  test.each([
    ["Old\n", "New", "New"],
    [`${FRONT}Old`, "New", `${FRONT}New`],
    [`${FRONT}\n\nOld\n`, "New\n", `${FRONT}\n\nNew\n`],
    [`${FRONT}\nOld`, "\nNew", `${FRONT}\nNew`],
    [FRONT, "New", `${FRONT}New`],
    [`${FRONT}\n`, "New", `${FRONT}\nNew`],
    ["---\na: 1\n---", "New", "---\na: 1\n---\nNew"],
    ["---\na: 1\n---", "", "---\na: 1\n---"],
    ["\uFEFF---\r\na: 1\r\n---\r\nOld", "a\nb", "\uFEFF---\r\na: 1\r\n---\r\na\r\nb"],
    ["---\na: 1\na: 2\n---\nOld", "New", "---\na: 1\na: 2\n---\nNew"],
  ])("of %j by %j", (before, body, after) => {
    expect(replaceBody(body)(before)).toBe(after);
  });
});

describe("replaceText", () => {
  test.each([
    ["foo bar foo", "first", "baz bar foo"],
    ["foo bar foo", "all", "baz bar baz"],
    ["a foo b", "only", "a baz b"],
    ["---\nx: foo\n---\nfoo", "only", "---\nx: foo\n---\nbaz"],
  ] as const)("in %j, %s", (before, which, after) => {
    expect(replaceText("foo", "baz", which)(before)).toBe(after);
  });

  test("what is put in is not interpreted", () => {
    expect(replaceText("a.b", "$& $1 $$ \\1 $`", "all")("a.b axb a.b")).toBe(
      "$& $1 $$ \\1 $` axb $& $1 $$ \\1 $`",
    );
  });

  test.each([
    ["one\r\ntwo\r\n", "one\ntwo", "x\ny", "x\r\ny\r\n"],
    ["one\r\ntwo\r\n", "\n", "\n\n", "one\r\n\r\ntwo\r\n"],
    ["one\ntwo\n", "one\r\ntwo", "x", "x\n"],
    ["a\r\none\ntwo\n", "one\ntwo", "x", "a\r\nx\n"],
  ])("in %j the text %j is found whatever its line endings", (before, find, by, after) => {
    expect(replaceText(find, by, "first")(before)).toBe(after);
  });

  test("refusals", () => {
    expect(() => replaceText("xyz", "a", "first")("hello")).toThrow(refused("text_missing", { text: "xyz" }));
    expect(() => replaceText("x", "a", "all")("---\nx: 1\n---\nhello")).toThrow(refused("text_missing"));
    expect(() => replaceText("l", "a", "only")("hello")).toThrow(
      refused("text_ambiguous", { text: "l", count: 2 }),
    );
    expect(() => replaceText("", "a", "all")("hello")).toThrow(refused("input_refused"));
  });

  test("countText counts in the body, without overlaps", () => {
    expect(countText("---\naa: aa\n---\naaaa a", "aa")).toBe(2);
    expect(countText("one\r\ntwo one\r\ntwo", "one\ntwo")).toBe(2);
    expect(countText("x", "y")).toBe(0);
  });
});

describe("insertLine", () => {
  test.each([
    ["line1\nline2", { after: "line1" }, "line1\nin\nline2"],
    ["line1\nline2", { before: "line2" }, "line1\nin\nline2"],
    ["line1\nline2", { after: "line2" }, "line1\nline2\nin"],
    ["line1\nline2\n", { after: "line2" }, "line1\nline2\nin\n"],
    ["line1\nline2", { before: "line1" }, "in\nline1\nline2"],
    ["a\r\n  b  \r\nc", { after: " b" }, "a\r\n  b  \r\nin\r\nc"],
    ["ab\nb\nb\n", { before: "b" }, "ab\nin\nb\nb\n"],
    ["---\nb: 1\n---\nx\nb: 1\n", { before: "b: 1" }, "---\nb: 1\n---\nx\nin\nb: 1\n"],
  ])("into %j at %j", (before, where, after) => {
    expect(insertLine("in", where)(before)).toBe(after);
    expect(insertLine("in\n", where)(before)).toBe(after);
  });

  test("refusals", () => {
    expect(() => insertLine("x", { after: "lin" })("line")).toThrow(
      refused("text_missing", { text: "lin", pattern: true }),
    );
    expect(() => insertLine("x", { after: " " })("line\n\n")).toThrow(refused("input_refused"));
  });
});
