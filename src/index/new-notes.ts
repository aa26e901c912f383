/** Many notes that are new to the index: made ready without the database, so that it can be done beside other work, and then put in. */

import type { Clock } from "../notebook/modified.ts";
import { makeNote } from "../notebook/note.ts";
import type { NewNote } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import type { Analyzer } from "../search/analyzer.ts";
import { lastNumber, newRows, putNewRows, type NewRows } from "./note-rows.ts";
import type { NoteWords } from "../search/note-words.ts";
import { newBlocks, type NewBlock } from "../search/postings.ts";
import type { Sql, SqlValue } from "../sqlite/sql.ts";
import { newText, putNewTexts } from "../search/text-rows.ts";

/** Plain values, which can be handed from one thread to another. The notes are numbered from `first` on. */
export type Ready = { first: number; rows: NewRows[]; texts: SqlValue[][]; blocks: NewBlock[] };

/** Notes to make ready: plain values too. `limit`: the most bytes a row may have (see Sql). */
export type NewSlice = { notes: readonly NewNote[]; first: number; limit?: number };

/** Makes a slice ready, or has it made ready `here`, in this thread. Where it is done is up to whoever opens the index. */
export type MakeReady = (slice: NewSlice, here: () => Promise<Ready>) => Promise<Ready>;

export const readyNotes = (analyzer: Analyzer, slice: NewSlice): Ready =>
  analyzer.lexicon.during(() => readyHeld(analyzer, slice));

/** One note after another: what was found in one is not held on to while the next is read. */
function readyHeld(analyzer: Analyzer, { notes, first, limit }: NewSlice): Ready {
  const rows: NewRows[] = [];
  const texts: SqlValue[][] = [];
  const words: { id: number; words: NoteWords }[] = [];
  for (const { path, stamp, bytes, version, modified } of notes) {
    const note = makeNote(path, bytes, version, modified);
    const text = newText(analyzer, note, limit);
    words.push({ id: first + rows.length, words: text.words });
    texts.push(text.row);
    rows.push(newRows(note, stamp));
  }
  return { first, rows, texts, blocks: newBlocks(analyzer.lexicon, words) };
}

/** Inside a transaction. False, and nothing done, where another came between: the numbers are taken, or one of the notes is there. */
export function putReady(sql: Sql, { first, rows, texts, blocks }: Ready, clock: Clock): boolean {
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
