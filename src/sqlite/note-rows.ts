/** What the index keeps of a note: its row, its aliases, tags and links, its text, and the words of it. Put in, changed and taken out together. */

import { LINK_LIMIT } from "../notebook/link-graph.ts";
import type { Note } from "../notebook/note.ts";
import { folderOf, withoutEnding, type NotePath } from "../notebook/paths.ts";
import type { IndexRow, Stamp } from "../notebook/parts.ts";
import { fold, foldKey, linkKey } from "../notebook/resolve.ts";
import { contextOf } from "./link-context.ts";
import { piecesOf } from "./pieces.ts";
import { WEIGHTS } from "./schema.ts";
import type { Sql, SqlValue } from "./sql.ts";

/** More than anyone tags by hand; a note made to choke the index stops here. */
const TAG_LIMIT = 5_000;
const ALIAS_LIMIT = 1_000;
/** A note is followed back through this many names. */
const MOVES = 100;
/** Fields as JSON above this length are not kept. */
const FIELDS_LIMIT = 100_000;

export type Held = { id: number; stamp: Stamp; version: string };

export const heldNote = (sql: Sql, path: string): Held | undefined =>
  sql.get<Held>("SELECT id, stamp, version FROM notes WHERE path = ?", path);

/** Inside a transaction. Gives back the paths of rows that were planned on another stamp than the one held. */
export function applyRows(sql: Sql, rows: readonly IndexRow[]): NotePath[] {
  const stale: NotePath[] = [];
  for (const batch of byDifferentPaths(rows)) stale.push(...applyBatch(sql, batch));
  return stale;
}

function byDifferentPaths(rows: readonly IndexRow[]): IndexRow[][] {
  const batches: IndexRow[][] = [[]];
  let paths = new Set<string>();
  for (const row of rows) {
    if (paths.has(row.path)) {
      batches.push([]);
      paths = new Set();
    }
    paths.add(row.path);
    batches.at(-1)!.push(row);
  }
  return batches;
}

// The full-text table empties its memory to disk whenever a statement that could fail half-way is begun, which most are.
// So its own work is done in two statements: all old words out, then, after everything else, all new words in.
function applyBatch(sql: Sql, rows: readonly IndexRow[]): NotePath[] {
  const stale: NotePath[] = [];
  const changed: (IndexRow & { held: Held | undefined })[] = [];
  for (const row of rows) {
    const held = heldNote(sql, row.path);
    if ((held?.stamp ?? null) !== row.seen) stale.push(row.path);
    // The same bytes at the same path are the same note: only its times may be new.
    else if (row.note && row.note.version === held?.version)
      putTimes(sql, held.id, timesOf(sql, row.note, row.stamp));
    else changed.push({ ...row, held });
  }
  dropWords(
    sql,
    changed.flatMap(({ held }) => held?.id ?? []),
  );
  let last = sql.get<{ id: number | null }>("SELECT max(id) AS id FROM notes")?.id ?? 0;
  const ids = changed.flatMap(({ note, stamp, held }) => {
    if (held) dropParts(sql, held.id);
    if (!note && held) sql.run("DELETE FROM notes WHERE id = ?", held.id);
    if (!note) return [];
    const id = held?.id ?? ++last;
    putRow(sql, id, note, timesOf(sql, note, stamp));
    putNames(sql, id, note);
    putLinks(sql, id, note);
    putText(sql, id, note);
    return [id];
  });
  putWords(sql, ids);
  return stale;
}

const putTimes = (sql: Sql, id: number, times: SqlValue[]): void =>
  sql.run("UPDATE notes SET created = ?, dated = ?, modified = ?, stamp = ? WHERE id = ?", ...times, id);

const COLUMNS =
  "path path_key folder_key name_key title title_key handle type created dated modified stamp updated size version body_line field_tags inline_tags fields".split(
    " ",
  );
// An update keeps the number, which is the order of coming.
const PUT = `INSERT INTO notes (id, ${COLUMNS.join(", ")}) VALUES (?, ${COLUMNS.map(() => "?").join(", ")})
  ON CONFLICT (id) DO UPDATE SET ${COLUMNS.map((name) => `${name} = excluded.${name}`).join(", ")}`;

function putRow(sql: Sql, id: number, note: Note, times: SqlValue[]): void {
  const { path, fields } = note;
  const { type } = fields;
  const json = JSON.stringify(fields);
  sql.run(
    PUT,
    id,
    path,
    foldKey(path),
    fold(folderOf(path)),
    linkKey(path),
    note.title,
    fold(note.title),
    note.id,
    typeof type === "string" ? type : null,
    ...times,
    shownTime(fields["updated"]) ?? shownTime(fields["modified"]),
    note.bytes.length,
    note.version,
    note.front.bodyLine,
    JSON.stringify(note.tags.fields.slice(0, TAG_LIMIT)),
    JSON.stringify(note.tags.inline.slice(0, TAG_LIMIT)),
    json.length > FIELDS_LIMIT ? "{}" : json,
  );
}

