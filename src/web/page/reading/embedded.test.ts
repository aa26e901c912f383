import { expect, test } from "vitest";
import { embedded } from "./embedded.ts";

const FRONT = "---\nstatus: open ^front\n---\n";
const TEXT = `${FRONT}# Beds

First words,
over two lines. ^words

Other words. ^2

- one ^one
- two
  goes on ^two
  - in it
    - deeper ^deep

  a paragraph of it
- three

\`\`\`
code ^none

more
\`\`\`

^code

| a | b |
| - | - |
| 1 | 2 |
^table

## Second ^heading
Below it. ^below

### Third

Words.

## Fourth
`;
const note = {
  text: TEXT,
  bodyStart: FRONT.length,
  title: "Beds",
  headings: [...TEXT.split("\n").entries()].flatMap(([at, line]) => {
    const [, signs = "", text = ""] = /^(#+) (.*)$/.exec(line) ?? [];
    return signs === "" ? [] : [{ level: signs.length, text, line: at + 1 }];
  }),
};

test.each([
  ["^words", "First words,\nover two lines."],
  ["^2", "Other words."],
  ["^ONE", "- one"],
  ["^two", "- two\n  goes on\n  - in it\n    - deeper ^deep\n\n  a paragraph of it"],
  ["^deep", "- deeper"],
  ["^code", "```\ncode ^none\n\nmore\n```"],
  ["^table", "| a | b |\n| - | - |\n| 1 | 2 |"],
  ["^heading", "## Second"],
  ["^below", "Below it."],
  ["^none", null],
  ["^front", null],
  ["^not there", null],
])("the block %s alone is embedded", (section, block) => {
  expect(embedded(note, section)).toBe(block);
  expect(
    embedded({ ...note, text: TEXT.replaceAll("\n", "\r\n"), bodyStart: FRONT.length + 3 }, section),
  ).toBe(block);
});

test("a section is embedded to the next heading of its level, and a note without its title", () => {
  expect(embedded(note, "Third")).toBe("### Third\n\nWords.\n");
  expect(embedded(note, "Second ^heading")).toMatch(/^## Second[^]*Below it[^]*Words\.\n$/);
  expect(embedded(note, "")).toMatch(/^\nFirst words,/);
  expect(embedded(note, "No such heading")).toBe(embedded(note, ""));
});
