/** Postings: for each term, the notes it stands in, with chunk and number of times (decision 10). They are kept as bytes, many terms to a row, so that few rows are read for a query and few are written for a note. */

import { BUCKETS, type Lexicon, type Term } from "./lexicon.ts";
import { recordBlocks } from "./block-changes.ts";
import { dropAllFresh, dropFresh, eachFresh, FRESH, freshNotes, LARGE, putFresh } from "./fresh-postings.ts";
import { eachBucket, type NewNoteWords } from "./new-postings.ts";
import type { NoteWords } from "./note-words.ts";
import {
  eachFiled,
  eachLength,
  eachNumbered,
  filedBytes,
  keepPlaces,
  KEY_BYTES,
  lengthBytes,
  lengthsAt,
  noPlaces,
  readPlaces,
  writeKey,
  type Filed,
  type Places,
} from "./posting-bytes.ts";
import type { Search } from "./search.ts";
import type { Sql } from "../sqlite/sql.ts";

/** Notes of a block: few enough that a row can be rewritten for one note's sake, many enough that a term is not filed over and over. */
export const BLOCK = 512;
/** This many new notes, or terms of new notes, that come at once are put behind what is there; otherwise all of a row is put in order again. */
const BULK = 20;
const BULK_TERMS = 5000;

/** A note that comes (`before` is null), changes, or goes (`after` is null). */
export type WordChange = { id: number; before: NoteWords | null; after: NoteWords | null };

/** What changes in one row: the notes that lose a term, and the notes that get it, by the term's key. */
type Edit = { drop: Map<number, Set<number>>; add: Map<number, Filed[]> };

// A block's rows stand side by side, so that writing a slice of new notes touches few pages; the last of them holds the lengths.
export const ROWS = BUCKETS + 1;
const LENGTHS = BUCKETS;
const rowOf = (block: number, bucket: number): number => block * ROWS + bucket;

/** Called inside a transaction. */
export function changeWords({ sql, analyzer }: Search, given: readonly WordChange[]): void {
  const { lexicon } = analyzer;
  const blocks = inBlocks(given);
  const many = given.filter(isNew).length >= BULK;
  for (const [block, changes] of blocks) {
    const added = changes.filter(isNew).map(({ id, after }) => ({ id, words: after! }));
    const terms = added.reduce((sum, { words }) => sum + words.terms.length, 0);
    const bulk =
      (many || terms >= BULK_TERMS) &&
      added.length > 0 &&
      added[0]!.id % BLOCK > lastNote(sql, rowOf(block, LENGTHS));
    if (bulk) {
      fileFresh(sql);
      append(sql, block, rowsOf(lexicon, added));
    }
    const others = bulk ? changes.filter((change) => !isNew(change)) : changes;
    edit(sql, lexicon, block, notFresh(sql, lexicon, others));
    writeLengths(
      sql,
      block,
      changes.map(({ id, after }) => [id % BLOCK, after && after.lengths]),
    );
  }
  recordBlocks(sql, [...blocks.keys()]);
}

const isNew = ({ before, after }: WordChange): boolean => !before && after !== null;

/** Puts notes that are new, or still fresh, where fresh ones lie, and gives the others. Every fresh note comes after every one that is filed, so that places are read in order. */
function notFresh(sql: Sql, lexicon: Lexicon, changes: readonly WordChange[]): WordChange[] {
  const fresh = freshNotes(sql);
  const filed = changes.some(isNew) ? lastFiled(sql, fresh) : 0;
  const others: WordChange[] = [];
  let largest = 0;
  for (const change of changes) {
    const { id, after } = change;
    if (!fresh.has(id) && !(isNew(change) && id > filed)) others.push(change);
    else if (after) {
      largest = Math.max(largest, putFresh(sql, lexicon, id, id % BLOCK, after));
      fresh.add(id);
    } else {
      dropFresh(sql, id);
      fresh.delete(id);
    }
  }
  if (fresh.size > FRESH || largest > LARGE) fileFresh(sql);
  return others;
}

/** The last note that is not fresh, or one between it and the next. */
function lastFiled(sql: Sql, fresh: ReadonlySet<number>): number {
  const first = Math.floor(lastRow(sql) / ROWS) * BLOCK;
  let last = first - 1;
  eachLength(dataOf(sql, rowOf(first / BLOCK, LENGTHS)), (note) => {
    if (!fresh.has(first + note)) last = first + note;
  });
  return last;
}

