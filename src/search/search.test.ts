import { expect, test } from "vitest";
import { findPaths, row } from "../notebook/suites/index-vault.ts";
import { openAnalyzer } from "./analyzer.ts";
import { openSql } from "../sqlite/node.ts";
import { openIndex } from "../index/note-index.ts";
import { addPlace, noPlaces } from "./posting-bytes.ts";
import { openSearch } from "./search.ts";

const MANY = Array.from({ length: 100_001 }, (_, at) => `w${at}`).join(" ");

test("a word keeps its number while somebody holds the lexicon, and a full one is emptied when nobody does", () => {
  const { lexicon, words } = openAnalyzer();
  const numberOf = (word: string): number => {
    let found = -1;
    words.eachNumber(word, (number) => (found = number));
    return found;
  };
  const release = lexicon.hold();
  words.eachNumber(MANY, () => undefined);
  lexicon.during(() => expect(numberOf("w70000")).toBe(70_000));
  expect(lexicon.wordAt(70_000).plain).toBe("w70000");
  release();
  expect(numberOf("w70000")).toBe(0);
  expect(lexicon.termAt(lexicon.codeOf(0) >> 1).text).toBe("w70000");
});

test("what a question has read is used again when it is answered, and not before, also where it fails", async () => {
  const search = openSearch(await openSql(":memory:"));
  const read = () => {
    const places = noPlaces(search.pool);
    for (let note = 0; note < 100; note++) addPlace(places, note, 1, 1);
    return places.data;
  };
  const [one, other] = search.ask(() => [read(), read()]);
  expect(one).not.toBe(other);
  expect(() =>
    search.ask(() => {
      expect([one, other]).toContain(read());
      throw new Error("no");
    }),
  ).toThrow("no");
  expect([one, other]).toContain(search.ask(read));
  search.sql.close();
});

test("two indexes in one process know nothing of each other", async () => {
  const [one, other] = [openIndex(await openSql(":memory:")), openIndex(await openSql(":memory:"))];
  one.apply([row("a.md", `# Apple\n\napple ${MANY.slice(0, 5000)}`), row("b.md", "berry and apples")]);
  const before = findPaths(one, { ask: "apple" });
  other.apply([row("c.md", `# Pear\n\npear ${MANY}`), row("d.md", "apple pie")]);
  expect(findPaths(other, { ask: "aple" })).toEqual(["d.md"]);
  expect(findPaths(one, { ask: "apple" })).toEqual(before);
  expect(findPaths(one, { ask: "pear" })).toEqual([]);
  expect(findPaths(other, { holds: "appl", in: "title" })).toEqual([]);
  expect(findPaths(one, { holds: "appl", in: "title" })).toEqual(["a.md"]);
  one.close();
  other.close();
});
