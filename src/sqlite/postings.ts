/** Postings: for each term, the notes it stands in, with chunk and number of times. Kept as bytes, many terms to a row, so that few rows are read for a query and few are written for a note. */

import type { NoteWords } from "./note-words.ts";
import {
  eachFiled,
  eachLength,
  filedBytes,
  lengthBytes,
  lengthsAt,
  readPlaces,
  type Filed,
} from "./posting-bytes.ts";
import type { Sql } from "./sql.ts";
import { BUCKETS, type Term } from "./terms.ts";

/** Notes of a row: small enough to rewrite for one note's sake, large enough that a term is not filed over and over. */
export const BLOCK = 512;
/** Where so many notes come at once, they are put behind what is there; else all of a row is put in order again. */
const BULK = 20;

/** A note that comes (`before` is null), changes, or goes (`after` is null). */
export type WordChange = { id: number; before: NoteWords | null; after: NoteWords | null };

/** In one row: the notes that lose a term, and those that get it, by the term's key. */
type Edit = { drop: Map<number, Set<number>>; add: Map<number, Filed[]> };

// A block's rows stand side by side, so that writing a slice of new notes touches few pages; the last of them holds the lengths.
export const ROWS = BUCKETS + 1;
const LENGTHS = BUCKETS;
const rowOf = (block: number, bucket: number): number => block * ROWS + bucket;
const blockOf = (id: number): number => Math.floor(id / BLOCK);

/** Inside a transaction. */
export function changeWords(sql: Sql, given: readonly WordChange[]): void {
  const changes = given.toSorted((a, b) => a.id - b.id);
  const edits = new Map<number, Edit>();
  const editOf = ({ bucket }: Term, id: number): Edit =>
    entry(edits, rowOf(blockOf(id), bucket), () => ({ drop: new Map(), add: new Map() }));
  for (const { id, before, after } of changes) {
    const note = id % BLOCK;
    const was = placesByTerm(before);
    const now = before ? placesByTerm(after) : null;
    before?.terms.forEach((term, at) => {
      if (now?.get(term.text) !== before.places[at])
        entry(editOf(term, id).drop, term.key, () => new Set<number>()).add(note);
    });
    after?.terms.forEach((term, at) => {
      const places = after.places[at]!;
      if (was.get(term.text) !== places)
        entry(editOf(term, id).add, term.key, (): Filed[] => []).push({ note, places });
    });
  }
  for (const [row, edit] of edits) writeRow(sql, row, edit, changes.length >= BULK);
  const blocks = new Map<number, WordChange[]>();
  for (const change of changes) entry(blocks, blockOf(change.id), (): WordChange[] => []).push(change);
  for (const [block, those] of blocks) writeLengths(sql, rowOf(block, LENGTHS), those);
}

function entry<K, V>(map: Map<K, V>, key: K, fresh: () => V): V {
  let found = map.get(key);
  if (found === undefined) map.set(key, (found = fresh()));
  return found;
}

const placesByTerm = (words: NoteWords | null): Map<string, string> =>
  new Map(words?.terms.map((term, at) => [term.text, words.places[at]!]));

const NOTHING = new Uint8Array();

const dataOf = (sql: Sql, row: number): Uint8Array =>
  sql.get<{ data: Uint8Array }>("SELECT data FROM postings WHERE id = ?", row)?.data ?? NOTHING;

function putData(sql: Sql, row: number, data: Uint8Array): void {
  if (data.length === 0) sql.run("DELETE FROM postings WHERE id = ?", row);
  else
    sql.run(
      "INSERT INTO postings VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET data = excluded.data",
      row,
      data,
    );
}

function writeRow(sql: Sql, row: number, { drop, add }: Edit, bulk: boolean): void {
  const old = dataOf(sql, row);
  if (bulk && drop.size === 0) return putData(sql, row, filedBytes(add, old));
  const terms = new Map<number, Filed[]>();
  eachFiled(old, (key, filed) => {
    const left = filed.filter(({ note }) => !drop.get(key)?.has(note));
    if (left.length > 0) entry(terms, key, (): Filed[] => []).push(...left);
  });
  for (const [key, filed] of add) entry(terms, key, (): Filed[] => []).push(...filed);
  for (const filed of terms.values()) filed.sort((a, b) => a.note - b.note);
  putData(sql, row, filedBytes(new Map([...terms].toSorted(([a], [b]) => a - b)), NOTHING));
}

function writeLengths(sql: Sql, row: number, changes: readonly WordChange[]): void {
  const lengths = new Map<number, readonly number[]>();
  const old = dataOf(sql, row);
  eachLength(old, (note, at, chunks) => lengths.set(note, lengthsAt(old, at, chunks)));
  for (const { id, after } of changes) {
    if (after) lengths.set(id % BLOCK, after.lengths);
    else lengths.delete(id % BLOCK);
  }
  putData(sql, row, lengthBytes([...lengths].toSorted(([a], [b]) => a - b)));
}

/** What is filed under a term: note, chunk, times, note, chunk, times … */
export type Places = number[];

/** How long the notes of a block are, as bytes; `first` is the number of its first note. */
export type LengthRow = { first: number; data: Uint8Array };

/** By the terms' texts, and besides how long all notes are. */
export function placesOf(
  sql: Sql,
  terms: readonly Term[],
): { places: Map<string, Places>; lengths: LengthRow[] } {
  const last = sql.get<{ id: number | null }>("SELECT max(id) AS id FROM postings")?.id ?? -1;
  const wanted = new Map<number, Map<string, Term>>();
  for (const term of terms) entry(wanted, term.bucket, () => new Map<string, Term>()).set(term.text, term);
  const rows: number[] = [];
  for (let block = 0; block * ROWS <= last; block++)
    for (const bucket of [...wanted.keys(), LENGTHS]) rows.push(rowOf(block, bucket));
  const places = new Map(terms.map(({ text }): [string, Places] => [text, []]));
  const lengths: LengthRow[] = [];
  for (const { id, data } of sql.all<{ id: number; data: Uint8Array }>(
    "SELECT p.id, p.data FROM json_each(?) j JOIN postings p ON p.id = j.value",
    JSON.stringify(rows),
  )) {
    const first = Math.floor(id / ROWS) * BLOCK;
    if (id % ROWS === LENGTHS) lengths.push({ first, data });
    else
      for (const { text, key } of wanted.get(id % ROWS)!.values())
        readPlaces(data, key, first, places.get(text)!);
  }
  return { places, lengths };
}
