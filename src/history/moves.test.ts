/** Which notes were moved by another program: found by what they hold, and by where their neighbours went. */

import { expect, test } from "vitest";
import { noteOf } from "../notebook/suites/scribe.ts";
import { movesAmong } from "./moves.ts";

/** Texts by path, before and after; those that are in only one of them went or came. */
function moves(
  before: Record<string, string>,
  after: Record<string, string>,
  seen: Record<string, string> = {},
) {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const version = (text: string) => noteOf("x.md", text).version;
  return movesAmong(
    new Map(paths.map((path) => [path, path in before ? version(before[path]!) : null])),
    new Map(paths.map((path) => [path, path in after ? noteOf(path, after[path]!) : null])),
    new Map(Object.entries(seen).map(([path, text]) => [path, version(text)])),
  )
    .map((pair) => pair.join(" → "))
    .toSorted();
}

test("a note with the very same content", () => {
  expect(moves({ "a.md": "1" }, { "b/c.md": "1" })).toEqual(["a.md → b/c.md"]);
  expect(moves({ "a.md": "1" }, { "b.md": "2" })).toEqual([]);
  expect(moves({ "a.md": "1", "b.md": "1" }, { "c.md": "1" })).toEqual([]);
});

test("a whole folder, into a new one or deeper, with notes that are alike and one that was edited", () => {
  const before = {
    "old/1.md": "one",
    "old/2.md": "",
    "old/in/2.md": "",
    "old/in/3.md": "three",
    "old/4.md": "4",
  };
  const after = (to: string) => ({
    [`${to}/1.md`]: "one",
    [`${to}/2.md`]: "",
    [`${to}/in/2.md`]: "",
    [`${to}/in/3.md`]: "three",
    [`${to}/4.md`]: "4, edited",
  });
  for (const to of ["new", "deep/er/new"])
    expect(moves(before, after(to))).toEqual(
      ["1.md", "2.md", "4.md", "in/2.md", "in/3.md"].map((rest) => `old/${rest} → ${to}/${rest}`),
    );
});

test("notes that are alike keep their names where nothing else tells", () => {
  expect(moves({ "a/1.md": "", "a/2.md": "" }, { "b/1.md": "", "c/2.md": "" })).toEqual([
    "a/1.md → b/1.md",
    "a/2.md → c/2.md",
  ]);
  expect(moves({ "a/1.md": "", "b/1.md": "" }, { "c/1.md": "", "d/1.md": "" })).toEqual([]);
});

test("a note is known by what it was last seen with, not only by what was recorded", () => {
  expect(moves({ "a.md": "recorded" }, { "b.md": "typed since" }, { "a.md": "typed since" })).toEqual([
    "a.md → b.md",
  ]);
});

test("what stays behind in a folder keeps nothing from being moved, but an edited note is then another", () => {
  expect(
    moves(
      { "a/1.md": "1", "a/2.md": "2", "a/3.md": "3" },
      { "b/1.md": "1", "b/2.md": "other", "a/3.md": "3 too" },
    ),
  ).toEqual(["a/1.md → b/1.md"]);
});
