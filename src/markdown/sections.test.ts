import { describe, expect, test } from "vitest";
import { parseNote } from "./note.ts";
import { headingsOf, sectionOf, sectionsOf, type SectionName } from "./sections.ts";

const NOTE = `---
title: x
---
intro
# One
a

## Two
b
### Three
c
> # Quoted
> d

Two
---
e
# one
f
`;

const cut = (name: SectionName, text = NOTE): string | null => {
  const section = sectionOf(text, headingsOf(text), name);
  return (
    section &&
    `${text.slice(section.start, section.contentStart)}|${text.slice(section.contentStart, section.end)}`
  );
};

describe("sectionOf", () => {
  test.each<[string, SectionName, string | null]>([
    [
      "to the next of its level",
      { text: "One" },
      "# One\n|a\n\n## Two\nb\n### Three\nc\n> # Quoted\n> d\n\nTwo\n---\ne\n",
    ],
    ["the first that fits", { text: "Two" }, "## Two\n|b\n### Three\nc\n> # Quoted\n> d\n\n"],
    ["to a higher one, quoted headings passed over", { text: "Three" }, "### Three\n|c\n> # Quoted\n> d\n\n"],
    ["to the end of the text", { text: "one" }, "# one\n|f\n"],
    ["case folded", { text: "THREE", folded: true }, "### Three\n|c\n> # Quoted\n> d\n\n"],
    ["case kept", { text: "THREE" }, null],
    ["of that level", { text: "Two", level: 2 }, "## Two\n|b\n### Three\nc\n> # Quoted\n> d\n\n"],
    ["not of another level", { text: "Two", level: 3 }, null],
    ["the second that fits", { text: "Two", nth: 1 }, "Two\n---\n|e\n"],
    ["no third", { text: "Two", nth: 2 }, null],
    ["quoted headings rule nothing", { text: "Quoted" }, null],
    ["none", { text: "Four" }, null],
  ])("%s", (_, name, expected) => expect(cut(name)).toBe(expected));

  test.each<[string, string]>([
    ["# a", "# a|"],
    ["# a\r\nb\r\n", "# a\r\n|b\r\n"],
    ["a\n===\nb", "a\n===\n|b"],
    ["x\n\na\na\n=\n# c", "a\na\n=\n|"],
  ])("%j", (text, expected) => {
    const name = { text: headingsOf(text)[0]!.text };
    expect(cut(name, text)).toBe(expected);
  });
});

test("all sections are those found one by one", () => {
  const headings = headingsOf(NOTE);
  const own = headings.filter((each) => !each.nested);
  const nth = (at: number) => own.slice(0, at).filter((each) => each.text === own[at]!.text).length;
  expect(sectionsOf(headings, () => NOTE.length)).toEqual(
    own.map((each, at) => sectionOf(NOTE, headings, { text: each.text, nth: nth(at) })),
  );
});

test("headings say where they stand", () => {
  const text = "---\na: b\n---\n\n> # q\n\n[r]: x\nset\next\n===\n## end";
  expect(headingsOf(text).map((each) => [each.kind, each.line, text.slice(each.start, each.end)])).toEqual([
    ["atx", 5, "> # q\n"],
    ["setext", 8, "set\next\n===\n"],
    ["atx", 11, "## end"],
  ]);
});

test("the first sections of a note are those of all of them, however many are asked for", () => {
  const text =
    "---\na: 1\n---\n# A\n> # quoted\n## B\n- # listed\ntext\n\nC\n=\n### D ###\n\ntwo\nlines\n---\n# \n#\n# E";
  const note = parseNote(text);
  const own = note.headings.filter((heading) => !heading.nested);
  expect(own.length).toBe(8);
  expect(note.sectionCount()).toBe(8);
  const all = own.map((heading, at) => ({
    heading,
    start: heading.start,
    contentStart: heading.end,
    end: own.find((each, place) => place > at && each.level <= heading.level)?.start ?? text.length,
  }));
  for (let count = 0; count <= 9; count++)
    expect(note.firstSections(count), `${count}`).toEqual(all.slice(0, count));
});
