/** The text of notes as it is searched: stored once, with its words in the full-text table and its terms in the postings. Put in, changed and taken out together; at once, or owed until somebody searches. */

import { NoteError } from "../markdown/errors.ts";
import { atOnce, type Steps } from "../markdown/steps.ts";
import type { Note } from "../notebook/note.ts";
import { withoutEnding } from "../notebook/paths.ts";
import type { Analyzer } from "./analyzer.ts";
import { readWords, wordsOf, type NoteWords, type Searched } from "./note-words.ts";
import { bodyOf, labelsOf, type Outline, type StoredLabel, type StoredSection } from "./outline.ts";
import { changeWords, putNewBlocks, type NewBlock } from "./postings.ts";
import { WORD_COLUMNS } from "./text-tables.ts";
import { withoutUnspaced } from "./scripts.ts";
import type { Search } from "./search.ts";
import type { Sql, SqlValue } from "../sqlite/sql.ts";

/** More than anyone writes by hand; a note made to choke the index stops here. */
const NAMES = 5_000;

/** What of a note is searched. */
type Text = {
  title: string;
  aliases: string;
  path: string;
  tags: string;
  body: string;
  sections: StoredSection[];
  labels: StoredLabel[];
};
/** One row of `texts`. */
type Stored = Omit<Text, "sections" | "labels"> & { id: number; outline: string };
/** A text with its words: what is put in. Good as long as the lexicon is held. */
export type ReadyText = { row: SqlValue[]; words: NoteWords };
/** Null for a note that goes. */
type TextChange = { id: number; text: Text | ReadyText | null };

/** Notes whose texts may be owed at a time: a search that comes right then puts in all of them, so none of them is long. */
const OWED = 50;
const OWED_LENGTH = 64 * 1024;

/**
 * Inside a transaction: what these notes were is replaced by what they are. `meanwhile` does whatever else there is to do. A few notes'
 * texts are only noted down: whoever changes a note waits for its row, links and tags, and need not wait for its words.
 */
export function changeNotes(
  search: Search,
  notes: readonly { id: number; note: Note | null }[],
  meanwhile: () => void,
): void {
  const { sql } = search;
  const changes = notes.map(({ id, note }) => ({ id, text: note && textOf(note) }));
  const { count } = sql.get<{ count: number }>("SELECT count(*) AS count FROM owed")!;
  const owing =
    count + changes.length > OWED
      ? null
      : changes.map(({ id, text }) => ({ id, json: text && JSON.stringify(text) }));
  if (owing?.every(({ json }) => json === null || json.length <= OWED_LENGTH)) {
    meanwhile();
    for (const { id, json } of owing) sql.run("INSERT OR REPLACE INTO owed VALUES (?, ?)", id, json);
    return;
  }
  const now = new Set(changes.map(({ id }) => id));
  changeTexts(search, [...owedIn(sql).filter(({ id }) => !now.has(id)), ...changes], meanwhile);
  sql.run("DELETE FROM owed");
}

/** Inside a transaction, for a note that goes in by several: the text that was held of it goes. */
export const dropText = (search: Search, id: number): void =>
  changeTexts(search, [{ id, text: null }], () => undefined);

/** The same: a text comes that was made ready before. */
export const putReady = (search: Search, id: number, text: ReadyText, meanwhile: () => void): void =>
  changeTexts(search, [{ id, text }], meanwhile);

/** While the lexicon is held. */
export function* readyText({ analyzer, sql }: Search, note: Note): Steps<ReadyText> {
  const text = textOf(note);
  yield;
  return yield* ready(analyzer, text, sql.valueLimit);
}

/** Before texts are asked for anything. Where another process is writing, they are asked as they are. */
export function settleTexts(search: Search): void {
  const { sql } = search;
  if (!sql.get("SELECT 1 FROM owed LIMIT 1")) return;
  try {
    sql.transaction(() => {
      changeTexts(search, owedIn(sql), () => undefined);
      sql.run("DELETE FROM owed");
    });
  } catch (error) {
    if (!(error instanceof NoteError && error.code === "busy")) throw error;
  }
}

const owedIn = (sql: Sql): TextChange[] =>
  sql
    .all<{ id: number; text: string | null }>("SELECT id, text FROM owed")
    .map(({ id, text }) => ({ id, text: text === null ? null : (JSON.parse(text) as Text) }));

