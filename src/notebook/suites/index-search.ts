/** What every index must make of a question in plain words: any word may match, the best note comes first, slips are forgiven, in every script. */

import { beforeEach, describe, expect, test } from "vitest";
import type { Filter, Found, Page } from "../filter.ts";
import { sectionHash } from "../handle.ts";
import type { NoteIndex } from "../parts.ts";
import { fill, findPaths, pathsOf, row, type OpenIndex, findNow } from "./index-vault.ts";

const filler = (words: number): string => "lorem ipsum dolor amet ".repeat(words / 4);

const VAULT: Record<string, string> = {
  "Kepler.md": `# Johannes Kepler\n\nThe laws of planetary motion. Ellipses.\n\n## Life\n\nBorn in Weil der Stadt.\n`,
  "Orbits.md": `# Orbits\n\n${filler(200)}\n\n## Shape\n\nPlanets move along ellipses, said Kepler.\n\n${filler(200)}\n`,
  "people/Tycho Brahe.md":
    "---\naliases: [The Dane]\n---\nObserver of the stars. Kepler was his assistant.\n",
  "Universe.md": "The universe is large.\n",
  "University.md": "The university is old.\n",
  "code.md": "Call getUserName or parse_http_request from XMLHttpRequest.\n",
  "links.md": "The observer is [[Tycho Brahe|our noble friend]], see also [the law giver](Kepler.md).\n",
  "wide.md": "ＡＢＣ width and ﬁne ligatures, Straße, Łódź, مُحَمَّد, Ёлка.\n",
  "zh.md": "今天下午和产品团队讨论了搜索功能的排序问题。\n",
  "ja.md": "# 旅行\n\n来月は京都のお寺を見て、それから奈良へ行く。\n",
  "ko.md": "오늘은 서울에서 친구를 만났다.\n",
  "th.md": "วันนี้อากาศดีมากเราไปเที่ยวทะเลกัน\n",
  "he.md": "שלום עולם, זהו פתק על ירושלים.\n",
  "mixed.md": "React组件的状态管理。\n",
};

/** What is asked, the note that must come first, and how many there are. */
const QUESTIONS: [string, string, string, number?][] = [
  ["any word may match", "kepler zzz", "Kepler.md"],
  ["stop words tell nothing", "what is the university of it", "University.md"],
  ["the title counts most", "orbits", "Orbits.md"],
  ["an alias", "dane", "people/Tycho Brahe.md"],
  ["a file name", "tycho", "people/Tycho Brahe.md"],
  ["another form of a word", "planet moving", "Orbits.md"],
  ["the very word before another form of it", "universities", "University.md", 2],
  ["the very word", "universe", "Universe.md", 2],
  ["one letter wrong", "plametary", "Kepler.md"],
  ["one too few", "univrsity", "University.md"],
  ["one too many", "elllipses", "Kepler.md"],
  ["two swapped", "asisstant", "people/Tycho Brahe.md"],
  ["a word that is still being typed", "his assi", "people/Tycho Brahe.md"],
  ["part of a name in camelCase", "user name", "code.md"],
  ["the whole of it", "getUserName", "code.md"],
  ["camelCase for snake_case", "parseHttpRequest", "code.md"],
  ["part of a name in snake_case", "parse", "code.md"],
  ["a part that is still being typed", "reques", "code.md"],
  ["letters that are not composed", "\u0141o\u0301dz\u0301", "wide.md"],
  ["part of a word, where no word is so", "tycentri", "", 0],
  ["the middle of a word", "netar", "Kepler.md"],
  ["what a link calls a note", "noble friend", "links.md", 2],
  ["width", "abc", "wide.md"],
  ["width the other way", "ｗｉｄｔｈ", "wide.md"],
  ["a ligature", "fine", "wide.md"],
  ["an accent that is no mark", "strasse lodz", "wide.md"],
  ["Arabic points", "محمد", "wide.md"],
  ["Cyrillic", "елка", "wide.md"],
  ["Chinese", "搜索排序", "zh.md"],
  ["one Chinese character", "序", "zh.md"],
  ["Japanese", "京都の寺はどこ", "ja.md"],
  ["a Japanese title", "旅行", "ja.md"],
  ["Korean, without its particle", "친구", "ko.md"],
  ["Thai", "ทะเล", "th.md"],
  ["Hebrew", "ירושלים", "he.md"],
  ["two scripts stuck together", "react 状态", "mixed.md"],
  ["a sign", "。", "ja.md", 3],
];

