import { describe, expect, test } from "vitest";
import type { Held } from "../notebook/copies.ts";
import type { NotePath } from "../notebook/paths.ts";
import { readAgreed, writeLines, type Line } from "./agreed.ts";
import { planCarrying } from "./plan.ts";

const [A, B, C, D] = ["a", "b", "c", "d"].map((letter) => letter.repeat(40)) as [
  string,
  string,
  string,
  string,
];
const held = (notes: Record<string, string>): Held[] =>
  Object.entries(notes).map(([path, version]) => ({ path: path as NotePath, version, size: 1 }));
const agreedOn = (lines: Line[]) => readAgreed(writeLines(lines));
const planned = (source: Record<string, string>, target: Record<string, string>, lines: Line[] = []) =>
  planCarrying(held(source), held(target), agreedOn(lines), "there");

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
  // Beside each other they are two.
  expect(planned({ [nfc]: A, [nfd]: B }, {}).steps.map(({ path }) => path)).toEqual([nfc, nfd]);
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
