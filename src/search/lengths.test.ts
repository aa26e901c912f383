import { expect, test } from "vitest";
import { openLengths, type Sizes } from "./lengths.ts";
import { blockChanges, changedSince, newestMark, recordBlocks } from "./block-changes.ts";
import { openSql } from "../sqlite/node.ts";
import { changeWords } from "./postings.ts";
import { nthHighest } from "./rank.ts";
import { createSchema } from "../index/schema.ts";
import { openSearch, type Search } from "./search.ts";
import { wordsOf } from "./note-words.ts";

async function opened(): Promise<Search> {
  const sql = await openSql(":memory:");
  createSchema(sql);
  return openSearch(sql);
}
const words = ({ analyzer }: Search, body: string) =>
  wordsOf(analyzer, { title: "T", aliases: "", path: "t.md", tags: "", body, sections: [], labels: [] });
const put = (search: Search, id: number, before: string | null, after: string | null) =>
  search.sql.transaction(() =>
    changeWords(search, [
      {
        id,
        before: before === null ? null : words(search, before),
        after: after === null ? null : words(search, after),
      },
    ]),
  );
const told = (sizes: Sizes, ids: number[]) => {
  const { notes, length, usual, chunkLengths } = sizes;
  return {
    notes,
    usual,
    lengths: ids.map((id) => length[id] ?? 0),
    chunks: ids.map((id) => chunkLengths(id).length),
  };
};
/** With nothing remembered. */
const anew = ({ sql }: Search, ids: number[]) => told(openLengths(sql)(), ids);

test("what is remembered of lengths is what is there, through any changes", async () => {
  const search = await opened();
  const ids = [1, 2, 511, 512, 1500];
  expect(told(search.sizes(), ids)).toMatchObject({ notes: 0, lengths: [0, 0, 0, 0, 0] });
  const texts = new Map<number, string>();
  const long = "many words of a longer note, which goes on and on. ".repeat(40);
  for (const [id, after] of [
    [1, "one two"],
    [512, long],
    [1, "one two three"],
    [1500, "far away"],
    [512, null],
    [511, long],
    [2, "two"],
    [1, null],
  ] as const) {
    put(search, id, texts.get(id) ?? null, after);
    if (after === null) texts.delete(id);
    else texts.set(id, after);
    expect(told(search.sizes(), ids)).toEqual(anew(search, ids));
    expect(told(search.sizes(), ids).notes).toBe(texts.size);
  }
  expect(told(search.sizes(), [511]).chunks[0]).toBeGreaterThan(2);
});

test("only what changed since a mark is read again, and all of it where the mark is too old", async () => {
  const { sql } = await opened();
  recordBlocks(sql, [3]);
  const mark = newestMark(blockChanges(sql));
  expect(changedSince(blockChanges(sql), mark)).toEqual([]);
  recordBlocks(sql, [5, 7]);
  recordBlocks(sql, [5]);
  expect(changedSince(blockChanges(sql), mark)).toEqual([5, 7]);
  for (let count = 0; count < 64; count++) recordBlocks(sql, [1]);
  expect(changedSince(blockChanges(sql), mark)).toBe(null);
  const recent = newestMark(blockChanges(sql));
  recordBlocks(
    sql,
    Array.from({ length: 65 }, (_, block) => block),
  );
  expect(changedSince(blockChanges(sql), recent)).toBe(null);
  expect(changedSince(blockChanges(sql), newestMark(blockChanges(sql)))).toEqual([]);
});

test("the nth highest number is found without sorting", () => {
  let seed = 7;
  const next = () => (seed = (seed * 48_271) % 2_147_483_647);
  for (let round = 0; round < 200; round++) {
    const numbers = Float64Array.from({ length: 1 + (next() % 300) }, () => next() % (1 + (next() % 50)));
    const nth = 1 + (next() % numbers.length);
    const sorted = numbers.toSorted();
    expect(nthHighest(numbers, nth)).toBe(sorted[sorted.length - nth]);
  }
});
