import { describe, expect, test } from "vitest";
import type { Held, Unread } from "../notebook/copies.ts";
import type { NotePath } from "../notebook/paths.ts";
import { readAgreed, writeLines, type Line } from "./agreed.ts";
import { planCarrying, type Left } from "./plan.ts";

const [A, B, C, D] = ["a", "b", "c", "d"].map((letter) => letter.repeat(40)) as [
  string,
  string,
  string,
  string,
];
const held = (notes: Record<string, string>): Held[] =>
  Object.entries(notes).map(([path, version]) => ({ path: path as NotePath, version, size: 1 }));
const agreedOn = (lines: Line[]) => readAgreed(writeLines(lines));
type Unreads = { source?: Unread[]; target?: Unread[] };
const planned = (
  source: Record<string, string>,
  target: Record<string, string>,
  lines: Line[] = [],
  unread: Unreads = {},
) =>
  planCarrying(
    { notes: held(source), unread: unread.source ?? [] },
    { notes: held(target), unread: unread.target ?? [] },
    agreedOn(lines),
    "there",
  );

describe("one note", () => {
  const path = "n.md";
  test.each<[string, string | null, string | null, string | null, object | null, number]>([
    ["is new in the source", A, null, null, { do: "create", path, expect: null }, 0],
    ["is new in the target", null, A, null, null, 1],
    ["has changed in the source", B, A, A, { do: "update", path, expect: A }, 0],
    ["has changed in the target", A, B, A, null, 1],
    ["is the same in both, which was not known", A, A, null, null, 0],
    ["is the same in both", A, A, A, null, 0],
    ["was removed from the source", null, A, A, { do: "remove", path, expect: A }, 0],
    ["was removed from the target", A, null, A, null, 1],
    ["was removed from the source, and changed in the target", null, B, A, null, 1],
    [
      "was removed from the target, and changed in the source",
      B,
      null,
      A,
      { do: "create", path, expect: null },
      0,
    ],
    ["was removed from both", null, null, A, null, 0],
    ["has changed in both", B, C, A, { do: "merge", path, base: A }, 0],
    ["is another in each, and nothing was agreed on", B, C, null, { do: "merge", path, base: null }, 0],
  ])("that %s", (_, s, t, base, step, waiting) => {
    const given = planned(
      s === null ? {} : { [path]: s },
      t === null ? {} : { [path]: t },
      base === null ? [] : [{ path, version: base }],
    );
    expect(given.steps).toEqual(step === null ? [] : [expect.objectContaining(step)]);
    expect(given.waiting).toBe(waiting);
    expect(given.agreed).toEqual(s === t && s !== base ? [{ path, version: s }] : []);
  });
});

describe("a note that one copy could not read is left alone", () => {
  const line = [{ path: "n.md", version: A }];
  const unread = (path: string, why: Unread["why"] = "failed"): Unread[] => [{ path, why }];
  const nothing = { steps: [], agreed: [], waiting: 0 };
  test.each<[string, Record<string, string>, Record<string, string>, Unreads, Left["in"]]>([
    ["in the source; both had it", {}, { "n.md": A }, { source: unread("n.md") }, "source"],
    ["in the source; the target has another", {}, { "n.md": B }, { source: unread("n.md") }, "source"],
    ["in the source; the target has it no more", {}, {}, { source: unread("n.md") }, "source"],
    ["in the target; the source has another", { "n.md": B }, {}, { target: unread("n.md") }, "target"],
    ["in the target; the source has it no more", {}, {}, { target: unread("n.md") }, "target"],
    ["though an old version is told", { "n.md": A }, { "n.md": B }, { source: unread("n.md") }, "source"],
  ])("%s", (_, source, target, unreads, where) => {
    const left = [{ path: "n.md", in: where, why: "failed" }];
    expect(planned(source, target, line, unreads)).toMatchObject({ ...nothing, left });
  });

  test("in a folder that may not be listed, and in no other", () => {
    const lines = ["F/a.md", "F/G/b.md", "Fa.md"].map((path) => ({ path, version: A }));
    const target = { "F/a.md": A, "F/G/b.md": A, "Fa.md": A };
    const { steps, left } = planned({}, target, lines, { source: unread("F", "closed") });
    expect(steps.map(({ path }) => path)).toEqual(["Fa.md"]);
    expect(left.map(({ path, why }) => [path, why])).toEqual([
      ["F/a.md", "closed"],
      ["F/G/b.md", "closed"],
    ]);
  });

  test("in another Unicode form; one that only the source has is named, one that only the target has is not", () => {
    const [nfc, nfd] = ["Ärger.md".normalize("NFC"), "Ärger.md".normalize("NFD")];
    const { steps, left } = planned({}, { [nfc]: A }, [{ path: nfc, version: A }], {
      source: [...unread(nfd), ...unread("alone.md", "too_large"), ...unread("closed", "closed")],
      target: unread("there alone.md"),
    });
    expect(steps).toEqual([]);
    expect(left.map(({ path, why }) => [path, why])).toEqual([
      [nfc, "failed"],
      ["alone.md", "too_large"],
      ["closed", "closed"],
    ]);
  });
});