// The full-text table empties its memory to disk whenever a statement that could fail half-way is begun, which most are; so its own
// work is done in two statements: all old words out, then, after everything else, all new words in.
const changeTexts = (search: Search, changes: readonly TextChange[], meanwhile: () => void): void =>
  search.analyzer.lexicon.during(() => changeHeld(search, changes, meanwhile));

function changeHeld(search: Search, changes: readonly TextChange[], meanwhile: () => void): void {
  const { sql, analyzer } = search;
  const ids = JSON.stringify(changes.map(({ id }) => id));
  const before = new Map(
    sql
      .all<Stored>(`SELECT * ${THESE}`, ids)
      .map((row): [number, NoteWords] => [row.id, wordsOf(analyzer, searchedOf(row))]),
  );
  // The full-text table keeps no text: it must be told what it was given, or its counts go wrong for good.
  sql.run(
    `INSERT INTO words (words, rowid, ${WORD_COLUMNS}) SELECT 'delete', id, ${WORD_COLUMNS} ${SEARCHED}`,
    ids,
  );
  sql.run(`DELETE ${THESE}`, ids);
  meanwhile();
  changeWords(
    search,
    changes.map(({ id, text }) => ({
      id,
      before: before.get(id) ?? null,
      after: text && putText(sql, id, "words" in text ? text : atOnce(ready(analyzer, text, sql.valueLimit))),
    })),
  );
  putFullText(sql, ids);
}

const putFullText = (sql: Sql, ids: string): void =>
  sql.run(`INSERT INTO words (rowid, ${WORD_COLUMNS}) SELECT id, ${WORD_COLUMNS} ${SEARCHED}`, ids);

const GIVEN = "WHERE id IN (SELECT value FROM json_each(?))";
const THESE = `FROM texts ${GIVEN}`;
const SEARCHED = `FROM searched ${GIVEN}`;

function textOf(note: Note): Text {
  return {
    title: note.title.normalize("NFC"),
    aliases: note.aliases.slice(0, NAMES).join("\n").normalize("NFC"),
    path: withoutEnding(note.path).normalize("NFC"),
    tags: [...note.tags.fields, ...note.tags.inline].slice(0, NAMES).join("\n").normalize("NFC"),
    ...bodyOf(note),
    labels: labelsOf(note),
  };
}

const PUT = "INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";

function putText(sql: Sql, id: number, { row, words }: ReadyText): NoteWords {
  sql.run(PUT, id, ...row);
  return words;
}

/** The row of a text but for its number, and its words. `limit`: see Sql. */
function* ready(
  analyzer: Analyzer,
  { body, sections, labels, ...names }: Text,
  limit: number | undefined,
): Steps<ReadyText> {
  let kept = body;
  for (;;) {
    const inside = sections.filter(([start]) => start < kept.length);
    const words = yield* readWords(analyzer, { ...names, body: kept, sections: inside.map(placeOf), labels });
    const outline: Outline = { sections: inside, labels, chunks: words.starts };
    const spaced = words.unspaced ? withoutUnspaced(kept) : null;
    const row = [...Object.values(names), kept, spaced, words.extra, JSON.stringify(outline)];
    // Where a row may not be large, the end of a very long note is not searched.
    if (limit === undefined || kept === "" || bytesOf(row) <= limit) return { row, words };
    kept = kept.slice(0, Math.floor(kept.length * 0.9));
  }
}

const placeOf = ([start, , heading]: StoredSection): Searched["sections"][number] => ({ start, heading });

function searchedOf(row: Stored): Searched {
  const { sections, labels } = JSON.parse(row.outline) as Outline;
  return { ...row, sections: sections.map(placeOf), labels };
}

const bytesOf = (texts: readonly (string | null)[]): number =>
  texts.reduce((sum, text) => sum + new TextEncoder().encode(text ?? "").length, 1000);

/** The text of a note that is new to the index. Its words are good as long as the lexicon is held. */
export const newText = (analyzer: Analyzer, note: Note, limit: number | undefined): ReadyText =>
  atOnce(ready(analyzer, textOf(note), limit));

/** Inside a transaction, and as the last thing there (see changeTexts). Numbered from `first` on. */
export function putNewTexts(
  sql: Sql,
  first: number,
  rows: readonly SqlValue[][],
  blocks: readonly NewBlock[],
): void {
  rows.forEach((row, at) => sql.run(PUT, first + at, ...row));
  putNewBlocks(sql, blocks);
  putFullText(sql, JSON.stringify(rows.map((_, at) => first + at)));
}
