/** When a note came to be: by its own field, else by the history, else by its file's time. */

import type { Note } from "../notebook/note.ts";
import type { Revision } from "../notebook/parts.ts";
import type { Sql } from "../sqlite/sql.ts";
import { forgetChanges, learnChanges } from "./modified.ts";

/** How the time is known; the index keeps it beside the time. */
const BY_FILE = 0;
const BY_HISTORY = 1;
const BY_FIELD = 2;

/** A note is followed back through this many names. */
const MOVES = 100;

/** The time, and how it is known. */
export function createdOf(
  sql: Sql,
  note: Pick<Note, "path" | "created" | "modified">,
): [created: number, dated: number] {
  if (note.created) return [note.created.getTime(), BY_FIELD];
  const recorded = firstRecorded(sql, note.path);
  const modified = note.modified.getTime();
  // A note older than its first recording has an older time of its own.
  return recorded === null ? [modified, BY_FILE] : [Math.min(recorded, modified), BY_HISTORY];
}

/**
 * Called by the ledger, in its transaction, with what it has just learned: whichever comes first, a note's row or its past,
 * the row ends up the same.
 */
export function redate(sql: Sql, revisions: readonly Revision[]): void {
  // Only notes that came or were moved: no other change tells anything new of when a note came to be.
  const arrivals = revisions.flatMap(({ date, changes }) =>
    changes
      .filter(({ from, before, version }) => version !== null && (before === null || from !== undefined))
      .map(({ path, from }) => ({ date, path, from })),
  );
  learnChanges(sql, revisions);
  for (const { date, path, from } of arrivals) {
    const recorded = from === undefined ? date.getTime() : firstRecorded(sql, path);
    if (recorded !== null)
      sql.run(
        `UPDATE notes SET created = min(?, saved), dated = ${BY_HISTORY} WHERE path = ? AND dated < ${BY_FIELD}
         AND (dated <> ${BY_HISTORY} OR created <> min(?, saved))`,
        recorded,
        path,
        recorded,
      );
  }
}

/** The ledger has forgotten everything. */
export function undate(sql: Sql): void {
  sql.run(`UPDATE notes SET created = saved, dated = ${BY_FILE} WHERE dated = ${BY_HISTORY}`);
  forgetChanges(sql);
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
