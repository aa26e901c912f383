import { expect, test } from "vitest";
import type { Revision } from "../../wire.ts";
import { groupsOf, notesIn } from "./groups.ts";

const made = (author: string, minutes: number, ...paths: string[]): Revision => ({
  id: `${author} ${minutes}`,
  date: new Date(Date.UTC(2026, 10, 18, 12, 0) - minutes * 60_000).toISOString(),
  author,
  outside: false,
  tool: null,
  acceptedBy: null,
  message: "",
  deed: [],
  notes: paths.map((path) => ({ path, done: "edited", added: 1, removed: 0 })),
  touched: paths.length,
  followed: 0,
});

test("what one client did within half an hour is one group, whoever else wrote in between", () => {
  const groups = groupsOf([
    made("Claude", 0, "a.md"),
    made("You", 5, "b.md"),
    made("Claude", 10, "a.md", "c.md"),
    made("Claude", 31, "d.md"),
  ]);
  expect(groups.map(({ author, revisions }) => [author, revisions.length])).toEqual([
    ["Claude", 2],
    ["You", 1],
    ["Claude", 1],
  ]);
  expect(notesIn(groups[0]!)).toBe(2);
});
