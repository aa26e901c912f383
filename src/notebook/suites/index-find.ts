/** What every index must find, and how it must list it. */

import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import type { Filter, Page } from "../filter.ts";
import type { NoteIndex } from "../parts.ts";
import type { NotePath } from "../paths.ts";
import { ALL, fill, findPaths, NOON, pathsOf, row, type OpenIndex, findNow } from "./index-vault.ts";

const VAULT: Record<string, string> = {
  "cafe.md":
    "---\ntitle: Café Central\naliases: [Kaffeehaus]\ntags: [vienna, place/coffee]\ntype: place\nid: 0badcafe\n---\nThe roadmap of the Melange.\n",
  "Projects/Alpha.md":
    "---\ntags: [Work]\ncreated: 2020-01-01\nupdated: 2021-05-05\n---\n# Alpha plan\n\nSee [[cafe]] and note-taking. #idea\n",
  "Projects/deep/Beta.md": "# Beta\n\nRoad to the coast, 100% sure_thing. [alpha](../Alpha.md)\n",
  "projects2/Gamma.md": 'Gamma follows the roadmap: "model context protocol" $& 🎉 C++ #work/later\n',
  "日記/東京.md": "# 東京タワー\n\n昨日、東京都庁でiPhone手机を買った。\n",
  "thai.md": "ฉันกินข้าวทุกวัน\n",
  "empty.md": "",
  "decomposed e\u0301.md": "re\u0301sume\u0301 ISTANBUL \u0130zmir ΟΔΟΣ\n",
};

