import { describe, expect, test } from "vitest";
import { anchorsOf, missingIn } from "./anchors.ts";
import { parseNote } from "./note.ts";

const TEXT = `# Plan

## Goals: first & second

### What's *new*?

> ## In a quote

## C# and F#

## Goals

### [[Home|Deep]] - one_two

A paragraph. ^block-1

- item ^Item2

\`\`\`
## no heading
no block ^code
\`\`\`
`;
const there = anchorsOf(parseNote(TEXT))!;

describe("an anchor of a wikilink", () => {
  test.each<[string, "heading" | "block" | null]>([
    ["#Goals", null],
    ["#goals", null],
    ["#Goals first second", null],
    ["# Goals:   first & second", null],
    ["#What's new", null],
    ["#In a quote", null],
    ["#C# and F#", null],
    ["#Home Deep - one_two", null],
    ["#Plan#Goals", null],
    ["#Goals#Home Deep - one_two", null],
    ["#Plan#Home Deep - one_two", null],
    ["#Goals#Plan", "heading"],
    ["#C and F#Home Deep - one_two", "heading"],
    ["#Nope", "heading"],
    ["#no heading", "heading"],
    ["#goals-first--second", "heading"],
    ["#Goals%3A first & second", "heading"],
    ["#^block-1", null],
    ["#^ITEM2", null],
    ["#Goals#^block-1", null],
    ["#^nope", "block"],
    ["#^code", "block"],
    ["#page=3", null],
    ["#height=400", null],
    ["#", null],
  ])("%s", (anchor, missing) => {
    expect(missingIn(there, { anchor, form: "wiki" })).toBe(missing);
  });
});

describe("an anchor of a Markdown link", () => {
  test.each<[string, "heading" | "block" | null]>([
    ["#Goals", null],
    ["#Goals%3A%20first%20%26%20second", null],
    ["#goals-first--second", null],
    ["#whats-new", null],
    ["#deep---one_two", null],
    ["#c-and-f", null],
    ["#goals-1", "heading"],
    ["#nope", "heading"],
    ["#%5Eblock-1", null],
    ["#^nope", "block"],
    ["#page=2", null],
    ["#%zz", "heading"],
  ])("%s", (anchor, missing) => {
    expect(missingIn(there, { anchor, form: "markdown" })).toBe(missing);
  });

  test("counts headings of the same words as GitHub does", () => {
    const twice = anchorsOf(parseNote("# A\n\n# A\n\n# a\n"))!;
    expect([...twice.slugs]).toEqual(["a", "a-1", "a-2"]);
  });
});

test("a note with more headings than anybody writes is not looked through", () => {
  expect(anchorsOf(parseNote("# a\n".repeat(20_001)))).toBeNull();
});
