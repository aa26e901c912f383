/** What the index keeps of a note: its row, its aliases, tags and links, and its text (search/text-rows.ts). They are put in, changed and taken out together; words may stay pending (decision 13). */

import type { LinkMark } from "../markdown/links.ts";
import { mayHoldQueries } from "../markdown/queries.ts";
import { LINK_LIMIT } from "../notebook/link-graph.ts";
import type { Clock, TimeFields } from "../notebook/modified.ts";
import type { Note } from "../notebook/note.ts";
import { folderOf, type NotePath } from "../notebook/paths.ts";
import type { IndexRow, Version } from "../notebook/parts.ts";
import { encodeStamp, isUnread, type Stamp } from "../notebook/stamp.ts";
import { fold, foldKey, linkKey } from "../notebook/resolve.ts";
import { createdOf } from "./created.ts";
import { contextOf } from "./link-context.ts";
import { rowTimes } from "./modified.ts";
import type { Search } from "../search/search.ts";
import type { Sql, SqlValue } from "../sqlite/sql.ts";
import { TAG_LIMIT, tagRows } from "./tag-rows.ts";
import { changeNotes } from "../search/text-rows.ts";

/** Nobody has more by hand; a note made to choke the index stops here. */
const ALIAS_LIMIT = 1_000;
const FILE_LINK_LIMIT = 10_000;
/** Fields as JSON above this length are not kept. */
const FIELDS_LIMIT = 100_000;

/** A note that the index holds. `stamp` is a Stamp as it is stored. */
export type Held = { id: number; stamp: string; version: string };

export const heldNote = (sql: Sql, path: string): Held | undefined =>
  sql.get<Held>("SELECT id, stamp, version FROM notes WHERE path = ?", path);

/** Whether the index still holds what a row was planned on. */
export const holds = (held: Held | undefined, seen: Stamp | null): boolean =>
  (held?.stamp ?? null) === (seen && encodeStamp(seen));

