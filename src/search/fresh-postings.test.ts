import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSchema } from "../index/schema.ts";
import { openSql } from "../sqlite/node.ts";
import type { Sql } from "../sqlite/sql.ts";
import { FRESH, freshNotes } from "./fresh-postings.ts";
import { wordsOf, type NoteWords } from "./note-words.ts";
import { changeWords, placesOf } from "./postings.ts";
import { openSearch, type Search } from "./search.ts";

const WORDS = ["common", "odd", "third", "rare"];

async function opened(sql?: Sql) {
  sql ??= await openSql(":memory:");
  createSchema(sql);
  const search = openSearch(sql);
  const texts = new Map<number, string>();
  const wordsIn = (body: string | undefined): NoteWords | null =>
    body === undefined
      ? null
      : wordsOf(search.analyzer, {
          title: "T",
          aliases: "",
          path: "t.md",
          tags: "",
          body,
          sections: [],
          labels: [],
        });
  /** A text of undefined takes a note out. */
  const change = (...changes: [id: number, text: string | undefined][]): void =>
    search.analyzer.lexicon.during(() =>
      sql.transaction(() =>
        changeWords(
          search,
          changes.map(([id, text]) => {
            const before = wordsIn(texts.get(id));
            if (text === undefined) texts.delete(id);
            else texts.set(id, text);
            return { id, before, after: wordsIn(text) };
          }),
        ),
      ),
    );
  return { sql, search, texts, change };
}

/** The notes that a word is found in, in the order in which they are read. */
const found = (search: Search, word: string): number[] =>
  search.ask(() => {
    const { data, size } = placesOf(search, [search.analyzer.lexicon.termFor(word)]).get(word)!;
    return Array.from({ length: size / 3 }, (_, at) => data[3 * at]!);
  });
const expectFound = (search: Search, texts: ReadonlyMap<number, string>): void => {
  for (const word of WORDS) {
    const having = [...texts].filter(([, text]) => text.split(" ").includes(word)).map(([id]) => id);
    expect(found(search, word), word).toEqual(having.toSorted((a, b) => a - b));
  }
};
const textOf = (id: number): string =>
  `common own${id}${id % 2 ? " odd" : ""}${id % 3 ? "" : " third"}${id % 50 === 7 ? " rare" : ""}`;
const filedRows = (sql: Sql): number =>
  sql.get<{ n: number }>("SELECT count(*) AS n FROM postings WHERE id % 513 < 512")!.n;

test("words are found, in the order of notes, through any changes of fresh and filed notes", async () => {
  const { search, texts, change } = await opened();
  let id = 0;
  for (let round = 0; round < 4 * FRESH; round++) {
    id += 1;
    // A number may come after a higher one: a long note does not wait for those before it.
    if (round % 40 === 3) change([id + 1, textOf(id + 1)], [id, textOf(id)]);
    else if (round % 40 === 5) {
      change([id + 1, textOf(id + 1)]);
      change([id, textOf(id)]);
    } else change([id, textOf(id)]);
    if (round % 40 === 3 || round % 40 === 5) id += 1;
    if (round % 7 === 0) change([Math.ceil(id / 2), "odd rare"]);
    if (round % 11 === 0) change([id, `${textOf(id)} rare`]);
    if (round % 13 === 0) change([Math.ceil(id / 3), undefined]);
    if (round % 17 === 0) {
      change([id, undefined]);
      id -= 1;
    }
    if (round === 100) change(...Array.from({ length: 30 }, (): [number, string] => [++id, textOf(id)]));
    expectFound(search, texts);
  }
});

test("a new note is one row until there are many, and goes with it", async () => {
  const { sql, texts, change } = await opened();
  for (let id = 1; id <= FRESH; id++) change([id, textOf(id)]);
  expect([filedRows(sql), freshNotes(sql).size]).toEqual([0, FRESH]);
  change([5, undefined]);
  expect(freshNotes(sql).has(5)).toBe(false);
  change([FRESH + 1, textOf(FRESH + 1)]);
  expect(freshNotes(sql).size).toBe(FRESH);
  change([FRESH + 2, textOf(FRESH + 2)]);
  expect(freshNotes(sql).size).toBe(0);
  expect(filedRows(sql)).toBeGreaterThan(FRESH / 2);
  expect(texts.size).toBe(FRESH + 1);
});

test("a fresh note that grows large is filed: no search reads so much for it", async () => {
  const { sql, search, texts, change } = await opened();
  const many = (count: number): string =>
    Array.from({ length: count }, (_, at) => `q${at.toString(36).replace(/[0-9]/g, "z$&z")}`).join(" ");
  change([1, "common"], [2, "common odd"]);
  change([2, `rare ${many(4000)}`]);
  expect(freshNotes(sql).size).toBe(2);
  change([2, `rare ${many(40_000)}`]);
  expect(freshNotes(sql).size).toBe(0);
  expectFound(search, texts);
});

test.each([1, 2, 3])(
  "another process that files fresh notes before statement %i of a search hides none of them",
  async (statement) => {
    const home = mkdtempSync(join(tmpdir(), "fresh-"));
    const { change, texts } = await opened(await openSql(join(home, "index.db")));
    for (let id = 1; id <= FRESH; id++) change([id, "common"]);
    const sql = await openSql(join(home, "index.db"));
    let made = 0;
    const filing = <T>(ask: () => T): T => {
      // One note more, and they are filed.
      if (++made === statement) change([FRESH + 1, "common"]);
      return ask();
    };
    const search = openSearch({
      ...sql,
      all: (text, ...values) => filing(() => sql.all(text, ...values)),
      get: (text, ...values) => filing(() => sql.get(text, ...values)),
    });
    const before = [...texts.keys()].slice(0, FRESH);
    expect(found(search, "common").slice(0, FRESH)).toEqual(before);
    sql.close();
    rmSync(home, { recursive: true, force: true });
  },
);
