/** Under which names a note went: the ledger follows it back through its moves, and forward from a name that it has left. */

import type { NotePath } from "../notebook/paths.ts";
import type { Sql, SqlValue } from "../sqlite/sql.ts";

/** What one revision did to one path. */
export type Touch = {
  number: number;
  path: string;
  moved_from: string | null;
  before: string | null;
  version: string | null;
};
/** A stretch of a note's life under one name: revisions from `first` on, up to but not including `end`. */
export type Stretch = { name: string; first: number; end: number };

const FOREVER = Number.MAX_SAFE_INTEGER;
/** A note is not followed further back through moves than this. */
const STRETCHES = 1000;

export const numberIn = (sql: Sql, text: string, ...values: SqlValue[]): number | null =>
  sql.get<{ value: number | null }>(text, ...values)?.value ?? null;

export const numberOf = (sql: Sql, id: string): number | null =>
  numberIn(sql, "SELECT number AS value FROM revisions WHERE id = ?", id);

const movedAway = (sql: Sql, name: string, end: number): number | null =>
  numberIn(sql, "SELECT max(number) AS value FROM touches WHERE moved_from = ? AND number < ?", name, end);

export const lastTouch = (sql: Sql, name: string, end: number): Touch | undefined =>
  sql.get<Touch>(
    "SELECT * FROM touches WHERE path = ? AND number < ? ORDER BY number DESC LIMIT 1",
    name,
    end,
  );

/** The revision that moved a note away from a name which no note has had since. */
export function leftAt(sql: Sql, name: string): number | null {
  const away = movedAway(sql, name, FOREVER);
  return away === null || (lastTouch(sql, name, FOREVER)?.number ?? 0) >= away ? null : away;
}

/**
 * Goes backwards from now. Where a note was moved here, it goes on under its old name; where the one before it was moved away, what is
 * older belongs to that one. A name that was only freed and taken again is one life.
 */
export function* stretches(sql: Sql, path: string): Generator<Stretch> {
  let name = path;
  let end = leftAt(sql, path) ?? FOREVER;
  for (let count = 0; count < STRETCHES; count++) {
    const came = sql.get<Touch>(
      "SELECT * FROM touches WHERE path = ? AND number < ? AND moved_from IS NOT NULL ORDER BY number DESC LIMIT 1",
      name,
      end,
    );
    const away = movedAway(sql, name, end) ?? 0;
    yield { name, first: Math.max(came?.number ?? 0, away), end };
    if (!came || came.number < away) return;
    name = came.moved_from!;
    end = came.number;
  }
}

/** The stretch that a revision falls into, up to that revision. */
export function stretchAt(sql: Sql, path: string, revision: string): Stretch | null {
  const number = numberOf(sql, revision);
  if (number === null) return null;
  for (const stretch of stretches(sql, path)) {
    if (number >= stretch.end) return null;
    if (number >= stretch.first) return { ...stretch, end: number + 1 };
  }
  return null;
}

/** Where the note is that was called so and was moved; null where it is gone, or no note left that name. */
export function movedTo(sql: Sql, path: NotePath): NotePath | null {
  let number = leftAt(sql, path);
  let name: string | null = path;
  while (number !== null && name !== null) {
    const moved: Touch | undefined = sql.get<Touch>(
      "SELECT * FROM touches WHERE moved_from = ? AND number = ?",
      name,
      number,
    );
    name = moved?.path ?? null;
    const next: Touch | undefined = name === null ? undefined : leavingAfter(sql, name, number);
    if (!next || next.moved_from !== name) break;
    number = next.number;
  }
  return name !== null && name !== path && lastTouch(sql, name, FOREVER)?.version ? (name as NotePath) : null;
}

/** The first revision after one that moved a note on from a name, or removed it. */
const leavingAfter = (sql: Sql, name: string, number: number): Touch | undefined =>
  sql.get<Touch>(
    `SELECT * FROM touches WHERE number > ? AND (moved_from = ? OR (path = ? AND version IS NULL))
     ORDER BY number LIMIT 1`,
    number,
    name,
    name,
  );
