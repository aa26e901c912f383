import { describe, expect, test } from "vitest";
import { parseNote } from "./note.ts";

/** `2 text` for each heading; `>` before one inside a quote or list. */
const headings = (text: string): string[] =>
  parseNote(text).headings.map(({ level, text: words, nested }) => `${nested ? ">" : ""}${level} ${words}`);
const links = (text: string): string[] => parseNote(text).links.map((link) => link.target);

describe("ATX headings", () => {
  test.each<[string, string[]]>([
    ["# a\n## b\n###### f", ["1 a", "2 b", "6 f"]],
    ["####### g", []],
    ["#tag", []],
    ["#", ["1 "]],
    ["#\ta", ["1 a"]],
    ["   # a", ["1 a"]],
    ["    # a", []],
    ["x\n    # a", []],
    ["x\n# a\ny", ["1 a"]],
    ["# a #", ["1 a"]],
    ["## a ##########   ", ["2 a"]],
    ["# a#", ["1 a#"]],
    ["# a \\#", ["1 a \\#"]],
    ["### ###", ["3 "]],
    ["# A *b* ##", ["1 A *b*"]],
    ["\\# a", []],
    ["# a\r\n## b\r\n", ["1 a", "2 b"]],
    ["\uFEFF# a", ["1 a"]],
  ])("%j", (text, expected) => expect(headings(text)).toEqual(expected));
});

describe("setext headings", () => {
  test.each<[string, string[]]>([
    ["a\n===", ["1 a"]],
    ["a\n-", ["2 a"]],
    ["a\nb\n===", ["1 a b"]],
    ["a\n   ===   ", ["1 a"]],
    ["a\n    ===", []],
    ["a\n= =", []],
    ["a\n--- -", []],
    ["a\n\n===", []],
    ["===\na", []],
    ["- a\n---", []],
    ["> a\n---", []],
    ["> a\n===", []],
    ["> a\n> ===", [">1 a"]],
    ["- a\n  ===", [">1 a"]],
    ["> a\nb\n> ===", [">1 a b"]],
    ["[x]: y\n===", []],
    ["[x]: y\na\n===", ["1 a"]],
    ["`a\n---\n`", ["2 `a"]],
    ["```\na\n===\n```", []],
    ["| a |\n|---|\n| b |\n---", []],
  ])("%j", (text, expected) => expect(headings(text)).toEqual(expected));
});

describe("quotes and lists", () => {
  test.each<[string, string[]]>([
    ["> # a", [">1 a"]],
    [">> # a", [">1 a"]],
    [">     # a", []],
    ["- # a", [">1 a"]],
    ["-     # a", []],
    ["- a\n\n  # b", [">1 b"]],
    ["- a\n\n# b", ["1 b"]],
    ["- a\n\n    # b", [">1 b"]],
    ["- a\n\n      # b", []],
    ["10. a\n\n    # b", [">1 b"]],
    ["10. a\n\n   # b", ["1 b"]],
    ["1. a\n   - b\n     # c", [">1 c"]],
    ["x\n2. # a", []],
    ["x\n1. # a", [">1 a"]],
    ["- x\n2. # a", [">1 a"]],
    ["-\n  # a", [">1 a"]],
    ["-\n\n  # a", ["1 a"]],
    ["-\t# a", [">1 a"]],
    ["- a\n\t# b", [">1 b"]],
    [">\t# a", [">1 a"]],
    ["> - # a\n>   # b\n> # c", [">1 a", ">1 b", ">1 c"]],
    ["* * *\n# a", ["1 a"]],
    ["1234567890. # a", []],
  ])("%j", (text, expected) => expect(headings(text)).toEqual(expected));
});

