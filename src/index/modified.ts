/** The time by which a note is listed: its fields, its file and the ledger together (notebook/modified.ts). It is kept true when the ledger learns, when the clock passes a field, and when the time zone changes. */

import {
  changedAt,
  fieldTimes,
  modifiedAt,
  type Clock,
  type LastChange,
  type TimeFields,
} from "../notebook/modified.ts";
import type { Revision, Version } from "../notebook/parts.ts";
import type { Sql } from "../sqlite/sql.ts";

/** A note is followed back through this many names. */
const MOVES = 100;

/** What a row's time is made of. `saved` is the file's time. */
export type Timed = { path: string; version: Version; fields: TimeFields; saved: number };

/** `counted` is the time in the fields that counts; `due` says when that changes. */
export type RowTimes = { modified: number; counted: number | null; due: number | null };

export function rowTimes(sql: Sql, note: Timed, clock: Clock): RowTimes {
  const { counted, due } = fieldTimes(note.fields, clock);
  return { modified: modifiedAt(counted, lastChange(sql, note), note.saved), counted, due };
}

type Touch = {
  number: number;
  moved_from: string | null;
  before: string | null;
  version: string | null;
  changed: number | null;
};

/** What the ledger knows of the text that a note has now. */
function lastChange(sql: Sql, { path, version }: Pick<Timed, "path" | "version">): LastChange {
  const newest = sql.get<Touch>("SELECT * FROM touches WHERE path = ? ORDER BY number DESC LIMIT 1", path);
  if (!newest || newest.version === null) return null;
  const away = sql.get("SELECT 1 FROM touches WHERE moved_from = ? AND number > ?", path, newest.number);
  if (away) return null;
  return newest.version === version ? changeBefore(sql, path) : "since";
}

/** The last change under any name; not beyond where the note was found, or had been gone. */
function changeBefore(sql: Sql, path: string): number | null {
  let [name, end] = [path, Number.MAX_SAFE_INTEGER];
  for (let moves = 0; moves < MOVES; moves++) {
    const touch = sql.get<Touch>(
      `SELECT * FROM touches WHERE path = ? AND number < ? AND
       (changed IS NOT NULL OR moved_from IS NOT NULL OR before IS NULL OR version IS NULL)
       ORDER BY number DESC LIMIT 1`,
      name,
      end,
    );
    if (!touch || touch.version === null) return null;
    if (touch.changed !== null || touch.moved_from === null) return touch.changed;
    [name, end] = [touch.moved_from, touch.number];
  }
  return null;
}

type Row = {
  id: number;
  path: string;
  version: string;
  saved: number;
  counted: number | null;
  updated: string | null;
  modified_field: string | null;
};
const ROW = "SELECT id, path, version, saved, counted, updated, modified_field FROM notes";

/** Called by the ledger, in its transaction, with what it has just learned: whichever comes first, a note's row or its past, the row ends up the same. */
export function learnChanges(sql: Sql, revisions: readonly Revision[]): void {
  const [first] = revisions;
  const begins =
    sql.get("SELECT 1 FROM revisions WHERE number = 1 AND id = ?", first?.id ?? "") !== undefined;
  for (const revision of revisions)
    for (const change of revision.changes) {
      const row = sql.get<Row>(`${ROW} WHERE path = ?`, change.path);
      // The first recording of a vault finds very many notes, and tells nothing new of one that is as it was found.
      const found = begins && revision === first && changedAt(revision, change) === null;
      if (!row || (found && row.version === change.version)) continue;
      const modified = modifiedAt(row.counted, lastChange(sql, row), row.saved);
      sql.run("UPDATE notes SET modified = ? WHERE id = ? AND modified <> ?", modified, row.id, modified);
    }
}

/** The ledger has forgotten everything. */
export const forgetChanges = (sql: Sql): void =>
  sql.run("UPDATE notes SET modified = coalesce(counted, saved) / 1000 * 1000");

/** Counts the fields that were in the future and no longer are. */
export function updateDueTimes(sql: Sql, clock: Clock): void {
  const now = clock.now().getTime();
  if (sql.get("SELECT 1 FROM notes WHERE due <= ? LIMIT 1", now))
    sql.transaction(() => retime(sql, sql.all<Row>(`${ROW} WHERE due <= ?`, now), clock));
}

/** Days in fields begin at another moment where the index was last used in another time zone. */
export function updateZone(sql: Sql, clock: Clock): void {
  const held = sql.get<{ value: string }>("SELECT value FROM meta WHERE name = 'zone'")?.value;
  if (held === clock.timeZone) return;
  sql.transaction(() => {
    const days = "length(trim(updated)) = 10 OR length(trim(modified_field)) = 10";
    if (held !== undefined) retime(sql, sql.all<Row>(`${ROW} WHERE ${days}`), clock);
    sql.run("INSERT OR REPLACE INTO meta VALUES ('zone', ?)", clock.timeZone);
  });
}

function retime(sql: Sql, rows: readonly Row[], clock: Clock): void {
  for (const { id, path, version, saved, updated, modified_field } of rows) {
    const fields = { updated, modified: modified_field };
    const times = rowTimes(sql, { path, version, fields, saved }, clock);
    sql.run(
      "UPDATE notes SET modified = ?, counted = ?, due = ? WHERE id = ?",
      times.modified,
      times.counted,
      times.due,
      id,
    );
  }
}
