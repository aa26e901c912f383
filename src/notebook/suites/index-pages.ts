/** What every index must show of a note that was found, and how a list must go on from one page to the next. */

import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { Filter, Page, Snippet } from "../filter.ts";
import { sectionHash } from "../handle.ts";
import type { NoteIndex } from "../parts.ts";
import { findPaths, NOON, pathsOf, row, type OpenIndex, findNow } from "./index-vault.ts";

const SORTS: Page["sort"][] = ["rank", "path", "name", "created", "modified"];
const APPLES: Filter = { words: "apple" };
const at = (seconds: number) => new Date(NOON.getTime() + seconds * 1000);

function walk(
  index: NoteIndex,
  sort: Page["sort"],
  limit: number,
  between: (page: number) => void,
): string[] {
  const paths: string[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < 100; page++) {
    const found = findNow(index, APPLES, { limit, sort, ...(cursor === undefined ? {} : { cursor }) });
    expect(found.offset).toBe(paths.length);
    paths.push(...pathsOf(found));
    if (found.cursor === null) return paths;
    cursor = found.cursor;
    between(page);
  }
  throw new Error("the list has no end");
}

const marked = (snippet: Snippet | null): string => {
  if (!snippet) return "nothing";
  let text = snippet.text;
  for (const [from, to] of snippet.marks.toReversed())
    text = `${text.slice(0, from)}[${text.slice(from, to)}]${text.slice(to)}`;
  return `${snippet.in}: ${snippet.cutBefore ? "…" : ""}${text}${snippet.cutAfter ? "…" : ""}`;
};