/** Puts rows in, inside a transaction. Gives back the paths of rows that were planned on another stamp than the one held. */
export function applyRows(search: Search, rows: readonly IndexRow[], clock: Clock): NotePath[] {
  const stale: NotePath[] = [];
  for (const batch of byDifferentPaths(rows)) stale.push(...applyBatch(search, batch, clock));
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

function applyBatch(search: Search, rows: readonly IndexRow[], clock: Clock): NotePath[] {
  const { sql } = search;
  const stale: NotePath[] = [];
  const changed: { id: number; held: boolean; note: Note | null; stamp: string }[] = [];
  let last: number | null = null;
  const nextNumber = (): number => (last = (last ?? lastNumber(sql)) + 1);
  for (const { path, seen, note, stamp: read } of rows) {
    const held = heldNote(sql, path);
    const stamp = encodeStamp(read);
    if (!holds(held, seen)) stale.push(path);
    else if (held && isUnread(read)) markUnread(sql, held, stamp);
    // Where path and bytes are as they were, only the times may be new.
    else if (note && note.version === held?.version) putTimes(sql, held.id, timesOf(sql, note, stamp, clock));
    else if (note || held)
      changed.push({ id: held?.id ?? nextNumber(), held: held !== undefined, note, stamp });
  }
  if (changed.length === 0) return stale;
  changeNotes(search, changed, () => {
    for (const { id, held, note, stamp } of changed) {
      if (note) {
        putRow(sql, id, held, [...timesOf(sql, note, stamp, clock), ...rowOf(note)]);
        for (const part of PARTS) putParts(sql, id, held, part, part.of(note));
      } else dropNote(sql, id);
    }
  });
  return stale;
}

/** What was last read of it is still found, and leads where it led. */
function markUnread(sql: Sql, held: Held, stamp: string): void {
  if (held.stamp !== stamp) sql.run("UPDATE notes SET stamp = ? WHERE id = ?", stamp, held.id);
}

/** Takes out the row of a note and what belongs to it, but for its text. */
export function dropNote(sql: Sql, id: number): void {
  sql.run("DELETE FROM notes WHERE id = ?", id);
  for (const part of PARTS) sql.run(part.drop, id);
}

const putTimes = (sql: Sql, id: number, times: SqlValue[]): void =>
  sql.run(`UPDATE notes SET ${TIMES.map((name) => `${name} = ?`).join(", ")} WHERE id = ?`, ...times, id);

const TIMES = "created dated modified saved counted due stamp".split(" ");
const COLUMNS = [
  ...TIMES,
  ..."path path_key folder_key name_key name title title_key handle type updated modified_field size version body_line".split(
    " ",
  ),
  ..."field_tags inline_tags fields queries".split(" "),
];
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

/** The columns without the times, which depend on the history too. */
export function rowOf(note: Note): SqlValue[] {
  const { path, fields } = note;
  const { type } = fields;
  const json = JSON.stringify(fields);
  return [
    path,
    foldKey(path),
    fold(folderOf(path)),
    linkKey(path),
    note.name,
    note.title,
    fold(note.title),
    note.id,
    typeof type === "string" ? type : null,
    written(fields["updated"]),
    written(fields["modified"]),
    note.bytes.length,
    note.version,
    note.front.bodyLine,
    JSON.stringify(note.tags.fields.slice(0, TAG_LIMIT)),
    JSON.stringify(note.tags.inline.slice(0, TAG_LIMIT)),
    json.length > FIELDS_LIMIT ? "{}" : json,
    Number(mayHoldQueries(note.text ?? "")),
  ];
}

type Dated = Pick<Note, "path" | "version" | "created" | "modified"> & { fields: TimeFields };

/** The columns of TIMES. */
export function timesOf(sql: Sql, note: Dated, stamp: string, clock: Clock): SqlValue[] {
  const { path, version, fields } = note;
  const saved = note.modified.getTime();
  const { modified, counted, due } = rowTimes(
    sql,
    { path, version, fields: writtenTimes(fields), saved },
    clock,
  );
  return [...createdOf(sql, note), modified, saved, counted, due, stamp];
}

const writtenTimes = ({ updated, modified }: TimeFields): TimeFields => ({
  updated: written(updated),
  modified: written(modified),
});
const written = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? String(value) : null;

/** Rows of another table that belong to a note: how they are read, put and taken out by its number, and which rows a note has, each once. */
type Part = { held: string; put: string; drop: string; of(note: Note): SqlValue[][] };

const partIn = (table: string, note: string, columns: string[], of: Part["of"]): Part => ({
  held: `SELECT ${columns.join(", ")} FROM ${table} WHERE ${note} = ?`,
  put: `INSERT OR IGNORE INTO ${table} (${note}, ${columns.join(", ")}) VALUES (?, ${columns.map(() => "?").join(", ")})`,
  drop: `DELETE FROM ${table} WHERE ${note} = ?`,
  of,
});

const LINK_COLUMNS = ["at", "key", "target", "form", "anchor", "label", "line", "body_line", "context"];
const ALIASES = partIn("aliases", "note", ["alias", "key"], (note) =>
  [...new Set(note.aliases.slice(0, ALIAS_LIMIT))].map((alias) => [alias, foldKey(alias)]),
);
const TAGS = partIn(
  "tags",
  "note",
  ["tag", "key", "path", "ways", "in_fields", "in_body"],
  ({ path, tags }) => tagRows(path, tags),
);
/** Links that can lead to attachments only. */
const FILE_LINKS = partIn("file_links", "source", LINK_COLUMNS, (note) =>
  linkRows(note, note.fileLinks.slice(0, FILE_LINK_LIMIT), 0),
);
export const NAMES = [ALIASES, TAGS, FILE_LINKS];

export const LINKS = partIn("links", "source", LINK_COLUMNS, (note) => linksOf(note, 0, LINK_LIMIT));
const PARTS = [...NAMES, LINKS];

/** The rows of a note's links, from one place among them to before another. */
export const linksOf = (note: Note, from: number, to: number): SqlValue[][] =>
  linkRows(note, note.links.slice(from, Math.min(to, LINK_LIMIT)), from);

const linkRows = (note: Note, links: readonly LinkMark[], from: number): SqlValue[][] =>
  links.map((link, at) => [
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

// Most changes of a note leave its links and tags as they were. `between` limits it to rows between two places.
export function putParts(
  sql: Sql,
  id: number,
  held: boolean,
  part: Part,
  rows: readonly SqlValue[][],
  between?: readonly [from: number, to: number],
): void {
  if (held) {
    const these = between ? " AND at >= ? AND at < ?" : "";
    const values = [id, ...(between ?? [])];
    if (rows.length > 0 && same(sql.all<object>(part.held + these, ...values).map(Object.values), rows))
      return;
    sql.run(part.drop + these, ...values);
  }
  for (const row of rows) sql.run(part.put, id, ...row);
}

function same(old: readonly SqlValue[][], rows: readonly SqlValue[][]): boolean {
  if (old.length !== rows.length) return false;
  const known = new Set(old.map((row) => JSON.stringify(row)));
  return rows.every((row) => known.has(JSON.stringify(row)));
}

/** The rows of a note that is new to the index. */
export type NewRows = {
  path: NotePath;
  stamp: string;
  version: Version;
  created: Date | null;
  modified: Date;
  fields: TimeFields;
  row: SqlValue[];
  parts: SqlValue[][][];
};

export const newRows = (note: Note, stamp: string): NewRows => ({
  path: note.path,
  stamp,
  version: note.version,
  created: note.created,
  modified: note.modified,
  fields: writtenTimes(note.fields),
  row: rowOf(note),
  parts: PARTS.map((part) => part.of(note)),
});

export function putNewRows(sql: Sql, id: number, note: NewRows, clock: Clock): void {
  putRow(sql, id, false, [...timesOf(sql, note, note.stamp, clock), ...note.row]);
  PARTS.forEach((part, which) => putParts(sql, id, false, part, note.parts[which]!));
}

export const lastNumber = (sql: Sql): number =>
  sql.get<{ id: number | null }>("SELECT max(id) AS id FROM notes")?.id ?? 0;
