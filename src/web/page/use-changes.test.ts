import { expect, test } from "vitest";
import type { Changes, Revision } from "../wire.ts";
import { answered, hear, PAGE, withTold, type Told } from "./use-changes.ts";

const made = (number: number): Revision => ({
  id: `r${number}`,
  date: new Date(number * 1000).toISOString(),
  author: "ada",
  outside: false,
  tool: null,
  acceptedBy: null,
  message: "",
  deed: [],
  followed: 0,
  notes: [],
  touched: 1,
});
/** Newest first, from one number down to another. */
const down = (from: number, to: number): Revision[] =>
  Array.from({ length: from - to + 1 }, (_, at) => made(from - at));
const list = (revisions: Revision[], more = false): Changes => ({ revisions, more });
/** As it was told one after the other, given newest first. */
const toldOf = (revisions: Revision[]): Told =>
  revisions.toReversed().reduce((told: Told, revision) => hear(told, { kind: "revision", revision }, 1), []);

test.each([
  ["nothing was told", list(down(3, 1)), [], list(down(3, 1))],
  ["one was told", list(down(3, 1)), down(4, 4), list(down(4, 1))],
  ["the answer has some of it", list(down(5, 1)), down(6, 4), list(down(6, 1))],
  [
    "one by another program has the date of its file",
    list(down(8, 7)),
    [made(5), made(9)],
    list([made(5), made(9), ...down(8, 7)]),
  ],
  ["the list was empty", list([]), down(2, 1), list(down(2, 1))],
  ["the page is full", list(down(40, 1)), down(42, 41), list(down(42, 3), true)],
])("%s", (_, changes, told, shown) => {
  expect(withTold(changes, toldOf(told))).toEqual(shown);
  expect(shown.revisions.length).toBeLessThanOrEqual(PAGE);
});

test("what was told before the list was asked for again is in the answer, or too far down for it", () => {
  const told = toldOf(down(20, 10));
  const since = hear(told, { kind: "revision", revision: made(91) }, 2);
  const answer = list(down(90, 51), true);
  expect(withTold(answer, answered(told, 2))).toEqual(answer);
  expect(withTold(answer, answered(since, 2)).revisions.slice(0, 2)).toEqual(down(91, 90));
});
