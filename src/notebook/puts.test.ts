import { describe, expect, test } from "vitest";
import type { Put } from "./parts.ts";
import { factsNeeded, planPuts, type Facts } from "./puts.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const put = (path: string, text: string | null, more: object = {}) =>
  ({ path, bytes: text === null ? null : utf8(text), ...more }) as Put;
/** The version of a text is the text itself, here. */
const versionOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const operations = (puts: Put[], files: Record<string, string>, twins: Record<string, string> = {}) => {
  const there = ([path, version]: [string, string]) => [path, { version, inode: path }] as const;
  const facts: Facts = {
    files: new Map(Object.entries(files).map(there)),
    twins: new Map(Object.entries(twins)),
  };
  return planPuts(puts, facts, versionOf).map((it) => [
    it.do,
    it.path,
    ...(it.do === "place" ? [it.old, it.new, it.bytes === null ? it.like : "new bytes"] : []),
  ]);
};

describe("what has to be looked up", () => {
  test.each<[string, Put[], [string, string | null][], string[]]>([
    ["an edit of one note is believed", [put("a.md", "2", { expect: "1" })], [["a.md", "1"]], []],
    ["a new note", [put("a.md", "1", { expect: "absent" })], [["a.md", null]], ["a.md"]],
    ["a note that may be there or not", [put("a.md", "1")], [["a.md", null]], ["a.md"]],
    [
      "of several nothing is believed",
      [put("a.md", "2", { expect: "1" }), put("b.md", "2", { expect: "1" })],
      [
        ["a.md", null],
        ["b.md", null],
      ],
      [],
    ],
    [
      "a move",
      [put("b.md", "1", { from: "a.md", expect: "1" })],
      [
        ["b.md", null],
        ["a.md", null],
      ],
      ["b.md"],
    ],
    [
      "another spelling is no new name",
      [put("A.md", "1", { from: "a.md" })],
      [
        ["A.md", null],
        ["a.md", null],
      ],
      [],
    ],
    [
      "a removal",
      [put("a.md", null, { trash: ".trash/a.md" })],
      [
        ["a.md", null],
        [".trash/a.md", null],
      ],
      [".trash/a.md"],
    ],
  ])("%s", (_, puts, files, names) => {
    const needed = factsNeeded(puts);
    expect([[...needed.files], [...needed.newNames]]).toEqual([files, names]);
  });

  test("a path that is no note's is refused before anything is looked up", () => {
    expect(() => factsNeeded([put("../a.md", "1")])).toThrow("does not name a note");
    expect(() => factsNeeded([put(".notewright/a.md", "1")])).toThrow("does not name a note");
  });
});

describe("planned on facts", () => {
  test("places come before respellings, and those before removals", () => {
    const puts = [
      put("a.md", null),
      put("B.md", "1", { from: "b.md" }),
      put("d.md", "1", { from: "c.md" }),
      put("e.md", "2", { expect: "1" }),
    ];
    expect(operations(puts, { "a.md": "1", "b.md": "1", "c.md": "1", "e.md": "1" })).toEqual([
      ["place", "d.md", null, "1", "c.md"],
      ["place", "e.md", "1", "2", "new bytes"],
      ["respell", "B.md"],
      ["remove", "a.md"],
      ["remove", "c.md"],
    ]);
  });

  test("a new name may be one that the same list gives up", () => {
    const puts = [put("b.md", "1", { from: "a.md" }), put("a.md", "2", { expect: "absent" })];
    expect(operations(puts, { "a.md": "1" })).toEqual([
      ["place", "b.md", null, "1", "a.md"],
      ["place", "a.md", "1", "2", "new bytes"],
    ]);
  });

  test.each<[string, Put[], Record<string, string>, Record<string, string>, string]>([
    ["stale", [put("a.md", "3", { expect: "1" })], { "a.md": "2" }, {}, "version_conflict"],
    ["taken", [put("a.md", "3", { expect: "absent" })], { "a.md": "2" }, {}, "version_conflict"],
    ["missing", [put("a.md", null)], {}, {}, "note_missing"],
    ["a twin there", [put("a.md", "1")], {}, { "a.md": "A.md" }, "note_exists"],
    ["a folder's twin", [put("f/a.md", "1")], {}, { "f/a.md": "F" }, "path_refused"],
    ["twins in one list", [put("a.md", "1"), put("A.md", "1")], {}, {}, "note_exists"],
  ])("refused: %s", (_, puts, files, twins, code) => {
    expect(() => operations(puts, files, twins)).toThrow(expect.objectContaining({ code }));
  });
});
