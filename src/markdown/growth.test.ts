/** Hostile notes: the work may grow with their size, not faster. Compared by CPU time at one size and at four times that. */

import { describe, expect, test } from "vitest";
import { rewriteLinks, markRemoved, contextOf } from "./links.ts";
import { parseNote } from "./note.ts";
import { sectionOf } from "./sections.ts";
import { atOnce } from "./steps.ts";

const SIZE = 50_000;
const repeat = (unit: string) => (size: number) => unit.repeat(Math.ceil(size / unit.length));
const after = (opening: string, unit: string) => (size: number) => opening + repeat(unit)(size);

const NOTES: Record<string, (size: number) => string> = {
  "open brackets": repeat("["),
  "open wikilinks": repeat("[[a"),
  "wikilinks with code": repeat("[[`a` "),
  "wikilinks with open comments": repeat("[[<!-- <!-- "),
  "wikilinks with comments": repeat("[[<!-- --> <!-- --> "),
  "open embeds": repeat("![["),
  "open images": repeat("!["),
  "brackets closed late": (size) => "[".repeat(size / 2) + "]".repeat(size / 2),
  "open link targets": repeat("[a]("),
  "open angled targets": repeat("[a](<"),
  "open titles": repeat('[a](b "'),
  "open titles in parentheses": repeat("[a](b ("),
  parentheses: after("[a](", "("),
  backticks: repeat("`"),
  "backticks of every length": (size) => {
    let text = "";
    for (let length = 1; text.length < size; length++) text += `${"`".repeat(length)} `;
    return text;
  },
  "open comments": repeat("<!--"),
  "open comments in text": after("a ", "<!-- "),
  "open tags": after("a ", "<a "),
  "open attributes": after("a ", "<a x=\" y=' "),
  "open instructions": after("a ", "<?"),
  "open declarations": after("a ", "<!A"),
  "open CDATA": after("a ", "<![CDATA["),
  "percent signs": repeat("%%"),
  "lines of percent signs": repeat("%% a\nx\n"),
  "percent signs in and before text": repeat("x %% y\n%% z\n"),
  "dollar signs": repeat("$"),
  "open formulas": repeat("$a "),
  "formulas in and before text": repeat("x $$ y\n$$ z\n%% z\n"),
  "open formulas in quotes": repeat("> $$ a\n\n"),
  "deep quotes": repeat("> "),
  "many deep quotes": repeat(`${">".repeat(1000)} a\n`),
  "deep lists": repeat("- "),
  "deep lists, then blank lines": (size) => `${"- ".repeat(size / 4)}x\n${"\n".repeat(size / 2)}`,
  "stars that are nearly a rule": (size) => `${repeat("* ")(size)}a`,
  "lists ever deeper": (size) => {
    let text = "";
    for (let i = 0; text.length < size; i++) text += `${" ".repeat(2 * (i % 200))}- a\n`;
    return text;
  },
  "lazy lines": after(`${"> ".repeat(90)}a\n`, "b\n"),
  emphasis: repeat("*_"),
  headings: repeat("# h\n"),
  "setext headings": repeat("a\n=\n"),
  "underlines after a definition": after("[a]: b\n", "===\n"),
  definitions: repeat("[a]: b\n"),
  "open definitions": repeat('[a]: b "\n'),
  "open labels": repeat("[a\n"),
  tags: repeat("#a "),
  hashes: repeat("#"),
  backslashes: repeat("\\"),
  "table rows": after("|a|\n|-|\n", "| [[a]] |\n"),
  "table rules": repeat("a|\n|-\n"),
  "white space": (size) => `a${repeat(" ")(size)}b`,
  tabs: repeat("\t"),
  fences: repeat("``` a\n"),
  "wikilinks in a field": (size) => `---\nx: "${repeat("[[a")(size)}"\n---\n`,
  "wikilinks in a block of a field": (size) => `---\nx: |\n  ${repeat("[[a")(size)}\n---\n`,
};

function cpuOf(work: () => void): number {
  const times = [1, 2, 3].map(() => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return user + system;
  });
  return Math.min(...times);
}

/** Under a few milliseconds, what is measured is the machine. */
const FLOOR = 10_000;
const growth = (work: (size: number) => () => void): number => {
  const [small, large] = [work(SIZE), work(4 * SIZE)];
  small();
  return cpuOf(large) / Math.max(FLOOR, cpuOf(small));
};

describe("parseNote", () => {
  test.each(Object.keys(NOTES))("%s", (name) => {
    const work = (size: number) => {
      const text = NOTES[name]!(size);
      return () => void parseNote(text);
    };
    expect(growth(work)).toBeLessThan(10);
  });
});

const linkWork = (size: number) => {
  const text = repeat("[[a]] [x|y](b.md) | ")(size / 4);
  const { links } = parseNote(text);
  return () => {
    atOnce(rewriteLinks(text, links, () => "c"));
    markRemoved(text, links, () => "d");
    for (const link of links) contextOf(text, link);
  };
};

test("rewriting, marking and showing every link of one long line", () => {
  expect(growth(linkWork)).toBeLessThan(10);
});

test("a hundred thousand headings, and the section of the first", () => {
  const text = "## h\n".repeat(100_000);
  const { headings } = parseNote(text);
  expect(headings).toHaveLength(100_000);
  expect(sectionOf(text, headings, { text: "h" })).toMatchObject({ start: 0, contentStart: 5, end: 5 });
});
