import { describe, expect, test } from "vitest";
import { parseNote } from "./note.ts";

describe("inline tags", () => {
  test.each<[string, string[]]>([
    ["#a b #c", ["a", "c"]],
    ["x #in/to-read_2.", ["in/to-read_2"]],
    ["#über #日本語 #été", ["über", "日本語", "été"]],
    ["#🙂 #a🙂b", ["🙂", "a🙂b"]],
    ["#1984 #y1984 #1/2", ["y1984"]],
    ["#a #A #a", ["a", "A"]],
    ["#a/ #b//", ["a", "b"]],
    ["#a, #b; (#c) x#d ##e #f#g", ["a", "b", "f"]],
    ["#", []],
    ["# a", []],
    ["# Title #b", ["b"]],
    ["\\#a", []],
    ["`#a` #b", ["b"]],
    ["`x`#a", []],
    ["#a`x`", ["a"]],
    ["```\n#a\n```", []],
    ["<!-- #a --> #b", ["b"]],
    ["%%#a%% #b", ["b"]],
    ["$ #a $ $#b$", ["a"]],
    ["[[x #a]] [y](z.md#a)", []],
    ["https://x.y/#a", []],
    ["[r]: x.md '#a'", []],
    ["|#a|#b|\n|-|-|", ["a", "b"]],
    ["> #a\n> #b", ["a", "b"]],
    ["- #a\n- [ ] #b", ["a", "b"]],
    ["\u00a0#a\u3000#b", ["a", "b"]],
    ["#a，#b #c。", ["a", "c"]],
  ])("%j", (text, expected) => expect(parseNote(text).tags.inline).toEqual(expected));
});

describe("tags in fields", () => {
  test.each<[string, string[]]>([
    ["tags: [a, '#b', c/d]", ["a", "b", "c/d"]],
    ["tags:\n  - a\n  - a\n  - B", ["a", "B"]],
    ["tags: a, b c #d", ["a", "b", "c"]],
    ["tags: 'a #b'", ["a", "b"]],
    ["tag: a", ["a"]],
    ["tags: [a]\ntag: b", ["a", "b"]],
    ["tags: 2024", ["2024"]],
    ["tags: [2024, null, true, [x]]", ["2024"]],
    ["tags:", []],
    ["tags: ['', '#']", []],
    ["tagged: a", []],
  ])("%j", (yaml, expected) => expect(parseNote(`---\n${yaml}\n---\n`).tags.fields).toEqual(expected));
});