describe("code, HTML, comments and formulas hold no heading", () => {
  test.each<[string, string[]]>([
    ["```\n# a\n```\n# b", ["1 b"]],
    ["```\n# a", []],
    ["````\n```\n# a\n````\n# b", ["1 b"]],
    ["~~~\n```\n# a\n~~~\n# b", ["1 b"]],
    ["``` a`\n# b", ["1 b"]],
    ["~~~ a`\n# b", []],
    ["   ```\n# a\n  ```\n# b", ["1 b"]],
    ["    ```\n# b", ["1 b"]],
    ["x\n```\n# a\n```\n# b", ["1 b"]],
    ["```\n# a\n    ```\n# b", []],
    ["> ```\n# a", ["1 a"]],
    ["> ```\n> # a\n> ```\n> # b", [">1 b"]],
    ["- ```\n  # a\n  ```\n  # b", [">1 b"]],
    ["- ```\n# a", ["1 a"]],
    ["<!--\n# a\n\n# b\n-->\n# c", ["1 c"]],
    ["<pre>\n# a\n\n# b\n</pre>\n# c", ["1 c"]],
    ["<script>\n\n# a\n</style>\n# b", ["1 b"]],
    ["<div>\n# a\n\n# b", ["1 b"]],
    ["</td>\n# a", []],
    ["<?x\n\n# a\n?>\n# b", ["1 b"]],
    ["<!X\n\n# a\n>\n# b", ["1 b"]],
    ["<![CDATA[\n\n# a\n]]>\n# b", ["1 b"]],
    ["<x-y>\n# a\n\n# b", ["1 b"]],
    ["x\n<x-y>\n# a", ["1 a"]],
    ["<x-y> z\n# a", ["1 a"]],
    ["x\n<div>\n# a", []],
    ["%%\n# a\n\n# b\n%%\n# c", ["1 c"]],
    ["%% x\n# a %%\n# b", ["1 b"]],
    ["%% x %%\n# a", ["1 a"]],
    ["%%\n# a", ["1 a"]],
    ["x %% y\n%% z\n# a\n%%b%%", ["1 a"]],
    ["> %%\n> # a\n> %%\n# b", ["1 b"]],
    ["$$\n# a\n\nb\n$$\n# c", ["1 c"]],
    ["$$ a $$\n# b", ["1 b"]],
    ["$$\n# a", ["1 a"]],
    ["---\n# a: b\n---\n# c", ["1 c"]],
    ["---js\n# a\n---\n", ["1 a"]],
  ])("%j", (text, expected) => expect(headings(text)).toEqual(expected));
});

describe("running text ends where its block does", () => {
  test.each<[string, string[]]>([
    ["a ` b\n\n[[c]] `", ["c"]],
    ["a ` b\n# [[c]] `", ["c"]],
    ["a ` b\n- [[c]] `", ["c"]],
    ["- a `\n- [[c]] `", ["c"]],
    ["a ` b\n[[c]] `", []],
    ["> a `\n> [[b]] `", []],
    ["> a `\n\n[[b]] `", ["b"]],
    ["`` a ` [[b]] ``", []],
    ["`` a ` [[b]]", ["b"]],
    ["\\` [[a]] `", ["a"]],
    ["` \\` [[a]] `", ["a"]],
    ["| a ` | b |\n|---|---|\n| [[c]] ` | d |", ["c"]],
    ["a <!-- b\n\n[[c]] -->", ["c"]],
    ["a %% b\n\n[[c]] %%", ["c"]],
    ["a $b\n[[c]] d$", ["c"]],
    ["costs $5, [[a]] costs $6", ["a"]],
    ["costs $5 and [[a]] 6$", []],
    ["\\$5 and [[a]] 6$", ["a"]],
    ["a $$ b\n[[c]] $$ d [[e]]", ["e"]],
    ["%%a%% [[b]] %%c%%", ["b"]],
    ["%% a\nb %% [[c]]", ["c"]],
    ["> $$ a\n> [[b]]\n\n[[c]] $$", ["b", "c"]],
    ["<b>[[a]]</b>", ["a"]],
    ["<details>\n\n[[a]]\n\n</details>", ["a"]],
    ["a <b title='`'> [[c]] `", ["c"]],
    ["<https://a.b/`> [[c]] `", ["c"]],
    ["[x](a`.md) [[b]] `", ["a`.md", "b"]],
    ["a\n    [[b]]", ["b"]],
    ["- a\n\n      [[b]]\n\n  [[c]]", ["c"]],
  ])("%j", (text, expected) => expect(links(text)).toEqual(expected));
});

describe("quotes and lists deeper than a hundred", () => {
  test("are text from there on", () => {
    expect(headings(`${"> ".repeat(100)}# a`)).toEqual([">1 a"]);
    expect(headings(`${"> ".repeat(101)}# a`)).toEqual([]);
    expect(links(`${"> ".repeat(5000)}[[a]]\n\n[[b]]`)).toEqual(["a", "b"]);
  });
});
