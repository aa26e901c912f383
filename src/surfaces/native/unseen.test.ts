import { expect, test } from "vitest";
import { unseenWarning } from "./unseen.ts";

test.each([
  ["plain text\r\nwith a\ttab\n"],
  ["\uFEFFa BOM at the beginning"],
  ["a family 👨‍👩‍👧, a flag 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}, a heart ❤️"],
  ["نمی‌خواهم, क्‍ष"],
  ["日本語 и кириллица, שלום"],
])("%j holds nothing to warn of", (text) => expect(unseenWarning(text)).toBeNull());

test.each([
  ["a\u200bb", "1 invisible or direction-turning character: U+200B on line 1"],
  ["one\ntwo \u202egnp.exe\n", "U+202E on line 2"],
  [
    "x\u{e0041}\u{e0042}",
    "2 invisible or direction-turning characters: U+E0041 on line 1, U+E0042 on line 1",
  ],
  ["\u001b[31mred", "U+001B on line 1"],
  ["a\u200dn", "U+200D on line 1"],
  ["mid\uFEFFdle", "U+FEFF on line 1"],
  ["\u200b\n\u200b", "U+200B 2 times, first on line 1"],
])("%j is warned of", (text, warning) => expect(unseenWarning(text)).toContain(warning));

test("lines are counted from where the text begins in its file", () => {
  expect(unseenWarning("a\nb\u200b", 40)).toContain("U+200B on line 41");
});

test("a text full of them takes one pass", () => {
  expect(unseenWarning("\u200b\n".repeat(200_000))).toContain("200000 invisible");
});