/** Files fresh notes by their terms. */
function fileFresh(sql: Sql): void {
  const blocks = new Map<number, Map<number, Map<number, Filed[]>>>();
  eachFresh(sql, (id, bucket, bytes) => {
    const buckets = entry(blocks, Math.floor(id / BLOCK), () => new Map<number, Map<number, Filed[]>>());
    const terms = entry(buckets, bucket, () => new Map<number, Filed[]>());
    eachFiled(bytes, (key, filed) => entry(terms, key, (): Filed[] => []).push(...filed));
  });
  for (const [block, buckets] of blocks)
    append(
      sql,
      block,
      [...buckets].map(([bucket, terms]) => [bucket, filedBytes([...terms].toSorted(([a], [b]) => a - b))]),
    );
  if (blocks.size > 0) dropAllFresh(sql);
}

/** Notes by their block; blocks and notes are in order. */
function inBlocks<T extends { id: number }>(notes: readonly T[]): Map<number, T[]> {
  const blocks = new Map<number, T[]>();
  for (const note of notes.toSorted((a, b) => a.id - b.id))
    entry(blocks, Math.floor(note.id / BLOCK), (): T[] => []).push(note);
  return blocks;
}

/** What new notes put behind the rows of their block, and how long they are. */
export type NewBlock = { block: number; rows: NewRow[]; lengths: NoteLengths[] };
type NewRow = [bucket: number, bytes: Uint8Array];
/** A note, by its place in the block, and the lengths of its chunks, or null where it is gone. */
type NoteLengths = [note: number, lengths: readonly number[] | null];
type NewNote = { id: number; words: NoteWords };

export const newBlocks = (lexicon: Lexicon, notes: readonly NewNote[]): NewBlock[] =>
  [...inBlocks(notes)].map(([block, added]) => ({
    block,
    rows: rowsOf(lexicon, added),
    lengths: added.map(({ id, words }) => [id % BLOCK, words.lengths]),
  }));

/** Called inside a transaction. */
export function putNewBlocks(sql: Sql, blocks: readonly NewBlock[]): void {
  fileFresh(sql);
  for (const { block, rows, lengths } of blocks) {
    append(sql, block, rows);
    writeLengths(sql, block, lengths);
  }
  recordBlocks(
    sql,
    blocks.map(({ block }) => block),
  );
}

function rowsOf(lexicon: Lexicon, added: readonly NewNote[]): NewRow[] {
  const rows: NewRow[] = [];
  const notes = added.map(({ id, words }): NewNoteWords => ({ note: id % BLOCK, words }));
  eachBucket(lexicon, notes, (bucket, bytes) => rows.push([bucket, bytes]));
  return rows;
}

function append(sql: Sql, block: number, rows: readonly NewRow[]): void {
  const held = new Map(
    sql
      .all<{ id: number; data: Uint8Array }>(
        "SELECT id, data FROM postings WHERE id >= ? AND id < ?",
        rowOf(block, 0),
        rowOf(block, LENGTHS),
      )
      .map(({ id, data }) => [id, data]),
  );
  for (const [bucket, bytes] of rows) {
    const row = rowOf(block, bucket);
    const old = held.get(row);
    putData(sql, row, old ? joined(old, bytes) : bytes);
  }
}

function joined(old: Uint8Array, more: Uint8Array): Uint8Array {
  const data = new Uint8Array(old.length + more.length);
  data.set(old);
  data.set(more, old.length);
  return data;
}

function edit(sql: Sql, { termAt }: Lexicon, block: number, changes: readonly WordChange[]): void {
  const edits = new Map<number, Edit>();
  const editOf = ({ bucket }: Term): Edit =>
    entry(edits, rowOf(block, bucket), () => ({ drop: new Map(), add: new Map() }));
  for (const { id, before, after } of changes) {
    const note = id % BLOCK;
    const [was, now] = [placesByTerm(before), placesByTerm(after)];
    for (const [number, places] of was) {
      const term = termAt(number);
      if (now.get(number) !== places) entry(editOf(term).drop, term.key, () => new Set<number>()).add(note);
    }
    for (const [number, places] of now) {
      const term = termAt(number);
      if (was.get(number) !== places)
        entry(editOf(term).add, term.key, (): Filed[] => []).push({ note, places });
    }
  }
  for (const [row, each] of edits) writeRow(sql, row, each);
}

function entry<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let found = map.get(key);
  if (found === undefined) map.set(key, (found = make()));
  return found;
}

function placesByTerm(words: NoteWords | null): Map<number, string> {
  const found = new Map<number, string>();
  let from = 0;
  words?.terms.forEach((term, at) => {
    const end = words.ends[at]!;
    found.set(term, String.fromCharCode(...words.places.subarray(from, end)));
    from = end;
  });
  return found;
}

const dataOf = (sql: Sql, row: number): Uint8Array =>
  sql.get<{ data: Uint8Array }>("SELECT data FROM postings WHERE id = ?", row)?.data ?? new Uint8Array();

function putData(sql: Sql, row: number, data: Uint8Array): void {
  if (data.length === 0) sql.run("DELETE FROM postings WHERE id = ?", row);
  else
    sql.run(
      "INSERT INTO postings VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET data = excluded.data",
      row,
      data,
    );
}

