/** The text of notes as it is searched: stored once, with its words in the full-text table and its terms in the postings. They are put in, changed and taken out together; at once, or pending until somebody searches (decision 13). */

import { NoteError } from "../markdown/errors.ts";
import { atOnce, type Steps } from "../markdown/steps.ts";
import type { Note } from "../notebook/note.ts";
import { withoutEnding } from "../notebook/paths.ts";
import type { Analyzer } from "./analyzer.ts";
import { keptBody, plainBody } from "./bodies.ts";
import { dropFullText, putFullText, type FullText } from "./full-text.ts";
import { readWords, wordsOf, type NoteWords, type WordSource } from "./note-words.ts";
import { bodyOf, labelsOf, type Outline, type StoredLabel, type StoredSection } from "./outline.ts";
import { changeWords, putNewBlocks, type NewBlock } from "./postings.ts";
import { withoutUnspaced } from "./scripts.ts";
import type { Search } from "./search.ts";
import type { Sql } from "../sqlite/sql.ts";

/** Nobody writes more names by hand; a note made to choke the index stops here. */
const NAMES = 5_000;

/** What of a note is searched, as it is kept while it is pending. */
type NoteText = {
  title: string;
  aliases: string;
  path: string;
  tags: string;
  body: string;
  sections: StoredSection[];
  labels: StoredLabel[];
};
/** One row of `texts`. */
type TextRow = Omit<NoteText, "sections" | "labels"> & {
  id: number;
  spaced: string | null;
  extra: string;
  outline: string;
};
type KeptRow = Omit<TextRow, "body"> & { body: string | Uint8Array };
/** A row of `texts` without its number, in the order of its columns. */
export type TextValues = [
  title: string,
  aliases: string,
  path: string,
  tags: string,
  body: string,
  spaced: string | null,
  extra: string,
  outline: string,
];
/** A text with its words, ready to be put in, as long as the lexicon is held. */
export type PreparedText = { row: TextValues; words: NoteWords };
/** `text` is null for a note that goes. `before`: the words of the stored text, where they were read already. */
type TextChange = { id: number; text: NoteText | PreparedText | null; before?: NoteWords };

/** Notes whose words may be pending at a time: the next search puts in all of them, so they are few, and none of them is long. */
const PENDING = 50;
const PENDING_LENGTH = 64 * 1024;

/**
 * Replaces what these notes were by what they are, inside a transaction. `meanwhile` does whatever else there is to do. The words of a few
 * notes stay pending: who changes a note waits for its row, links and tags, and need not wait for its words. Where rows are paid for, none do.
 */
export function changeNotes(
  search: Search,
  notes: readonly { id: number; note: Note | null }[],
  meanwhile: () => void,
): void {
  const { sql } = search;
  const changes = notes.map(({ id, note }) => ({ id, text: note && textOf(note) }));
  const { count } = sql.get<{ count: number }>("SELECT count(*) AS count FROM pending_texts")!;
  const pending =
    sql.paidRows || count + changes.length > PENDING
      ? null
      : changes.map(({ id, text }) => ({ id, json: text && JSON.stringify(text) }));
  if (pending?.every(({ json }) => json === null || json.length <= PENDING_LENGTH)) {
    meanwhile();
    for (const { id, json } of pending)
      sql.run("INSERT OR REPLACE INTO pending_texts VALUES (?, ?)", id, json);
    return;
  }
  const now = new Set(changes.map(({ id }) => id));
  changeTexts(search, [...pendingIn(sql).filter(({ id }) => !now.has(id)), ...changes], meanwhile);
  sql.run("DELETE FROM pending_texts");
}

/** Reads the words of a stored text, in steps; null where none is stored. The caller holds the lexicon. */
export function* storedWords({ analyzer, sql }: Search, id: number): Steps<NoteWords | null> {
  const row = sql.get<KeptRow>("SELECT * FROM texts WHERE id = ?", id);
  return row ? yield* readWords(analyzer, sourceOf(plainRow(sql, row))) : null;
}

/** Takes the text of a note out, whose words were read before, inside a transaction. */
export const dropText = (search: Search, id: number, before: NoteWords): void =>
  changeTexts(search, [{ id, text: null, before }], () => undefined);

/** Puts in a text that was prepared before, inside a transaction. */
export const putPreparedText = (
  search: Search,
  id: number,
  text: PreparedText,
  meanwhile: () => void,
): void => changeTexts(search, [{ id, text }], meanwhile);

/** Prepares the text of a note, in steps. The caller holds the lexicon. */
export function* prepareText({ analyzer, sql }: Search, note: Note): Steps<PreparedText> {
  const text = textOf(note);
  yield;
  return yield* prepared(analyzer, text, sql.valueLimit);
}

/** Puts in the words that are pending; called before texts are searched. Where another process is writing, they stay pending. */
export function flushWords(search: Search): void {
  const { sql } = search;
  if (!sql.get("SELECT 1 FROM pending_texts LIMIT 1")) return;
  try {
    sql.transaction(() => {
      changeTexts(search, pendingIn(sql), () => undefined);
      sql.run("DELETE FROM pending_texts");
    });
  } catch (error) {
    if (!(error instanceof NoteError && error.code === "busy")) throw error;
  }
}

const pendingIn = (sql: Sql): TextChange[] =>
  sql
    .all<{ id: number; text: string | null }>("SELECT id, text FROM pending_texts")
    .map(({ id, text }) => ({ id, text: text === null ? null : (JSON.parse(text) as NoteText) }));

