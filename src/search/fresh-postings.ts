/** Postings of notes that came lately: a row for each note, until so many have come that they are filed by term together. A note of 3 kB has two hundred terms, and filed alone it would be two hundred rows written (decision 32). */

import type { Lexicon } from "./lexicon.ts";
import { eachBucket } from "./new-postings.ts";
import { bytesOf, eachNumbered, writeNumber } from "./posting-bytes.ts";
import type { TermCounts } from "./term-counts.ts";
import type { Sql } from "../sqlite/sql.ts";

/** Every search reads all of them. */
export const FRESH = 64;
/** A fresh note that has grown to more bytes than these is filed, and all others with it. */
export const LARGE = 64 * 1024;

export const freshNotes = (sql: Sql): Set<number> =>
  new Set(sql.all<{ id: number }>("SELECT id FROM fresh_postings").map(({ id }) => id));

/** `note` is the note's place in its block. Gives how many bytes it takes. */
export function putFresh(sql: Sql, lexicon: Lexicon, id: number, note: number, words: TermCounts): number {
  const data = freshBytes(lexicon, note, words);
  // A note without a word has none; Node 22 binds empty bytes as NULL.
  sql.run(
    "INSERT INTO fresh_postings VALUES (?, coalesce(?, x'')) ON CONFLICT (id) DO UPDATE SET data = excluded.data",
    id,
    data,
  );
  return data.length;
}

export const dropFresh = (sql: Sql, id: number): void =>
  sql.run("DELETE FROM fresh_postings WHERE id = ?", id);

export const dropAllFresh = (sql: Sql): void => sql.run("DELETE FROM fresh_postings");

/** Visits what would be filed in each bucket, note after note in their order. */
export function eachFresh(sql: Sql, visit: (id: number, bucket: number, bytes: Uint8Array) => void): void {
  const rows = sql.all<{ id: number; data: Uint8Array }>("SELECT id, data FROM fresh_postings ORDER BY id");
  const every = (): boolean => true;
  for (const { id, data } of rows) eachNumbered(data, every, (bucket, bytes) => visit(id, bucket, bytes));
}

/** For each bucket the step from the one before, the number of bytes that follow, and the bytes as a row of the bucket has them. */
function freshBytes(lexicon: Lexicon, note: number, words: TermCounts): Uint8Array {
  const parts: [step: number, bytes: Uint8Array][] = [];
  let [size, last] = [0, 0];
  eachBucket(lexicon, [{ note, words }], (bucket, bytes) => {
    parts.push([bucket - last, bytes]);
    size += bytesOf(bucket - last) + bytesOf(bytes.length) + bytes.length;
    last = bucket;
  });
  const all = new Uint8Array(size);
  let at = 0;
  for (const [step, bytes] of parts) {
    at = writeNumber(all, writeNumber(all, at, step), bytes.length);
    all.set(bytes, at);
    at += bytes.length;
  }
  return all;
}
