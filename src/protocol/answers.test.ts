import { expect, test } from "vitest";
import { z } from "zod";
import { READS, tool } from "../surfaces/surface.ts";
import { bounded, refusalOf, resultOf, withOpening } from "./answers.ts";

const plain = tool({
  name: "list",
  description: "",
  annotations: READS,
  input: z.object({}),
  run: async () => "",
});
const whole = { ...plain, name: "read", wholeNote: true as const };
const MiB = 1024 * 1024;
const text = (words: string) => ({ type: "text", text: words });

test.each([
  ["text", "Hi", { content: [text("Hi")] }],
  ["an object", { a: 1 }, { content: [text('{"a":1}')], structuredContent: { a: 1 } }],
  ["a list", [1, 2], { content: [text("[1,2]")] }],
  ["text with a remark", { text: "[1]", remark: "1 of 9" }, { content: [text("[1]"), text("1 of 9")] }],
  [
    "an object that has a text",
    { text: "x", id: 1 },
    { content: [text('{"text":"x","id":1}')], structuredContent: { text: "x", id: 1 } },
  ],
])("%s goes out as it should", (_, answer, result) => {
  expect(resultOf(answer)).toEqual(result);
});

test("a refusal says that it is one, worded as text or as data", () => {
  expect(refusalOf("No")).toEqual({ content: [text("No")], isError: true });
  expect(refusalOf({ error: { code: "x" } })).toMatchObject({
    isError: true,
    structuredContent: { error: { code: "x" } },
  });
});

test("the opening block stands below the first text only", () => {
  expect(withOpening(resultOf({ text: "a", remark: "b" }), "block").content).toEqual([
    text("a\n\n---\nblock\n---"),
    text("b"),
  ]);
});

test.each([
  ["at the limit", "x".repeat(MiB), true],
  ["above it", "x".repeat(MiB + 1), false],
  ["above it in bytes only", "日".repeat(MiB / 2), false],
])("an answer %s", (_, words, passes) => {
  const send = () => bounded(plain, resultOf(words));
  if (passes) expect(send().content).toHaveLength(1);
  else expect(send).toThrowError(expect.objectContaining({ code: "too_large" }));
});

test("a whole note of 8 MiB is given, as text alone where both forms would be too long a line", () => {
  expect(bounded(whole, resultOf("x".repeat(8 * MiB))).content).toHaveLength(1);
  const result = bounded(whole, resultOf({ content: "x".repeat(8 * MiB) }));
  expect(result.structuredContent).toBeUndefined();
  expect(result.content).toHaveLength(1);
});

test("what no client could take as one line is refused", () => {
  expect(() => bounded(whole, resultOf("\u0001".repeat(2 * MiB)))).toThrowError(
    expect.objectContaining({ code: "too_large" }),
  );
});

test("words beside data: a block for each, and the data as structured content", () => {
  expect(resultOf({ text: ["head", "text of a note"], structured: { notes: [] } })).toEqual({
    content: [
      { type: "text", text: "head" },
      { type: "text", text: "text of a note" },
    ],
    structuredContent: { notes: [] },
  });
  // A tool's own object may have such a key without being one.
  const own = { text: "x", structured: {} };
  expect(resultOf(own)).toEqual({
    content: [{ type: "text", text: JSON.stringify(own) }],
    structuredContent: own,
  });
});
