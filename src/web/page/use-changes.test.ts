import { expect, test } from "vitest";
import type { Changes, Revision } from "../wire.ts";
import { PAGE, withTold } from "./use-changes.ts";

const made = (number: number): Revision => ({
  id: `r${number}`,
  date: new Date(number * 1000).toISOString(),
  author: "ada",
  outside: false,
  tool: null,
  acceptedBy: null,
  message: "",
  notes: [],
  touched: 1,
});
/** Newest first, from one number down to another. */
const down = (from: number, to: number): Revision[] =>
  Array.from({ length: from - to + 1 }, (_, at) => made(from - at));
const list = (revisions: Revision[], more = false): Changes => ({ revisions, more });

test.each([
  ["nothing was told", list(down(3, 1)), [], list(down(3, 1))],
  ["one was told", list(down(3, 1)), down(4, 4), list(down(4, 1))],
  ["the answer has some of it", list(down(5, 1)), down(6, 4), list(down(6, 1))],
  ["the answer is newer than all of it", list(down(90, 51), true), down(20, 10), list(down(90, 51), true)],
  ["the list was empty", list([]), down(2, 1), list(down(2, 1))],
  ["the page is full", list(down(40, 1)), down(42, 41), list(down(42, 3), true)],
])("%s", (_, changes, told, shown) => {
  expect(withTold(changes, told)).toEqual(shown);
  expect(shown.revisions.length).toBeLessThanOrEqual(PAGE);
});
