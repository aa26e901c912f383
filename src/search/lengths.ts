/** How long notes are, one by one and on average, which the ranking needs. The lengths are kept in memory; only blocks that changed are read again. */

import { blockChanges, changedSince, newestMark } from "./block-changes.ts";
import { eachLength, lengthsAt } from "./posting-bytes.ts";
import { BLOCK, lengthRows } from "./postings.ts";
import type { Sql } from "../sqlite/sql.ts";

export type Sizes = {
  notes: number;
  /** Weighted words, by a note's number; 0 where there is no such note. */
  length: Float64Array;
  chunkLengths(id: number): number[];
  usual: number;
  usualChunk: number;
  chunks: number;
};

/** How much the names of a note count in each of its chunks. */
export const NAME_SHARE = 2 / 3;

/** The row of one block, and the sums over its notes. */
type Block = { data: Uint8Array; notes: number; sum: number; named: number; chunks: number };
type Cache = {
  mark: string;
  blocks: Map<number, Block>;
  length: Float64Array;
  /** Where a note's chunk lengths begin in the row, and how many there are, both by the note's number. */
  at: Int32Array;
  count: Int32Array;
};

/** Each call gives the lengths as they are now. */
export function openLengths(sql: Sql): () => Sizes {
  let known: Cache | null = null;
  return () => {
    const changes = blockChanges(sql);
    const changed = known && changedSince(changes, known.mark);
    const cache = known && changed ? known : newCache();
    cache.mark = newestMark(changes);
    known = cache;
    if (changed === null || changed.length > 0) {
      const rows = new Map(lengthRows(sql, changed).map(({ block, data }) => [block, data]));
      for (const block of changed ?? rows.keys()) putBlock(cache, block, rows.get(block) ?? new Uint8Array());
    }
    return totals(cache);
  };
}

/** The sizes of some notes. */
export function sizesOf(all: Sizes, ids: ReadonlySet<number>): Sizes {
  let [notes, sum, named, chunks] = [0, 0, 0, 0];
  for (const id of ids) {
    const lengths = all.chunkLengths(id);
    notes++;
    sum += all.length[id] ?? 0;
    named += lengths[0]! * (NAME_SHARE * (lengths.length - 1) - 1);
    chunks += lengths.length - 1;
  }
  return { ...all, notes, chunks, ...averages(notes, sum, named, chunks) };
}

const averages = (notes: number, sum: number, named: number, chunks: number) => ({
  usual: Math.max(1, sum / notes),
  usualChunk: Math.max(1, (sum + named) / chunks),
});

const newCache = (): Cache => ({
  mark: "",
  blocks: new Map(),
  length: new Float64Array(0),
  at: new Int32Array(0),
  count: new Int32Array(0),
});

function putBlock(cache: Cache, block: number, data: Uint8Array): void {
  const first = block * BLOCK;
  if (first + BLOCK > cache.length.length) makeRoom(cache, first + BLOCK);
  const { length, at, count } = cache;
  length.fill(0, first, first + BLOCK);
  count.fill(0, first, first + BLOCK);
  const made: Block = { data, notes: 0, sum: 0, named: 0, chunks: 0 };
  eachLength(data, (note, place, chunks, words) => {
    length[first + note] = words;
    at[first + note] = place;
    count[first + note] = chunks;
    made.notes++;
    made.sum += words;
    made.named += data[place]! * (NAME_SHARE * (chunks - 1) - 1);
    made.chunks += chunks - 1;
  });
  cache.blocks.set(block, made);
}

function makeRoom(cache: Cache, least: number): void {
  const size = Math.max(least, 2 * cache.length.length);
  const length = new Float64Array(size);
  const [at, count] = [new Int32Array(size), new Int32Array(size)];
  length.set(cache.length);
  at.set(cache.at);
  count.set(cache.count);
  Object.assign(cache, { length, at, count });
}

function totals({ blocks, length, at, count }: Cache): Sizes {
  let [notes, sum, named, chunks] = [0, 0, 0, 0];
  for (const block of blocks.values()) {
    notes += block.notes;
    sum += block.sum;
    named += block.named;
    chunks += block.chunks;
  }
  return {
    notes,
    length,
    // A note that came since the lengths were read has none yet.
    chunkLengths: (id) =>
      count[id] ? lengthsAt(blocks.get(Math.floor(id / BLOCK))!.data, at[id]!, count[id]) : [0, 0],
    chunks,
    ...averages(notes, sum, named, chunks),
  };
}
