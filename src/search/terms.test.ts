import fc from "fast-check";
import { expect, test } from "vitest";
import { openAnalyzer } from "./analyzer.ts";
import type { WordReader } from "./terms.ts";

type Walk = WordReader["eachNumberOfWhole"];
const { eachNumber, eachNumberOfWhole } = openAnalyzer().words;
const found = (walk: Walk, text: string): [number, number, number][] => {
  const all: [number, number, number][] = [];
  walk(text, (...each) => all.push(each));
  return all;
};

test("a long text has the words it has as a short one, where they were", () => {
  const texts = fc.oneof(
    fc.string(),
    fc.string({ unit: "binary" }),
    fc.string({ unit: fc.constantFrom("a", "B", "1", " ", "\n", "_", "é", "東", "\ud800", "😀") }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      expect(found(eachNumberOfWhole, text)).toEqual(found(eachNumber, text));
    }),
    { numRuns: 500 },
  );
  for (const times of [1000, 5000]) {
    const long = "Some words_of 12 letters, again. ".repeat(times);
    expect(found(eachNumberOfWhole, long)).toEqual(found(eachNumber, long));
  }
});