const FINDS: [string, Filter, string[]][] = [
  ["every note", { all: [] }, Object.keys(VAULT).toSorted()],
  ["nothing", { any: [] }, []],
  ["a word of the body", { words: "melange" }, ["cafe.md"]],
  ["a word of the title", { words: "central" }, ["cafe.md"]],
  ["a word of an alias", { words: "kaffeehaus" }, ["cafe.md"]],
  ["a word of a tag", { words: "vienna" }, ["cafe.md"]],
  ["a word of the path", { words: "deep" }, ["Projects/deep/Beta.md"]],
  ["words in several places", { words: "vienna melange kaffeehaus" }, ["cafe.md"]],
  ["every word is needed", { words: "melange gamma" }, []],
  ["a word is whole", { words: "road" }, ["Projects/deep/Beta.md"]],
  [
    "the last one may go on",
    { words: "the road", prefix: true },
    ["Projects/deep/Beta.md", "cafe.md", "projects2/Gamma.md"],
  ],
  ["only the last one", { words: "roa the", prefix: true }, []],
  ["accents make no difference", { words: "cafe RESUME" }, []],
  ["nor does Unicode form", { words: "r\u00e9sum\u00e9" }, ["decomposed e\u0301.md"]],
  ["nor no accent at all", { words: "resume" }, ["decomposed e\u0301.md"]],
  ["a word with a hyphen is two in a row", { words: "note-taking" }, ["Projects/Alpha.md"]],
  ["in that order", { words: "taking-note" }, []],
  ["any word of a question", { ask: "melange gamma?" }, ["cafe.md", "projects2/Gamma.md"]],
  ["no words of a question", { ask: " " }, []],
  ["a phrase", { phrase: "model context protocol" }, ["projects2/Gamma.md"]],
  ["a phrase in order", { phrase: "context model" }, []],
  ["a phrase in the title", { phrase: "cafe central", in: "title" }, ["cafe.md"]],
  ["a phrase not in the title", { phrase: "context protocol", in: "title" }, []],
  ["words of the title", { title: "plan alpha" }, ["Projects/Alpha.md"]],
  ["words of the body are not in the title", { title: "melange" }, []],
  ["a picture", { words: "🎉" }, ["projects2/Gamma.md"]],
  ["a sign", { words: "$&" }, ["projects2/Gamma.md"]],
  ["no words", { words: " " }, []],
  ["no words at all", { words: "" }, []],
  ["Chinese inside a sentence", { words: "都庁" }, ["日記/東京.md"]],
  ["three characters", { words: "東京都" }, ["日記/東京.md"]],
  ["one character", { words: "庁" }, ["日記/東京.md"]],
  ["characters in another order", { words: "京東" }, []],
  ["katakana from a title", { words: "タワー" }, ["日記/東京.md"]],
  ["Chinese in a title", { title: "東京" }, ["日記/東京.md"]],
  ["Chinese that is not in the title", { title: "都庁" }, []],
  ["Latin letters stuck to Chinese ones", { words: "iphone" }, ["日記/東京.md"]],
  ["both at once", { words: "iPhone手机" }, ["日記/東京.md"]],
  ["Thai inside a sentence", { words: "กินข้าว" }, ["thai.md"]],
  ["part of a body", { holds: "ROADM", in: "body" }, ["cafe.md", "projects2/Gamma.md"]],
  ["part of a title", { holds: "FÉ C", in: "title" }, ["cafe.md"]],
  ["part of either", { holds: "alpha", in: "either" }, ["Projects/Alpha.md", "Projects/deep/Beta.md"]],
  ["part of a title is no part of a body", { holds: "café", in: "body" }, []],
  ["fields are not the body", { holds: "created:", in: "either" }, []],
  ["a per cent sign is itself", { holds: "0% s", in: "body" }, ["Projects/deep/Beta.md"]],
  ["an underline is itself", { holds: "sure_", in: "body" }, ["Projects/deep/Beta.md"]],
  ["a quotation mark is itself", { holds: 'the roadmap: "', in: "body" }, ["projects2/Gamma.md"]],
  ["the dotted capital I", { holds: "izmir", in: "body" }, ["decomposed e\u0301.md"]],
  ["the final sigma", { holds: "οδοσ", in: "body" }, ["decomposed e\u0301.md"]],
  ["decomposed text by composed", { holds: "R\u00c9SUM", in: "body" }, ["decomposed e\u0301.md"]],
  ["the empty text is in all", { holds: "", in: "body" }, Object.keys(VAULT).toSorted()],
  ["a name", { name: "ALPHA" }, ["Projects/Alpha.md"]],
  ["a name with its ending", { name: "alpha.md" }, ["Projects/Alpha.md"]],
  ["part of a name", { name: "MM", part: true }, ["projects2/Gamma.md"]],
  ["a path", { path: "Projects/Alpha.md" as NotePath }, ["Projects/Alpha.md"]],
  ["a path in another Unicode form", { path: "decomposed \u00e9.md" as NotePath }, ["decomposed e\u0301.md"]],
  ["a path that is not there", { path: "Alpha.md" as NotePath }, []],
  ["an alias", { alias: "kaffeeHAUS" }, ["cafe.md"]],
  ["a title is no alias", { alias: "Café Central" }, []],
  ["an id", { id: "0badcafe" }, ["cafe.md"]],
  ["a tag", { tag: "vienna" }, ["cafe.md"]],
  ["a tag in another case", { tag: "WORK" }, ["Projects/Alpha.md"]],
  ["a tag and those under it", { tag: "work", under: true }, ["Projects/Alpha.md", "projects2/Gamma.md"]],
  ["a tag in the text", { tag: "idea" }, ["Projects/Alpha.md"]],
  ["not in the fields", { tag: "idea", from: "fields" }, []],
  ["in the fields", { tag: "place/coffee", from: "fields" }, ["cafe.md"]],
  ["part of a tag is no tag", { tag: "vien" }, []],
  ["a folder", { folder: "Projects" }, ["Projects/Alpha.md"]],
  [
    "a folder and those below",
    { folder: "projects", deep: true },
    ["Projects/Alpha.md", "Projects/deep/Beta.md"],
  ],
  ["the root", { folder: "" }, ["cafe.md", "decomposed e\u0301.md", "empty.md", "thai.md"]],
  ["the root and all below", { folder: "", deep: true }, Object.keys(VAULT).toSorted()],
  ["notes with a link to one", { linksTo: "Projects/Alpha.md" as NotePath }, ["Projects/deep/Beta.md"]],
  [
    "since the moment itself",
    { since: NOON },
    Object.keys(VAULT)
      .filter((path) => path !== "Projects/Alpha.md")
      .toSorted(),
  ],
  [
    "since the day that its field names",
    { since: new Date("2021-05-05T00:00:00Z") },
    Object.keys(VAULT).toSorted(),
  ],
  ["since later", { since: new Date(NOON.getTime() + 1) }, []],
  ["all of several", { all: [{ words: "roadmap" }, { tag: "vienna" }] }, ["cafe.md"]],
  ["any of several", { any: [{ words: "melange" }, { name: "beta" }] }, ["Projects/deep/Beta.md", "cafe.md"]],
  ["not", { all: [{ words: "roadmap" }, { not: { tag: "vienna" } }] }, ["projects2/Gamma.md"]],
  [
    "not a word",
    { all: [{ folder: "" }, { not: { words: "melange" } }, { not: { title: "thai" } }] },
    ["decomposed e\u0301.md", "empty.md"],
  ],
  ["not not", { not: { not: { words: "melange" } } }, ["cafe.md"]],
  ["not any", { not: { any: [{ folder: "", deep: true }] } }, []],
];