/** created, dated, modified, stamp */
function timesOf(sql: Sql, note: Note, stamp: Stamp): SqlValue[] {
  const modified = note.modified.getTime();
  const known = note.created?.getTime() ?? firstRecorded(sql, note.path);
  // A note older than its first recording has an older time of its own.
  return [
    note.created ? known : Math.min(known ?? modified, modified),
    Number(known !== null),
    modified,
    stamp,
  ];
}

/** When the history first saw this note, under whatever name. */
function firstRecorded(sql: Sql, path: string): number | null {
  let name = path;
  let end = Number.MAX_SAFE_INTEGER;
  for (let moves = 0; moves < MOVES; moves++) {
    const came = sql.get<{ number: number; moved_from: string | null; date: number }>(
      `SELECT t.number, t.moved_from, r.date FROM touches t JOIN revisions r ON r.number = t.number
       WHERE t.path = ? AND t.number < ? AND t.version IS NOT NULL AND (t.before IS NULL OR t.moved_from IS NOT NULL)
       ORDER BY t.number DESC LIMIT 1`,
      name,
      end,
    );
    if (!came) return null;
    if (came.moved_from === null) return came.date;
    ({ moved_from: name, number: end } = came as { moved_from: string; number: number });
  }
  return null;
}

const shownTime = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? String(value) : null;

function putNames(sql: Sql, id: number, note: Note): void {
  for (const alias of note.aliases.slice(0, ALIAS_LIMIT))
    sql.run("INSERT OR IGNORE INTO aliases VALUES (?, ?, ?)", id, alias, foldKey(alias));
  const inFields = new Set(note.tags.fields.slice(0, TAG_LIMIT));
  const inBody = new Set(note.tags.inline.slice(0, TAG_LIMIT));
  for (const tag of new Set([...inFields, ...inBody]))
    sql.run(
      "INSERT INTO tags VALUES (?, ?, ?, ?, ?)",
      id,
      tag,
      fold(tag),
      Number(inFields.has(tag)),
      Number(inBody.has(tag)),
    );
}

function putLinks(sql: Sql, id: number, note: Note): void {
  const text = note.text ?? "";
  note.links.slice(0, LINK_LIMIT).forEach((link, at) => {
    sql.run(
      "INSERT INTO links VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      id,
      at,
      linkKey(link.target),
      link.target,
      link.form,
      link.anchor,
      link.label,
      link.line,
      link.where === "fields" ? 0 : link.line - note.front.bodyLine + 1,
      contextOf(text, link.start, link.end),
    );
  });
}

const TEXT_COLUMNS = Object.keys(WEIGHTS).join(", ");

function putText(sql: Sql, id: number, note: Note): void {
  const title = note.title.normalize("NFC");
  const aliases = note.aliases.slice(0, ALIAS_LIMIT).join("\n").normalize("NFC");
  const path = withoutEnding(note.path).normalize("NFC");
  const tags = [...note.tags.fields, ...note.tags.inline].slice(0, TAG_LIMIT).join("\n").normalize("NFC");
  const names = piecesOf(`${title}\n${aliases}\n${path}\n${tags}`);
  let body = (note.text ?? "").slice(note.front.bodyStart).normalize("NFC");
  let extra = [names, piecesOf(body)].join(" ").trim();
  // Where a row may not be large, the end of a very long note is not searched.
  while (sql.valueLimit !== undefined && bytesOf(body, extra) > sql.valueLimit) {
    body = body.slice(0, Math.floor(body.length * 0.9));
    extra = [names, piecesOf(body)].join(" ").trim();
  }
  sql.run("INSERT INTO texts VALUES (?, ?, ?, ?, ?, ?, ?)", id, title, aliases, path, tags, body, extra);
}

// What the row holds besides is small.
const bytesOf = (...texts: string[]): number =>
  texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 20_000);

function dropParts(sql: Sql, id: number): void {
  sql.run("DELETE FROM aliases WHERE note = ?", id);
  sql.run("DELETE FROM tags WHERE note = ?", id);
  sql.run("DELETE FROM links WHERE source = ?", id);
  sql.run("DELETE FROM texts WHERE id = ?", id);
}

const THESE = "FROM texts WHERE id IN (SELECT value FROM json_each(?))";

// The full-text table keeps no text: it must be told what it was given, or its counts go wrong for good.
function dropWords(sql: Sql, ids: readonly number[]): void {
  if (ids.length > 0)
    sql.run(
      `INSERT INTO words (words, rowid, ${TEXT_COLUMNS}) SELECT 'delete', id, ${TEXT_COLUMNS} ${THESE}`,
      JSON.stringify(ids),
    );
}

function putWords(sql: Sql, ids: readonly number[]): void {
  if (ids.length > 0)
    sql.run(
      `INSERT INTO words (rowid, ${TEXT_COLUMNS}) SELECT id, ${TEXT_COLUMNS} ${THESE}`,
      JSON.stringify(ids),
    );
}
