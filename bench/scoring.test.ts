import { expect, test } from "vitest";
import { meanOf, scoresOf, shareOf } from "./scoring.ts";
import { mistyped } from "./typing-errors.ts";

const grades = new Map([
  ["a", 3],
  ["b", 1],
]);

test.each([
  [["a", "b"], { ndcg: 1, recall5: 1, recall10: 1, recall100: 1, mrr: 1 }],
  [[], { ndcg: 0, recall5: 0, recall10: 0, recall100: 0, mrr: 0 }],
  // (1 + 3 / log2 3) / (3 + 1 / log2 3)
  [["b", "a"], { ndcg: 0.7967, recall5: 1, recall10: 1, recall100: 1, mrr: 1 }],
  [["x", "b", "y", "z", "u", "a"], { ndcg: 0.4681, recall5: 0.5, recall10: 1, recall100: 1, mrr: 0.5 }],
  [
    ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "a"],
    { ndcg: 0, recall5: 0, recall10: 0, recall100: 0.5, mrr: 0.0909 },
  ],
])("%j beside what was judged", (ranked, expected) => {
  for (const [name, value] of Object.entries(scoresOf(ranked, grades)))
    expect([name, value]).toEqual([name, expect.closeTo(expected[name as keyof typeof expected], 4)]);
});

test("means and shares", () => {
  const mean = meanOf([scoresOf(["a", "b"], grades), scoresOf([], grades)]);
  expect(mean).toEqual({ ndcg: 0.5, recall5: 0.5, recall10: 0.5, recall100: 0.5, mrr: 0.5 });
  const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
  expect([shareOf(hundred, 0.5), shareOf(hundred, 0.95), shareOf([7], 0.95)]).toEqual([50, 95, 7]);
});

test("a typing error: one, in the longest word, the same each time", () => {
  const queries = Array.from({ length: 300 }, (_, at) => `how many panthers ${at} did it`);
  const words = queries.map((query) => {
    const found = mistyped(query)!;
    expect(found).toBe(mistyped(query));
    expect(found).toMatch(/^how many p\S+ \d+ did it$/);
    const word = found.split(" ")[2]!;
    expect(word).not.toBe("panthers");
    expect(Math.abs(word.length - 8)).toBeLessThan(2);
    return word;
  });
  // Every kind of it, at every place.
  expect(new Set(words).size).toBeGreaterThan(30);
  expect(new Set(words.map((word) => word.length))).toEqual(new Set([7, 8, 9]));
  expect(mistyped("wer ist es")).toBe(null);
  expect(mistyped("今日の天気予報")).not.toBe("今日の天気予報");
});
