import { expect, it } from "vitest";
import { foundWords, linkWords, plainWords } from "./plain-words.ts";

it.each([
  ["#### Automatically **update** `links` #tag", "Automatically update links #tag"],
  [
    "See [[Notes/Ada|her]] and [[Bob#Work]], ![[pic.png]] or [it](https://a.example).",
    "See her and Bob#Work, pic.png or it.",
  ],
  ["- [ ] to do _now_ and snake_case * 2", "to do now and snake_case * 2"],
  ["> [!tip] A tip > more", "A tip more"],
  ["| a | b | | --- | --- | | 1 | 2 |", "a b 1 2 "],
  ["words ```md ![[", "words "],
  ["rest of]] a link", " a link"],
  ["[^1]: a note to [[One\\|it]] and [[Two|ano", "a note to it and Two|ano"],
])("takes the marks out of %s", (line, words) => {
  expect(plainWords(line).text.trim()).toBe(words.trim());
});

it("keeps what was found marked", () => {
  const text = "## The **gold**en [[Ring|ring]]";
  const { text: words, marks } = plainWords(text, [
    [9, 13],
    [25, 29],
  ]);
  expect(words).toBe("The golden ring");
  expect(marks.map(([from, to]) => words.slice(from, to))).toEqual(["gold", "ring"]);
});

it("says where words go on", () => {
  const snippet = {
    text: "of the ring",
    marks: [[7, 11]] as [number, number][],
    cutBefore: true,
    cutAfter: true,
  };
  const { text, marks } = foundWords(snippet);
  expect(text).toBe("… of the ring …");
  expect(text.slice(...marks[0]!)).toBe("ring");
  expect(foundWords({ ...snippet, text: "It is the ring.", marks: [] }).text).toBe("It is the ring.");
});

it("cuts what stands around a link at words", () => {
  expect(linkWords("ore details on how to do that at length, see the [[Help]].", "Help")).toBe(
    "… details on how to do that at length, see the Help.",
  );
  expect(linkWords("See [[Help]] for all there is to be known of it, and then the documentati", "Help")).toBe(
    "See Help for all there is to be known of it, and then the …",
  );
  expect(linkWords("See [it](Help.md).", "Help")).toBe("See it.");
});