const PAGE: Page = { limit: 10, sort: "rank", snippet: { before: 30, width: 80 } };

export function searchCases(open: OpenIndex): void {
  let index: NoteIndex;
  const ask = (text: string, page: Partial<Page> = {}): Found =>
    findNow(index, { ask: text }, { ...PAGE, ...page });
  beforeEach(async () => {
    ({ index } = await open());
    fill(index, VAULT);
  });

  describe("answers a question by", () => {
    test.each(QUESTIONS)("%s: %s", (_, text, first, total) => {
      const found = ask(text);
      expect(pathsOf(found)[0] ?? "").toBe(first);
      expect(found.total).toBe(total ?? found.notes.length);
      expect(pathsOf(ask(text, { sort: "path" })).toSorted()).toEqual(pathsOf(found).toSorted());
    });

    test("a word that was read as another, and only that", () => {
      expect(ask("univrsity").corrected).toEqual([{ from: "univrsity", to: "university" }]);
      expect(ask("univrsity", { sort: "path" }).corrected).toEqual([{ from: "univrsity", to: "university" }]);
      for (const text of ["university", "obser", "zzzzzz", "2027", "zz"])
        expect(ask(text).corrected).toEqual([]);
    });

    describe("a query that nothing fits as it stands is asked in words, and says which", () => {
      const pages = { ask: "kepler" };
      test.each<[string, Filter, string[], string[]]>([
        [
          "a phrase among words",
          { all: [pages, { phrase: "motion of planets" }] },
          ['"motion of planets"'],
          ["Kepler.md", "Orbits.md", "links.md", "people/Tycho Brahe.md"],
        ],
        [
          "a field that no note has",
          { field: "observer", op: ":", value: "stars" },
          ["observer:stars"],
          ["links.md", "people/Tycho Brahe.md"],
        ],
        [
          "not a condition beside it",
          { all: [pages, { phrase: "no such phrase" }, { folder: "people" }] },
          ['"no such phrase"'],
          ["people/Tycho Brahe.md"],
        ],
        ["not a phrase alone", { phrase: "laws of stars" }, [], []],
        ["not a phrase that is there", { all: [pages, { phrase: "planetary motion" }] }, [], ["Kepler.md"]],
        ["not a field that a note has", { field: "aliases", op: ":", value: "Observer" }, [], []],
        ["not a comparison", { field: "universe", op: ">", value: "3" }, [], []],
        ["not where every word must match", { all: [{ words: "kepler" }, { phrase: "no such" }] }, [], []],
      ])("%s", (_, filter, loosened, paths) => {
        const found = findNow(index, filter, PAGE);
        expect([found.loosened, pathsOf(found).toSorted()]).toEqual([loosened, paths]);
        expect(found.total).toBe(paths.length);
      });
    });

    test("the section that fits best, and what stands there", () => {
      const [note] = ask("how do planets move along ellipses").notes;
      expect(note).toMatchObject({ path: "Orbits.md", section: { heading: "Shape" } });
      expect(note!.snippet!.text).toContain("Planets move along ellipses, said Kepler.");
      const shape = VAULT["Orbits.md"]!.slice(VAULT["Orbits.md"]!.indexOf("## Shape"));
      expect(note!.section!.hash).toBe(sectionHash(shape));
    });

    test("the handle of a section whose letters are not composed", () => {
      const text = "---\ntitle: x\n---\n\n# Cafe\u0301\n\nre\u0301sume\u0301\n\n## Later\n\nquince\n";
      index.apply([row("nfd.md", text)]);
      expect(ask("resume").notes[0]!.section).toEqual({
        heading: "Caf\u00e9",
        hash: sectionHash(text.slice(text.indexOf("# "))),
      });
      expect(ask("quince").notes[0]!.section).toEqual({
        heading: "Later",
        hash: sectionHash("## Later\n\nquince"),
      });
    });

    test("together with other conditions", () => {
      const kepler = { ask: "keplers ellipse" };
      expect(findPaths(index, { all: [kepler, { folder: "people" }] }, { sort: "rank" })).toEqual([
        "people/Tycho Brahe.md",
      ]);
      expect(findPaths(index, { all: [kepler, { not: { words: "orbits" } }] }, { sort: "rank" }).length).toBe(
        3,
      );
      expect(findPaths(index, { any: [{ name: "ko" }, kepler] }, { sort: "rank" }).at(-1)).toBe("ko.md");
      expect(findPaths(index, { all: [kepler, { ask: "observer" }] }, { sort: "rank" }).toSorted()).toEqual([
        "links.md",
        "people/Tycho Brahe.md",
      ]);
      expect(findPaths(index, { not: kepler }).includes("Kepler.md")).toBe(false);
    });

    test("what was known before a note changed or went", () => {
      index.apply([
        row("Universe.md", "Empty.", { seen: "1", stamp: "2" }),
        row("zh.md", null, { seen: "1" }),
      ]);
      expect(ask("large").total).toBe(0);
      expect(ask("搜索").total).toBe(0);
      expect(pathsOf(ask("empty"))).toEqual(["Universe.md"]);
    });

    test("notes that others link to, before others like them", () => {
      const same = "The same words about sundials.";
      index.apply([
        ...["a", "b", "c"].map((name) => row(`sun ${name}.md`, same)),
        ...[1, 2, 3].map((number) => row(`from ${number}.md`, "[[sun b]]")),
      ]);
      expect(pathsOf(ask("sundials"))).toEqual(["sun b.md", "sun a.md", "sun c.md"]);
    });

    test("a page at a time, each note once, more than are looked at closely", () => {
      index.apply(
        Array.from({ length: 300 }, (_, at) => row(`many/${at}.md`, `quark ${filler(4 * (at % 50))}`)),
      );
      const seen: string[] = [];
      let cursor: string | null = null;
      do {
        const found = ask("quark", { limit: 70, ...(cursor === null ? {} : { cursor }) });
        expect(found).toMatchObject({ total: 300, offset: seen.length });
        seen.push(...pathsOf(found));
        ({ cursor } = found);
      } while (cursor !== null);
      expect(new Set(seen).size).toBe(300);
    });
  });

  describe("shows no half word", () => {
    test.each([
      [
        "one two three four apple five six seven eight",
        "apple",
        { before: 10, width: 24 },
        "…four apple five six…",
      ],
      ["昨日は東京で会議があり大阪へ行った", "大阪", { before: 4, width: 8 }, "…議があり大阪へ行…"],
      ["วันนี้อากาศดีมากเราไปเที่ยวทะเลกัน", "ทะเล", { before: 5, width: 9 }, "…ยวทะเลกัน"],
      [
        "averyveryverylongwordwithoutend",
        "averyveryverylongwordwithoutend",
        { before: 3, width: 8 },
        "averyver…",
      ],
    ])("%s", (text, question, snippet, shown) => {
      index.apply([row("s.md", text)]);
      const { text: line, cutBefore, cutAfter } = ask(question, { snippet }).notes[0]!.snippet!;
      expect(`${cutBefore ? "…" : ""}${line}${cutAfter ? "…" : ""}`).toBe(shown);
    });
  });
}