test("a note that goes and one that comes with its text are one that was moved; two alike are not", () => {
  const lines = [{ path: "old.md", version: A }];
  expect(planned({ "new.md": A }, { "old.md": A }, lines).steps).toEqual([
    expect.objectContaining({ do: "move", path: "new.md", from: "old.md", expect: A }),
  ]);
  const two = planned({ "new.md": A, "other.md": A }, { "old.md": A }, lines);
  expect(two.steps.map((step) => step.do).toSorted()).toEqual(["create", "create", "remove"]);
});

describe("a name that changed only in case, and a text that changed", () => {
  const lines = [{ path: "Note.md", version: A }];
  test("are one move: no copy has both names beside each other", () => {
    expect(planned({ "note.md": B }, { "Note.md": A }, lines).steps).toEqual([
      expect.objectContaining({ do: "move", path: "note.md", from: "Note.md", expect: A }),
    ]);
  });

  test("the name counts more than another note with the old text", () => {
    const { steps } = planned({ "note.md": B, "other.md": A }, { "Note.md": A }, lines);
    expect(steps).toEqual([
      expect.objectContaining({ do: "move", path: "note.md", from: "Note.md" }),
      expect.objectContaining({ do: "create", path: "other.md" }),
    ]);
  });
});

test("names in two Unicode forms are one note, which keeps the form that each side has", () => {
  const [nfc, nfd] = ["Ärger.md".normalize("NFC"), "Ärger.md".normalize("NFD")];
  const { steps } = planned({ [nfd]: B }, { [nfc]: A }, [{ path: nfd, version: A }]);
  expect(steps).toEqual([expect.objectContaining({ do: "update", path: nfc })]);
  // Beside each other they are two, of which no copy takes both.
  for (const both of [
    { [nfc]: A, [nfd]: B },
    { [nfd]: B, [nfc]: A },
  ])
    for (const line of [[], [{ path: nfc, version: B }]]) {
      const given = planned(both, {}, line);
      expect(given.steps).toEqual([expect.objectContaining({ do: "create", path: nfc })]);
      expect(given.refused).toEqual([{ path: nfd, reason: expect.stringContaining("only in spelling") }]);
      expect(given.waiting).toBe(0);
    }
  // The one that was carried stays agreed on.
  const again = planned({ [nfc]: A, [nfd]: B }, { [nfc]: A }, [{ path: nfc, version: A }]);
  expect([again.steps, again.agreed, again.waiting]).toEqual([[], [], 0]);
  expect(again.refused.map(({ path }) => path)).toEqual([nfd]);
});

describe("names that the target would not take are told without asking it", () => {
  test.each<[string, Record<string, string>, Record<string, string>, RegExp]>([
    [
      "a note that differs only in case",
      { "note.md": A },
      { "Note.md": B, "x.md": C },
      /already a note "Note.md"/,
    ],
    ["two that come", { "n/Two.md": A, "n/two.md": B }, {}, /already a note "n\/Two.md"/],
    [
      "a folder that is spelled otherwise",
      { "daily/a.md": A },
      { "Daily/b.md": B },
      /There is a folder "Daily"/,
    ],
    ["a name that means no note", { "a\\b.md": A }, {}, /has a backslash/],
  ])("%s", (_, source, target, reason) => {
    const { steps, refused } = planned(source, target);
    expect(refused).toEqual([{ path: Object.keys(source).at(-1), reason: expect.stringMatching(reason) }]);
    expect(steps.map(({ path }) => path)).toEqual(Object.keys(source).slice(0, -1));
  });

  test("a folder that both have in two spellings is none of them; a folder is not respelled by a move", () => {
    const target = { "Daily/b.md": B, "daily/c.md": C };
    const both = { "daily/a.md": A, "Daily/d.md": D };
    expect(planned({ ...target, ...both }, target).refused).toEqual([]);
    const moved = planned({ "folder/a.md": B }, { "Folder/a.md": A }, [{ path: "Folder/a.md", version: A }]);
    expect([moved.steps, moved.refused.map(({ reason }) => reason)]).toEqual([
      [],
      ["The spelling of a folder cannot be changed by moving a note."],
    ]);
  });
});

describe("what was agreed on", () => {
  test("the last line of a note counts, and one that was cut short does not", () => {
    const text = writeLines([
      { path: "n.md", version: A },
      { path: "n.md", version: B },
      { path: "gone.md", version: A },
      { path: "gone.md", version: null },
    ]);
    const agreed = readAgreed(`${text}{"path":"n.md","vers`);
    expect(agreed.lines()).toEqual([{ path: "n.md", version: B }]);
    for (const odd of ["[]", "null", '{"path":1}', '{"path":"n.md","version":"x"}', "x"])
      expect(readAgreed(`${text}${odd}\n`).lines()).toEqual([{ path: "n.md", version: B }]);
  });

  test("a merge that was written down counts once its text is where it was to be", () => {
    const agreed = agreedOn([
      { path: "n.md", version: A },
      { path: "n.md", version: B, merged: D, at: "there" },
    ]);
    expect(agreed.version("n.md", { here: B, there: C })).toBe(A);
    expect(agreed.version("n.md", { here: B, there: D })).toBe(B);
    expect(agreed.version("n.md", { here: D, there: C })).toBe(A);
  });
});