const day = (number: number) => new Date(Date.UTC(2026, 0, number));

export function findCases(open: OpenIndex): void {
  let index: NoteIndex;
  beforeEach(async () => {
    ({ index } = await open());
    fill(index, VAULT);
  });

  describe("finds", () => {
    test.each(FINDS)("%s", (_, filter, paths) => {
      expect(findPaths(index, filter)).toEqual(paths);
      expect(findPaths(index, filter, { sort: "rank" }).toSorted()).toEqual(paths);
      const first = findNow(index, filter, { limit: 1, sort: "rank" });
      expect(first.total).toBe(paths.length);
      expect(first.cursor === null).toBe(paths.length < 2);
      expect(first.partial).toBe(false);
    });

    test.each([
      '"',
      "*",
      "NEAR(a b)",
      "title:alpha",
      "a AND",
      "OR",
      "NOT",
      "^a",
      "-",
      "(",
      "{title}:",
      "a + b",
      "\0",
      "'; DROP TABLE notes",
    ])("what would be syntax elsewhere is only text: %j", (text) => {
      for (const filter of [
        { words: text },
        { phrase: text },
        { title: text },
        { phrase: text, in: "title" as const },
      ])
        expect(findNow(index, filter, ALL).total).toBeLessThanOrEqual(Object.keys(VAULT).length);
    });

    test("any text at all is an answer, and its total is true", () => {
      const text = fc.oneof(
        fc.string({ unit: "binary" }),
        fc.string({ unit: fc.constantFrom(...'ab"*()-: 東京ก็é\u0301') }),
      );
      fc.assert(
        fc.property(text, fc.boolean(), (words, prefix) => {
          for (const filter of [
            { words, prefix },
            { phrase: words },
            { title: words },
            { holds: words, in: "either" as const },
            { name: words, part: true },
            { tag: words, under: true },
          ])
            expect(findNow(index, filter, ALL).total).toBe(findNow(index, filter, ALL).notes.length);
        }),
        { numRuns: 200 },
      );
    });

    test("a query of very many parts", () => {
      const any = Array.from({ length: 150 }, (_, at) => ({ tag: `none${at}`, under: true }));
      const many = { any: [...any, { all: [{ tag: "vienna" }, { words: "melange" }] }] };
      expect(findPaths(index, many)).toEqual(["cafe.md"]);
      expect(findPaths(index, { all: [many, { words: "roadmap" }] }, { sort: "rank" })).toEqual(["cafe.md"]);
    });

    test("a query nested beyond reason is refused", () => {
      let filter: Filter = { words: "a" };
      for (let depth = 0; depth < 5000; depth++) filter = { not: filter };
      expect(() => findNow(index, filter, ALL)).toThrow(expect.objectContaining({ code: "query_malformed" }));
    });

    test("what is said of a note", () => {
      const [note] = findNow(index, { name: "cafe" }, ALL).notes;
      expect(note).toMatchObject({
        path: "cafe.md",
        name: "cafe",
        title: "Café Central",
        id: "0badcafe",
        tags: { fields: ["vienna", "place/coffee"], inline: [] },
        type: "place",
        modified: NOON,
        updated: null,
        size: new TextEncoder().encode(VAULT["cafe.md"]).length,
        snippet: null,
      });
      const [alpha] = findNow(index, { name: "alpha" }, ALL).notes;
      expect(alpha).toMatchObject({
        created: new Date("2020-01-01T00:00:00Z"),
        updated: "2021-05-05",
        tags: { fields: ["Work"], inline: ["idea"] },
        type: null,
      });
      expect(index.created("Projects/Alpha.md" as NotePath)).toEqual(new Date("2020-01-01T00:00:00Z"));
      expect(index.created("cafe.md" as NotePath)).toBeNull();
    });

    test("while a first indexing goes on, the answer is partial", async () => {
      const { index: fresh } = await open();
      expect(findNow(fresh, { all: [] }, ALL)).toMatchObject({ total: 0, partial: true });
      expect(fresh.complete()).toBe(false);
      fresh.completed();
      expect(findNow(fresh, { all: [] }, ALL).partial).toBe(false);
    });
  });

  describe("lists", () => {
    beforeEach(async () => {
      ({ index } = await open());
      index.apply([
        row("b/Same.md", "apple apple apple", { modified: day(2) }),
        row("a/same.md", "apple and a long tail of other words that make the note longer", {
          modified: day(4),
        }),
        row("C.md", "# Apple\n\nno more", { modified: day(3) }),
        row("z.md", "---\ncreated: 2026-01-04\n---\npear", { modified: day(1) }),
      ]);
    });

    test.each<[Page["sort"], string[]]>([
      ["path", ["C.md", "a/same.md", "b/Same.md", "z.md"]],
      ["name", ["C.md", "b/Same.md", "a/same.md", "z.md"]],
      ["modified", ["a/same.md", "C.md", "b/Same.md", "z.md"]],
      ["created", ["a/same.md", "z.md", "C.md", "b/Same.md"]],
      ["rank", ["C.md", "a/same.md", "b/Same.md", "z.md"]],
    ])("by %s", (sort, paths) => expect(findPaths(index, { all: [] }, { sort })).toEqual(paths));

    test("by name in the order of code points, a page at a time", () => {
      index.apply(
        ["\u{1F600}", "\uFFE6", "Ångström", "Zed", "a b", "a", "a.b"].map((name) => row(`${name}.md`, "x")),
      );
      const names = ["C", "Same", "Zed", "a", "a b", "a.b", "same", "z", "Ångström", "\uFFE6", "\u{1F600}"];
      const nameOf = (path: string) => path.slice(path.lastIndexOf("/") + 1, -3);
      expect(findPaths(index, { all: [] }, { sort: "name" }).map(nameOf)).toEqual(names);
      const found: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page = { limit: 3, sort: "name" as const, ...(cursor === undefined ? {} : { cursor }) };
        const { notes, cursor: next } = findNow(index, { all: [] }, page);
        found.push(...notes.map(({ name }) => name));
        cursor = next;
      }
      expect(found).toEqual(names);
    });

    test("by rank, a title before a body, and more before less", () => {
      expect(findPaths(index, { words: "apple" }, { sort: "rank" })).toEqual([
        "C.md",
        "b/Same.md",
        "a/same.md",
      ]);
      const either = { any: [{ words: "apple" }, { name: "z" }] };
      expect(findPaths(index, either, { sort: "rank" })).toEqual(["C.md", "b/Same.md", "a/same.md", "z.md"]);
    });

    test("notes of one rank by path, of one moment by their coming", () => {
      const same = { modified: day(9) };
      index.apply([row("y2.md", "plum", same), row("y1.md", "plum", same)]);
      expect(findPaths(index, { words: "plum" }, { sort: "rank" })).toEqual(["y1.md", "y2.md"]);
      expect(findPaths(index, { words: "plum" }, { sort: "created" })).toEqual(["y2.md", "y1.md"]);
    });

    test.each<[string, Partial<Page>, string[], number]>([
      ["a first page", { limit: 2 }, ["C.md", "a/same.md"], 0],
      ["a later one", { limit: 2, offset: 3 }, ["z.md"], 3],
      ["beyond the end", { limit: 2, offset: 9 }, [], 9],
      ["nothing but the total", { limit: 0 }, [], 0],
      ["everything", { limit: Number.MAX_SAFE_INTEGER }, ["C.md", "a/same.md", "b/Same.md", "z.md"], 0],
    ])("%s", (_, page, paths, offset) => {
      const found = findNow(index, { all: [] }, { ...ALL, ...page });
      expect(pathsOf(found)).toEqual(paths);
      expect(found).toMatchObject({ total: 4, offset });
    });
  });
}
