/** Many notes that are new to the index: they are prepared without the database, in another thread where there is one, and then put in (decision 14). */

import type { Clock } from "../notebook/modified.ts";
import { makeNote } from "../notebook/note.ts";
import type { IndexRow, Version } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { encodeStamp } from "../notebook/stamp.ts";
import type { Analyzer } from "../search/analyzer.ts";
import { lastNumber, newRows, putNewRows, type NewRows } from "./note-rows.ts";
import type { NoteWords } from "../search/note-words.ts";
import { newBlocks, type NewBlock } from "../search/postings.ts";
import type { Sql } from "../sqlite/sql.ts";
import { prepareNewText, putNewTexts, type TextValues } from "../search/text-rows.ts";

/** Plain values, which can be handed from one thread to another. The notes are numbered from `first` on. */
export type PreparedNotes = { first: number; rows: NewRows[]; texts: TextValues[]; blocks: NewBlock[] };

/** Fewer new notes are not worth preparing apart, and longer ones are not handed over: what a dense one holds would be in memory several times. */
const MANY = 50;
const LONGEST = 16 * 1024;

export const areManyNew = (rows: readonly IndexRow[]): boolean =>
  rows.length >= MANY &&
  rows.every(({ seen, note }) => seen === null && note !== null && note.bytes.length <= LONGEST);

/** A note as it was read: plain values, and its stamp as it is stored. */
export type NewNote = { path: NotePath; stamp: string; bytes: Uint8Array; version: Version; modified: Date };

export const newNoteOf = ({ path, stamp, note }: IndexRow): NewNote => {
  const { bytes, version, modified } = note!;
  return { path, stamp: encodeStamp(stamp), bytes, version, modified };
};

/** Notes to prepare: plain values too. `limit` is the most bytes a row may have (see Sql). */
export type NewSlice = { notes: readonly NewNote[]; first: number; limit?: number };

/** Prepares a slice elsewhere, or calls `here`, which does it in this thread. Who opens the index decides. */
export type Prepare = (slice: NewSlice, here: () => Promise<PreparedNotes>) => Promise<PreparedNotes>;

export const prepareNotes = (analyzer: Analyzer, slice: NewSlice): PreparedNotes =>
  analyzer.lexicon.during(() => prepareHeld(analyzer, slice));

/** The notes are read one after another: what was found in one is not held on to while the next is read. */
function prepareHeld(analyzer: Analyzer, { notes, first, limit }: NewSlice): PreparedNotes {
  const rows: NewRows[] = [];
  const texts: TextValues[] = [];
  const words: { id: number; words: NoteWords }[] = [];
  for (const { path, stamp, bytes, version, modified } of notes) {
    const note = makeNote(path, bytes, version, modified);
    const text = prepareNewText(analyzer, note, limit);
    words.push({ id: first + rows.length, words: text.words });
    texts.push(text.row);
    rows.push(newRows(note, stamp));
  }
  return { first, rows, texts, blocks: newBlocks(analyzer.lexicon, words) };
}

/** Puts the notes in, inside a transaction. False, and nothing done, where the numbers are taken or one of the notes is there: another process came between. */
export function putPrepared(sql: Sql, { first, rows, texts, blocks }: PreparedNotes, clock: Clock): boolean {
  const paths = new Set(rows.map(({ path }) => path));
  if (paths.size < rows.length || lastNumber(sql) + 1 !== first || holdsAny(sql, paths)) return false;
  rows.forEach((row, at) => putNewRows(sql, first + at, row, clock));
  putNewTexts(sql, first, texts, blocks);
  return true;
}

const holdsAny = (sql: Sql, paths: ReadonlySet<NotePath>): boolean =>
  sql.get(
    "SELECT 1 FROM notes WHERE path IN (SELECT value FROM json_each(?)) LIMIT 1",
    JSON.stringify([...paths]),
  ) !== undefined;
