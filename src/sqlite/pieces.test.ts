import { describe, expect, test } from "vitest";
import { matchPhrase, matchWords } from "./match.ts";
import { piecesOf } from "./pieces.ts";

describe("pieces of a text", () => {
  test.each([
    ["plain text, café, ёж", ""],
    ["東京都", "東京 京都 都"],
    ["東", "東"],
    ["東京。大阪", "東京 京 大阪 阪"],
    ["新しいiPhone手机 and more", "新し しい い iPhone 手机 机"],
    ["ｶﾞｷﾞ", "ガギ ギ"],
    ["한국어", "한국 국어 어"],
    ["กินข้าว", "กิน ินข นข้ ข้า ้าว าว ว"],
    ["𠮷野家", "𠮷野 野家 家"],
  ])("%j", (text, pieces) => expect(piecesOf(text)).toBe(pieces));
});

describe("words of a query", () => {
  test.each<[string, string | null]>([
    ["one two", '"one" AND "two"'],
    ['say "hi" (a*b)', '"say" AND "hi" AND "a b"'],
    ["V2.1 note-taking", '"V2 1" AND "note taking"'],
    ["東京都", 'extra : "東京 京都"'],
    ["東", 'extra : "東" *'],
    ["新iPhone", 'extra : "新" * AND "iPhone"'],
    ["NEAR AND OR NOT", '"NEAR" AND "AND" AND "OR" AND "NOT"'],
    ["!!! --", null],
    ["", null],
  ])("%j is %j", (text, expression) => expect(matchWords(text)?.expression ?? null).toBe(expression));

  test("the last may go on, the others not", () => {
    expect(matchWords("one two-thr", { prefix: true })?.expression).toBe('"one" AND "two thr" *');
    expect(matchWords("買iPh", { prefix: true })?.expression).toBe('extra : "買" * AND "iPh" *');
  });

  test("a phrase is one row of words", () => {
    expect(matchPhrase("one  two,\nthree")?.expression).toBe('"one two three"');
    expect(matchPhrase("東京 tower")?.expression).toBe('extra : "東京" AND "tower"');
  });
});
