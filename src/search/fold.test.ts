import { expect, test } from "vitest";
import { foldText, foldWords } from "./fold.ts";

test("no character folds to another length", () => {
  for (let code = 1; code < 0x11_0000; code++) {
    const letter = String.fromCodePoint(code);
    if (foldText(letter).length !== letter.length || foldWords(letter).length !== letter.length)
      expect.fail(`U+${code.toString(16)} changes its length`);
  }
});

test.each([
  ["ΟΔΟΣ ΟΔΟΣΗ", "οδοσ οδοση", "οδοσ οδοση"],
  ["Crème BRÛLÉE", "crème brûlée", "creme brulee"],
  ["İĞÜ", "iğü", "igu"],
  ["한글 が", "한글 が", "한글 か"],
  ["ÅÄÖ ø ß", "åäö ø ß", "aao ø ß"],
])("%j", (text, folded, words) => {
  expect(foldText(text)).toBe(folded);
  expect(foldWords(text)).toBe(words);
});