export function pageCases(open: OpenIndex): void {
  let index: NoteIndex;

  describe("goes on", () => {
    beforeEach(async () => {
      ({ index } = await open());
      const rows = Array.from({ length: 25 }, (_, number) =>
        row(`${number % 3}/n${number}.md`, `apple ${"pear ".repeat(number % 7)}`, {
          modified: at(number % 5),
        }),
      );
      index.apply(rows);
    });

    test.each(SORTS)("by %s, from page to page, with every note once and in order", (sort) => {
      const all = findPaths(index, APPLES, { sort });
      for (const limit of [1, 4, 25, 26]) expect(walk(index, sort, limit, () => undefined)).toEqual(all);
    });

    test.each(SORTS)("by %s, repeats no note that was written in between, and leaves none out", (sort) => {
      const before = findPaths(index, APPLES, { sort });
      const paths = walk(index, sort, 4, (page) => {
        const path = before[(page * 7) % 25]!;
        const text = `apple apple ${page} ${"more ".repeat(page)}`;
        index.apply([
          row(path, text, { seen: index.stamp(path as never), stamp: `w${page}`, modified: at(100 + page) }),
        ]);
      });
      expect(new Set(paths).size).toBe(paths.length);
      expect(paths.toSorted()).toEqual(before.toSorted());
    });

    test.each(SORTS)("by %s, past notes that came or went in between, without repeating one", (sort) => {
      const paths = walk(index, sort, 4, (page) => {
        const gone = findPaths(index, APPLES, { sort })[page]!;
        index.apply([
          row(`0/a${page}.md`, "apple", { modified: at(200) }),
          row(gone, null, { seen: index.stamp(gone as never) }),
        ]);
      });
      expect(new Set(paths).size).toBe(paths.length);
    });

    test("only with the query the cursor was given for", () => {
      const { cursor } = findNow(index, APPLES, { limit: 2, sort: "rank" });
      const refusal = expect.objectContaining({ code: "query_malformed" });
      expect(() => findNow(index, { words: "pear" }, { limit: 2, sort: "rank", cursor: cursor! })).toThrow(
        refusal,
      );
      expect(() => findNow(index, APPLES, { limit: 2, sort: "path", cursor: cursor! })).toThrow(refusal);
      expect(findNow(index, APPLES, { limit: 5, sort: "rank", cursor: cursor! }).notes.length).toBe(5);
    });

    test("from nothing that is not a cursor", () => {
      const { cursor } = findNow(index, APPLES, { limit: 2, sort: "rank" });
      const refusal = expect.objectContaining({ code: "query_malformed" });
      const text = fc.oneof(
        fc.string(),
        fc.base64String(),
        fc.nat(cursor!.length).map((length) => cursor!.slice(0, length)),
      );
      fc.assert(
        fc.property(
          text.filter((other) => other !== cursor && !cursor!.startsWith(`${other}.`)),
          (other) => {
            expect(() => findNow(index, APPLES, { limit: 2, sort: "rank", cursor: other })).toThrow(refusal);
          },
        ),
      );
    });
  });

  describe("shows", () => {
    const size = { before: 30, width: 80 };
    const shown = (text: string, filter: Filter, page: Page["snippet"] = size): Snippet | null => {
      index.apply([row("n.md", text, { seen: index.stamp("n.md" as never) })]);
      return findNow(index, filter, { limit: 1, sort: "rank", snippet: page }).notes[0]!.snippet;
    };
    beforeEach(async () => {
      ({ index } = await open());
    });

    test.each<[string, string, Filter, string]>([
      ["a word", "one Apple pie", { words: "apple" }, "body: one [Apple] pie"],
      ["each word", "one Apple, one pear", { words: "pear apple" }, "body: one [Apple], one [pear]"],
      ["no part of a word", "pineapple apple", { words: "apple" }, "body: pineapple [apple]"],
      ["a word that goes on", "some apples", { words: "app", prefix: true }, "body: some [apples]"],
      ["a word with an accent", "the Crème brûlée", { words: "creme" }, "body: the [Crème] brûlée"],
      ["a phrase", "pie apple, apple pie", { phrase: "apple pie" }, "body: pie apple, [apple pie]"],
      ["a part", "some Apples", { holds: "pple", in: "body" }, "body: some A[pple]s"],
      [
        "a part of the title first",
        "# Big Apple\n\napple",
        { holds: "APPLE", in: "either" },
        "title: Big [Apple]",
      ],
      ["a word in the body first", "# Big Apple\n\nan apple", { words: "apple" }, "body: # Big [Apple]…"],
      [
        "a title where the body has none",
        "---\ntitle: Apple pie\n---\npear",
        { words: "apple" },
        "title: [Apple] pie",
      ],
      [
        "the opening where neither has it",
        "---\ntags: [apple]\n---\n\npear",
        { words: "apple" },
        "body: pear",
      ],
      ["the opening where no words were asked for", "pear\n\nplum", { folder: "" }, "body: pear…"],
      ["nothing of nothing", "", { folder: "" }, "nothing"],
      ["one line of several", "a\n  b\tapple\nc", { words: "apple" }, "body: a b [apple] c"],
      ["no more than the paragraph", "x\n\n an apple\n\ny", { words: "apple" }, "body: …an [apple]…"],
      ["Chinese", "昨日、東京都庁でした", { words: "東京" }, "body: 昨日、[東京]都庁でした"],
      [
        "a word that is excluded is no reason",
        "apple pear",
        { all: [{ words: "pear" }, { not: { words: "plum" } }] },
        "body: apple [pear]",
      ],
    ])("%s", (_, text, filter, snippet) => expect(marked(shown(text, filter))).toBe(snippet));

    test("the section the snippet is from, as a handle names it", () => {
      const text = "intro\n\n# A\none\n\n## B\napple\n\n# C\npear\n";
      index.apply([row("s.md", text)]);
      const sectionFor = (words: string) =>
        findNow(index, { words }, { limit: 1, sort: "rank", snippet: size }).notes[0]!.section;
      expect(sectionFor("apple")).toEqual({ heading: "B", hash: sectionHash("## B\napple\n") });
      expect(sectionFor("one")).toEqual({ heading: "A", hash: sectionHash("# A\none\n\n## B\napple\n") });
      expect(sectionFor("intro")).toBeNull();
    });

    test("as much as asked for, and no half character", () => {
      const text = `${"😀".repeat(40)} apple ${"😀".repeat(40)}`;
      fc.assert(
        fc.property(fc.nat(40), fc.integer({ min: 10, max: 60 }), (before, width) => {
          const snippet = shown(text, { words: "apple" }, { before, width })!;
          expect(snippet.text).not.toMatch(/\p{Cs}/u);
          expect(snippet.text.length).toBeLessThanOrEqual(Math.max(width, before + 1));
          expect(snippet.text.indexOf("apple")).toBeLessThanOrEqual(before);
        }),
        { numRuns: 50 },
      );
    });

    test("every mark inside its text, in order, whatever the text", () => {
      const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "é", "東", "京", "😀", ".") });
      fc.assert(
        fc.property(text, (body) => {
          const snippet = shown(`a ${body}`, { words: "a" })!;
          let last = 0;
          for (const [from, to] of snippet.marks) {
            expect(from).toBeGreaterThanOrEqual(last);
            expect(to).toBeGreaterThan(from);
            last = to;
          }
          expect(last).toBeLessThanOrEqual(snippet.text.length);
          expect(snippet.text).not.toContain("\n");
        }),
        { numRuns: 50 },
      );
    });
  });
}
