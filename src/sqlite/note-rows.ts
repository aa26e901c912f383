/** What the index keeps of a note: its row, its aliases, tags and links, and its text (text-rows.ts). Put in, changed and taken out together. */

import { LINK_LIMIT } from "../notebook/link-graph.ts";
import type { Note } from "../notebook/note.ts";
import { folderOf, type NotePath } from "../notebook/paths.ts";
import type { IndexRow, Stamp } from "../notebook/parts.ts";
import { fold, foldKey, linkKey } from "../notebook/resolve.ts";
import { createdOf } from "./created.ts";
import { contextOf } from "./link-context.ts";
import type { Sql, SqlValue } from "./sql.ts";
import { TAG_LIMIT, tagRows } from "./tag-rows.ts";
import { changeNotes } from "./text-rows.ts";

/** More than anyone has by hand; a note made to choke the index stops here. */
const ALIAS_LIMIT = 1_000;
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
  changeNotes(sql, changed, () => {
    for (const { id, held, note, stamp } of changed) {
      if (note) putRow(sql, id, held, rowOf(note, timesOf(sql, note, stamp)));
      else sql.run("DELETE FROM notes WHERE id = ?", id);
      for (const part of [...NAMES, LINKS]) putParts(sql, id, held, part, note ? part.of(note) : []);
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
const PUT = `INSERT INTO notes (id, ${COLUMNS.join(", ")}) VALUES (?, ${COLUMNS.map(() => "?").join(", ")})`;
const HELD = `SELECT ${COLUMNS.join(", ")} FROM notes WHERE id = ?`;

// An update keeps the number, which is the order of coming; and writes only what is new, because every column that is
// written is written to its index too.
export function putRow(sql: Sql, id: number, held: boolean, row: SqlValue[]): void {
  if (!held) return sql.run(PUT, id, ...row);
  const old = sql.get<Record<string, SqlValue>>(HELD, id)!;
  const changed = COLUMNS.flatMap((name, at) => (old[name] === row[at] ? [] : [at]));
  if (changed.length === 0) return;
  const set = changed.map((at) => `${COLUMNS[at]} = ?`).join(", ");
  sql.run(`UPDATE notes SET ${set} WHERE id = ?`, ...changed.map((at) => row[at]!), id);
}

export function rowOf(note: Note, times: SqlValue[]): SqlValue[] {
  const { path, fields } = note;
  const { type } = fields;
  const json = JSON.stringify(fields);
  return [
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
  ];
}

/** created, dated, modified, stamp */
export const timesOf = (sql: Sql, note: Note, stamp: Stamp): SqlValue[] => [
  ...createdOf(sql, note),
  note.modified.getTime(),
  stamp,
];

const shownTime = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? String(value) : null;

/** Rows of another table that belong to a note: their columns but for its number, and what they are of a note, each different. */
type Part = { table: string; note: string; columns: string[]; of(note: Note): SqlValue[][] };

const ALIASES: Part = {
  table: "aliases",
  note: "note",
  columns: ["alias", "key"],
  of: (note) => [...new Set(note.aliases.slice(0, ALIAS_LIMIT))].map((alias) => [alias, foldKey(alias)]),
};
const TAGS: Part = {
  table: "tags",
  note: "note",
  columns: ["tag", "key", "path", "ways", "in_fields", "in_body"],
  of: ({ path, tags }) => tagRows(path, tags),
};
export const NAMES = [ALIASES, TAGS];

export const LINKS: Part = {
  table: "links",
  note: "source",
  columns: ["at", "key", "target", "form", "anchor", "label", "line", "body_line", "context"],
  of: (note) => linksOf(note, 0, LINK_LIMIT),
};

/** Those from one place among the note's links to before another. */
export const linksOf = (note: Note, from: number, to: number): SqlValue[][] =>
  note.links
    .slice(from, Math.min(to, LINK_LIMIT))
    .map((link, at) => [
      from + at,
      linkKey(link.target),
      link.target,
      link.form,
      link.anchor,
      link.label,
      link.line,
      link.where === "fields" ? 0 : link.line - note.front.bodyLine + 1,
      contextOf(note.text ?? "", link.start, link.end),
    ]);

// Most changes of a note leave its links and tags as they were. `between`: only those rows of it, by their place.
export function putParts(
  sql: Sql,
  id: number,
  held: boolean,
  part: Part,
  rows: readonly SqlValue[][],
  between?: readonly [from: number, to: number],
): void {
  const { table, note, columns } = part;
  if (held) {
    const these = `FROM ${table} WHERE ${note} = ? ${between ? "AND at >= ? AND at < ?" : ""}`;
    const values = [id, ...(between ?? [])];
    const old = sql.all<object>(`SELECT ${columns.join(", ")} ${these}`, ...values);
    if (same(old.map(Object.values), rows)) return;
    sql.run(`DELETE ${these}`, ...values);
  }
  const put = `INSERT OR IGNORE INTO ${table} (${note}, ${columns.join(", ")}) VALUES (?, ${columns.map(() => "?").join(", ")})`;
  for (const row of rows) sql.run(put, id, ...row);
}

function same(old: readonly SqlValue[][], rows: readonly SqlValue[][]): boolean {
  if (old.length !== rows.length) return false;
  const known = new Set(old.map((row) => JSON.stringify(row)));
  return rows.every((row) => known.has(JSON.stringify(row)));
}
