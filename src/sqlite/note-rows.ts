/** What the index keeps of a note: its row, its aliases, tags and links, and its text (text-rows.ts). Put in, changed and taken out together. */

import { LINK_LIMIT } from "../notebook/link-graph.ts";
import type { Note } from "../notebook/note.ts";
import { folderOf, type NotePath } from "../notebook/paths.ts";
import type { IndexRow, Stamp } from "../notebook/parts.ts";
import { fold, foldKey, linkKey } from "../notebook/resolve.ts";
import { contextOf } from "./link-context.ts";
import type { Sql, SqlValue } from "./sql.ts";
import { changeTexts } from "./text-rows.ts";

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

function applyBatch(sql: Sql, rows: readonly IndexRow[]): NotePath[] {
  const stale: NotePath[] = [];
  const changed: { id: number; held: boolean; note: Note | null; stamp: Stamp }[] = [];
  let last = sql.get<{ id: number | null }>("SELECT max(id) AS id FROM notes")?.id ?? 0;
  for (const { path, seen, note, stamp } of rows) {
    const held = heldNote(sql, path);
    if ((held?.stamp ?? null) !== seen) stale.push(path);
    // The same bytes at the same path are the same note: only its times may be new.
    else if (note && note.version === held?.version) putTimes(sql, held.id, timesOf(sql, note, stamp));
    else if (note || held) changed.push({ id: held?.id ?? ++last, held: held !== undefined, note, stamp });
  }
  if (changed.length === 0) return stale;
  changeTexts(sql, changed, () => {
    for (const { id, held, note, stamp } of changed) {
      if (held) dropParts(sql, id);
      if (!note) sql.run("DELETE FROM notes WHERE id = ?", id);
      else {
        putRow(sql, id, note, timesOf(sql, note, stamp));
        putNames(sql, id, note);
        putLinks(sql, id, note);
      }
    }
  });
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

function dropParts(sql: Sql, id: number): void {
  sql.run("DELETE FROM aliases WHERE note = ?", id);
  sql.run("DELETE FROM tags WHERE note = ?", id);
  sql.run("DELETE FROM links WHERE source = ?", id);
}
