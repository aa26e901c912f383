import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "../../test/soak-size.ts";
import { parseNote } from "./note.ts";

test("everything, found at once", () => {
  const note = parseNote(
    "---\ntitle: T\ntags: [a]\naliases: [x, y]\n---\n# H\n\ntext #b [[c]] ^id-1\n\n- item ^id-2\n",
  );
  expect(note).toMatchObject({
    title: "T",
    tags: { fields: ["a"], inline: ["b"] },
    aliases: ["x", "y"],
    headings: [{ level: 1, text: "H", line: 6 }],
    links: [{ target: "c", line: 8 }],
    blocks: ["id-1", "id-2"],
  });
  expect(note.front).toMatchObject({ bodyLine: 6, trouble: null });
});

describe("title", () => {
  test.each<[string, string | null]>([
    ["---\ntitle: T\n---\n# H", "T"],
    ["---\ntitle: 1984\n---\n# H", "1984"],
    ["---\ntitle: ' '\n---\n# H", "H"],
    ["---\ntitle: [a]\n---\n# H", "H"],
    ["---\ntitle:\n---\n", null],
    ["# H\n\n# I", "H"],
    ["\uFEFF\r\n \t\r\n# H #\r\n", "H"],
    ["---\ntags: a\n---\n\n\n  # H", "H"],
    ["H\n===", "H"],
    ["\nH\nI\n===", "H I"],
    ["H\n---", null],
    ["## H", null],
    ["## H\n\n# I", null],
    ["text\n\n# H", null],
    ["<!-- c -->\n# H", null],
    ["[a]: b\n# H", null],
    ["[a]: b\nH\n===", null],
    ["> # Q", null],
    ["> # Q\n\n# H", null],
    ["- # Q", null],
    ["#\n# H", null],
    ["    # H", null],
    ["text", null],
    ["", null],
  ])("%j", (text, expected) => expect(parseNote(text).title).toBe(expected));
});

describe("aliases", () => {
  test.each<[string, string[]]>([
    ["aliases: [a, b c]", ["a", "b c"]],
    ["aliases: a, b c", ["a", "b c"]],
    ["alias: a", ["a"]],
    ["aliases:\n  - Smith, John\n  - 7", ["Smith, John", "7"]],
    ["aliases:", []],
  ])("%j", (yaml, expected) => expect(parseNote(`---\n${yaml}\n---\n`).aliases).toEqual(expected));
});

describe("block ids", () => {
  test.each<[string, string[]]>([
    ["text ^a1", ["a1"]],
    ["text\nmore ^a-b  \n", ["a-b"]],
    ["text ^a\nmore", []],
    ["^a", ["a"]],
    ["x^2", []],
    ["text ^a_b", []],
    ["- a ^x\n- b ^y", ["x", "y"]],
    ["> q\n\n^x", ["x"]],
    ["| a |\n|-|\n| b |\n^x", ["x"]],
    ["`text ^a`", []],
    ["`x` ^a", ["a"]],
    ["\\^a", []],
    ["```\n^a\n```", []],
    ["text %% ^a", ["a"]],
    ["text %% ^a %%", []],
  ])("%j", (text, expected) => expect(parseNote(text).blocks).toEqual(expected));
});

test("any text at all can be read, and every offset lies in it", () => {
  const units = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes));
  const marks = fc
    .array(fc.constantFrom(..."#>-*`~<!%$[]()|\\:'\"=_ \t\r\n\0\uFEFFa1^é", "---\n", "\ud800"), {
      maxLength: 60,
    })
    .map((all) => all.join(""));
  fc.assert(
    fc.property(fc.oneof(units, marks, fc.string({ unit: "binary" })), (text) => {
      const note = parseNote(text);
      for (const { start, end, targetStart, targetEnd } of note.links) {
        expect(0 <= start && start < targetStart && targetStart < targetEnd && targetEnd <= end).toBe(true);
        expect(end).toBeLessThanOrEqual(text.length);
      }
      for (const { start, end, line } of note.headings) {
        expect(start < end && end <= text.length).toBe(true);
        expect(text.slice(0, start).split("\n").length).toBe(line);
      }
    }),
    runs(5000),
  );
});