function writeRow(sql: Sql, row: number, { drop, add }: Edit): void {
  const terms = new Map<number, Filed[]>();
  eachFiled(dataOf(sql, row), (key, filed) => {
    const left = filed.filter(({ note }) => !drop.get(key)?.has(note));
    if (left.length > 0) entry(terms, key, (): Filed[] => []).push(...left);
  });
  for (const [key, filed] of add) entry(terms, key, (): Filed[] => []).push(...filed);
  for (const filed of terms.values()) filed.sort((a, b) => a.note - b.note);
  putData(sql, row, filedBytes([...terms].toSorted(([a], [b]) => a - b)));
}

function writeLengths(sql: Sql, block: number, changes: readonly NoteLengths[]): void {
  const row = rowOf(block, LENGTHS);
  const lengths = new Map<number, readonly number[]>();
  const old = dataOf(sql, row);
  eachLength(old, (note, at, chunks) => lengths.set(note, lengthsAt(old, at, chunks)));
  for (const [note, now] of changes) {
    if (now) lengths.set(note, now);
    else lengths.delete(note);
  }
  putData(sql, row, lengthBytes([...lengths].toSorted(([a], [b]) => a - b)));
}

/** The last note of a block, by the row of its lengths. Notes are read in order, so only a later one may be put behind it. */
function lastNote(sql: Sql, row: number): number {
  let last = -1;
  eachLength(dataOf(sql, row), (note) => (last = note));
  return last;
}

const lastRow = (sql: Sql): number =>
  sql.get<{ id: number | null }>("SELECT max(id) AS id FROM postings")?.id ?? -1;

const rowsAt = (sql: Sql, ids: readonly number[]): { id: number; data: Uint8Array }[] =>
  sql.all("SELECT p.id, p.data FROM json_each(?) j JOIN postings p ON p.id = j.value", JSON.stringify(ids));

/** The lengths of the notes of these blocks (null: of all), as bytes. */
export function lengthRows(
  sql: Sql,
  wanted: readonly number[] | null,
): { block: number; data: Uint8Array }[] {
  const count = Math.floor(lastRow(sql) / ROWS) + 1;
  const blocks = wanted ?? Array.from({ length: count }, (_, block) => block);
  const rows = blocks.map((block) => rowOf(block, LENGTHS));
  return rowsAt(sql, rows).map(({ id, data }) => ({ block: Math.floor(id / ROWS), data }));
}

// Most rows do not hold a rare term: SQLite then does not even hand them over. Fresh notes come with them, by their number below zero: between two statements another process could file them.
const HOLDING = `SELECT j.key AS at, p.data FROM json_each(?) j JOIN postings p ON p.id = j.value
  WHERE instr(p.data, substr(?, 1 + ${KEY_BYTES} * (j.key % ?), ${KEY_BYTES})) > 0
  UNION ALL SELECT * FROM (SELECT -1 - id, data FROM fresh_postings ORDER BY id)`;

/** The places of each term, by its text, in the notes that may be seen. */
export function placesOf({ sql, pool, seen }: Search, terms: readonly Term[]): Map<string, Places> {
  const places = new Map(terms.map(({ text }): [string, Places] => [text, noPlaces(pool)]));
  const wanted = [...new Map(terms.map((term) => [term.text, term])).values()];
  if (wanted.length === 0) return places;
  const keys = new Uint8Array(KEY_BYTES * wanted.length);
  wanted.forEach(({ key }, at) => writeKey(keys, KEY_BYTES * at, key));
  const last = lastRow(sql);
  const rows: number[] = [];
  for (let block = 0; block * ROWS <= last; block++)
    for (const { bucket } of wanted) rows.push(rowOf(block, bucket));
  const inBucket = new Map<number, Term[]>();
  for (const term of wanted) entry(inBucket, term.bucket, (): Term[] => []).push(term);
  const isWanted = (bucket: number): boolean => inBucket.has(bucket);
  const found = sql.all<{ at: number; data: Uint8Array }>(HOLDING, JSON.stringify(rows), keys, wanted.length);
  for (const { at, data } of found) {
    if (at < 0) {
      const first = Math.floor((-1 - at) / BLOCK) * BLOCK;
      eachNumbered(data, isWanted, (bucket, bytes) => {
        for (const { text, key } of inBucket.get(bucket)!) readPlaces(bytes, key, first, places.get(text)!);
      });
      continue;
    }
    const { text, key } = wanted[at % wanted.length]!;
    readPlaces(data, key, Math.floor(at / wanted.length) * BLOCK, places.get(text)!);
  }
  if (seen) for (const each of places.values()) keepPlaces(each, seen());
  return places;
}
