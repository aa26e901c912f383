import { expect, test } from "vitest";
import { atOnce } from "./steps.ts";
import { tagLines } from "./tag-places.ts";

const linesOf = (text: string, wanted: string[], most = 10) =>
  Object.fromEntries(atOnce(tagLines(text, (tag) => wanted.includes(tag), most)));

test("the lines of tags in the text, and of no others", () => {
  const text =
    "---\ntags: [a]\n---\n#a one\r\n\r\n`#a` and \\#a\n\n```\n#a\n```\n\n| #a | #b |\n|---|---|\n| #c | #a |\n";
  expect(linesOf(text, ["a"])).toEqual({ a: [4, 12, 14] });
  expect(linesOf(text, ["b", "c"])).toEqual({ b: [12], c: [14] });
  expect(linesOf(text, ["a", "none"], 2)).toEqual({ a: [4, 12] });
  expect(linesOf("", ["a"])).toEqual({});
});
