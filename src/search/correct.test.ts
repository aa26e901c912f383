import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../test/soak-size.ts";
import { isOneAway, oneAway, openCorrections } from "./correct.ts";
import { openSql } from "../sqlite/node.ts";
import { openIndex } from "../index/note-index.ts";
import { fill, findNow } from "../notebook/suites/index-vault.ts";

test("what is one away, and what is not", () => {
  const letters = fc.array(fc.constantFrom("a", "b", "c", "z"), { minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(letters, letters, (one, other) => {
      const near = oneAway(one, Number.POSITIVE_INFINITY);
      expect(isOneAway(one, other)).toBe(near.includes(other.join("")));
      expect(isOneAway(other, one)).toBe(isOneAway(one, other));
    }),
    runs(3000),
  );
});

describe("the word that was meant", async () => {
  const sql = await openSql(":memory:");
  const index = openIndex(sql);
  const many = Object.fromEntries([1, 2, 3].map((at) => [`many ${at}.md`, "statics"]));
  fill(index, { ...many, "a.md": "interleukin cardiovascular statistics garden warden пчеловод קצר" });
  findNow(index, { ask: "x" }, { limit: 1, sort: "rank" });
  const { correctionFor } = openCorrections(sql);
  test.each([
    ["interlukin", "interleukin"],
    ["nterleukin", "interleukin"],
    ["itnerleukin", "interleukin"],
    ["xinterleukin", "interleukin"],
    ["inxerleukin", "interleukin"],
    ["interleukins", "interleukin"],
    ["intreleukin", "interleukin"],
    ["cardiovasular", "cardiovascular"],
    ["cardiovascualr", "cardiovascular"],
    ["statiics", "statics"],
    ["gardn", "garden"],
    // The first letter is seldom the wrong one.
    ["gaden", "garden"],
    ["arden", "garden"],
    ["пчелвод", "пчеловод"],
    ["пцеловод", "пчеловод"],
    ["interlekn", null],
    ["abc", null],
    ["2027", null],
  ])("of %s is %s", (word, meant) => {
    expect(correctionFor(word)).toBe(meant);
  });
});