// The full-text table empties its memory to disk whenever a statement that could fail half-way is begun, which most are; so its own
// work is done in two statements: all old words out, then, after everything else, all new words in.
const changeTexts = (search: Search, changes: readonly TextChange[], meanwhile: () => void): void =>
  search.analyzer.lexicon.during(() => changeHeld(search, changes, meanwhile));

function changeHeld(search: Search, changes: readonly TextChange[], meanwhile: () => void): void {
  const { sql, analyzer } = search;
  const ids = JSON.stringify(changes.map(({ id }) => id));
  const known = new Map(changes.map(({ id, before }) => [id, before]));
  const old = sql.all<KeptRow>(`SELECT * ${THESE}`, ids).map((row) => plainRow(sql, row));
  const before = new Map(
    old.map((row): [number, NoteWords] => [row.id, known.get(row.id) ?? wordsOf(analyzer, sourceOf(row))]),
  );
  dropFullText(
    sql,
    old.map(({ id, title, aliases, path, tags, body, spaced, extra }) => [
      id,
      title,
      aliases,
      path,
      tags,
      spaced ?? body,
      extra,
    ]),
  );
  const gone = changes.filter(({ text }) => !text).map(({ id }) => id);
  if (gone.length > 0) sql.run(`DELETE ${THESE}`, JSON.stringify(gone));
  meanwhile();
  const fullTexts: FullText[] = [];
  const put = (id: number, text: NoteText | PreparedText): NoteWords => {
    const { row, words } = "words" in text ? text : atOnce(prepared(analyzer, text, sql.valueLimit));
    putText(sql, id, row);
    fullTexts.push(fullTextOf(id, row));
    return words;
  };
  changeWords(
    search,
    changes.map(({ id, text }) => ({ id, before: before.get(id) ?? null, after: text && put(id, text) })),
  );
  putFullText(sql, fullTexts);
}

const fullTextOf = (id: number, [title, aliases, path, tags, body, spaced, extra]: TextValues): FullText => [
  id,
  title,
  aliases,
  path,
  tags,
  spaced ?? body,
  extra,
];

const plainRow = (sql: Sql, row: KeptRow): TextRow => ({ ...row, body: plainBody(sql, row.body) });

const TEXT_COLUMNS = ["title", "aliases", "path", "tags", "body", "spaced", "extra", "outline"];
const GIVEN = "WHERE id IN (SELECT value FROM json_each(?))";
const THESE = `FROM texts ${GIVEN}`;

function textOf(note: Note): NoteText {
  return {
    title: note.title.normalize("NFC"),
    aliases: note.aliases.slice(0, NAMES).join("\n").normalize("NFC"),
    path: withoutEnding(note.path).normalize("NFC"),
    tags: [...note.tags.fields, ...note.tags.inline].slice(0, NAMES).join("\n").normalize("NFC"),
    ...bodyOf(note),
    labels: labelsOf(note),
  };
}

/** A row that is there is changed, not replaced: Durable Objects are paid for by the rows written. */
const PUT = `INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET ${TEXT_COLUMNS.map(
  (column) => `${column} = excluded.${column}`,
).join(", ")}`;

function putText(sql: Sql, id: number, row: TextValues): void {
  const [title, aliases, path, tags, body, ...rest] = row;
  sql.run(PUT, id, title, aliases, path, tags, keptBody(sql, body), ...rest);
}

/** The row of a text without its number, and its words. `limit` is the `valueLimit` of Sql. */
function* prepared(
  analyzer: Analyzer,
  { body, sections, labels, ...names }: NoteText,
  limit: number | undefined,
): Steps<PreparedText> {
  let kept = body;
  for (;;) {
    const inside = sections.filter(([start]) => start < kept.length);
    const words = yield* readWords(analyzer, {
      ...names,
      body: kept,
      sections: inside.map(sectionStart),
      labels,
    });
    const outline: Outline = { sections: inside, labels, chunks: words.starts };
    const spaced = words.unspaced ? withoutUnspaced(kept) : null;
    const { title, aliases, path, tags } = names;
    const row: TextValues = [title, aliases, path, tags, kept, spaced, words.extra, JSON.stringify(outline)];
    // Where a row may not be large, the end of a very long note is not searched.
    if (limit === undefined || kept === "" || bytesOf(row) <= limit) return { row, words };
    kept = kept.slice(0, Math.floor(kept.length * 0.9));
  }
}

const sectionStart = ([start, , heading]: StoredSection): WordSource["sections"][number] => ({
  start,
  heading,
});

function sourceOf(row: TextRow): WordSource {
  const { sections, labels } = JSON.parse(row.outline) as Outline;
  return { ...row, sections: sections.map(sectionStart), labels };
}

const bytesOf = (texts: readonly (string | null)[]): number =>
  texts.reduce((sum, text) => sum + new TextEncoder().encode(text ?? "").length, 1000);

/** The text of a note that is new to the index. The caller holds the lexicon. */
export const prepareNewText = (analyzer: Analyzer, note: Note, limit: number | undefined): PreparedText =>
  atOnce(prepared(analyzer, textOf(note), limit));

/** Puts in new texts, numbered from `first` on. This is the last thing in its transaction (see changeTexts). */
export function putNewTexts(
  sql: Sql,
  first: number,
  rows: readonly TextValues[],
  blocks: readonly NewBlock[],
): void {
  rows.forEach((row, at) => putText(sql, first + at, row));
  putNewBlocks(sql, blocks);
  putFullText(
    sql,
    rows.map((row, at) => fullTextOf(first + at, row)),
  );
}
