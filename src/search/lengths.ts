/** How long notes are, which the ranking has to know of each and of all together: kept in memory, and brought up to date by what has changed. */

import { changedSince, marksIn, newestMark } from "./block-changes.ts";
import { eachLength, lengthsAt } from "./posting-bytes.ts";
import { BLOCK, lengthRows } from "./postings.ts";
import type { Sql } from "../sqlite/sql.ts";

export type Sizes = {
  notes: number;
  /** Weighted words, by a note's number; of one that is not there, 0. */
  length: Float64Array;
  chunkLengths(id: number): number[];
  usual: number;
  usualChunk: number;
  chunks: number;
};

/** How much of what a note is called counts in each of its chunks. */
export const NAME_SHARE = 2 / 3;

/** Of one block: its row, and what its notes come to. */
type Block = { data: Uint8Array; notes: number; sum: number; named: number; chunks: number };
type Book = {
  mark: string;
  blocks: Map<number, Block>;
  length: Float64Array;
  /** By a note's number: where its chunks' lengths are in the row, and how many. */
  at: Int32Array;
  count: Int32Array;
};

/** Gives how long the notes are now. */
export function openLengths(sql: Sql): () => Sizes {
  let known: Book | null = null;
  return () => {
    const marks = marksIn(sql);
    const changed = known && changedSince(marks, known.mark);
    const book = known && changed ? known : newBook();
    book.mark = newestMark(marks);
    known = book;
    if (changed === null || changed.length > 0) {
      const rows = new Map(lengthRows(sql, changed).map(({ block, data }) => [block, data]));
      for (const block of changed ?? rows.keys()) putBlock(book, block, rows.get(block) ?? new Uint8Array());
    }
    return together(book);
  };
}

const newBook = (): Book => ({
  mark: "",
  blocks: new Map(),
  length: new Float64Array(0),
  at: new Int32Array(0),
  count: new Int32Array(0),
});

function putBlock(book: Book, block: number, data: Uint8Array): void {
  const first = block * BLOCK;
  if (first + BLOCK > book.length.length) makeRoom(book, first + BLOCK);
  const { length, at, count } = book;
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
  book.blocks.set(block, made);
}

function makeRoom(book: Book, least: number): void {
  const size = Math.max(least, 2 * book.length.length);
  const length = new Float64Array(size);
  const [at, count] = [new Int32Array(size), new Int32Array(size)];
  length.set(book.length);
  at.set(book.at);
  count.set(book.count);
  Object.assign(book, { length, at, count });
}

function together({ blocks, length, at, count }: Book): Sizes {
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
    usual: Math.max(1, sum / notes),
    usualChunk: Math.max(1, (sum + named) / chunks),
    chunks,
  };
}
