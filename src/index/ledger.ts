/** The ledger: which revisions touched a path, and under which names a note went. Made from the commits of the history. */

import { changedAt } from "../notebook/modified.ts";
import type { Ledger, LogQuery, Made, Revision, Version } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { redate, undate } from "./created.ts";
import { createSchema } from "./schema.ts";
import type { Sql, SqlValue } from "../sqlite/sql.ts";

type Row = {
  number: number;
  id: string;
  author: string;
  date: number;
  message: string;
  surface: string | null;
  tool: string | null;
  connection: string | null;
  touched: number;
};
type Touch = {
  number: number;
  path: string;
  moved_from: string | null;
  before: string | null;
  version: string | null;
};
/** A stretch of a note's life under one name: revisions from `first` on, up to but not including `end`. */
type Stretch = { name: string; first: number; end: number };

const FOREVER = Number.MAX_SAFE_INTEGER;
/** A note is not followed further back through moves than this. */
const STRETCHES = 1000;

export function openLedger(sql: Sql): Ledger {
  createSchema(sql);
  const one = (text: string, ...values: SqlValue[]): number | null =>
    sql.get<{ value: number | null }>(text, ...values)?.value ?? null;
  const numberOf = (id: string): number | null =>
    one("SELECT number AS value FROM revisions WHERE id = ?", id);
  const movedAway = (name: string, end: number): number | null =>
    one("SELECT max(number) AS value FROM touches WHERE moved_from = ? AND number < ?", name, end);
  const lastTouch = (name: string, end: number): Touch | undefined =>
    sql.get<Touch>(
      "SELECT * FROM touches WHERE path = ? AND number < ? ORDER BY number DESC LIMIT 1",
      name,
      end,
    );

  /** The revision that moved a note away from a name which no note has had since. */
  function left(name: string): number | null {
    const away = movedAway(name, FOREVER);
    return away === null || (lastTouch(name, FOREVER)?.number ?? 0) >= away ? null : away;
  }

  // Backwards from now. Where a note was moved here, it goes on under its old name; where the one before it was moved
  // away, what is older belongs to that one. A name that was only freed and taken again is one life.
  function* stretches(path: string): Generator<Stretch> {
    let name = path;
    let end = left(path) ?? FOREVER;
    for (let count = 0; count < STRETCHES; count++) {
      const came = sql.get<Touch>(
        "SELECT * FROM touches WHERE path = ? AND number < ? AND moved_from IS NOT NULL ORDER BY number DESC LIMIT 1",
        name,
        end,
      );
      const away = movedAway(name, end) ?? 0;
      yield { name, first: Math.max(came?.number ?? 0, away), end };
      if (!came || came.number < away) return;
      name = came.moved_from!;
      end = came.number;
    }
  }

  const whole = (rows: readonly Row[]): Revision[] =>
    withChanges(
      rows,
      rows.flatMap(({ number }) =>
        sql.all<Touch>("SELECT * FROM touches WHERE number = ? ORDER BY path", number),
      ),
    );

  function logOf(path: NotePath, query: LogQuery): Revision[] {
    const away = left(path);
    const found: (Row & Touch)[] = [];
    if (away !== null)
      found.push(
        ...joined("t.moved_from = ? AND t.number BETWEEN ? AND ?", [path, away, away], query, query.limit),
      );
    for (const { name, first, end } of stretches(path)) {
      const more = query.limit - found.length;
      if (more <= 0) break;
      found.push(...joined("t.path = ? AND t.number >= ? AND t.number < ?", [name, first, end], query, more));
    }
    return withChanges(found, found);
  }

  function joined(
    where: string,
    values: SqlValue[],
    { author, since }: LogQuery,
    limit: number,
  ): (Row & Touch)[] {
    return sql.all<Row & Touch>(
      `SELECT r.*, t.path, t.moved_from, t.before, t.version FROM touches t JOIN revisions r ON r.number = t.number
       WHERE ${where}${author === undefined ? "" : " AND r.author = ?"}${since ? " AND r.date >= ?" : ""}
       ORDER BY t.number DESC LIMIT ?`,
      ...values,
      ...(author === undefined ? [] : [author]),
      ...(since ? [since.getTime()] : []),
      limit,
    );
  }

  function stretchAt(path: string, revision: string): Stretch | null {
    const number = numberOf(revision);
    if (number === null) return null;
    for (const stretch of stretches(path)) {
      if (number >= stretch.end) return null;
      if (number >= stretch.first) return { ...stretch, end: number + 1 };
    }
    return null;
  }

  return {
    head: () => newest(sql)?.id ?? null,
    add: (revisions, parent) =>
      sql.transaction(() => {
        const joins = insertRevisions(sql, { revisions, parent });
        if (joins) redate(sql, revisions);
        return joins;
      }),
    clear() {
      sql.transaction(() => {
        sql.exec("DELETE FROM touches; DELETE FROM revisions; DELETE FROM recorded");
        undate(sql);
      });
    },
    log(query) {
      if (query.path !== undefined) return logOf(query.path, query);
      const { author, since, limit } = query;
      return whole(
        sql.all<Row>(
          `SELECT * FROM revisions WHERE ${author === undefined ? "1" : "author = ?"}${since ? " AND date >= ?" : ""}
           ORDER BY number DESC LIMIT ?`,
          ...(author === undefined ? [] : [author]),
          ...(since ? [since.getTime()] : []),
          limit,
        ),
      );
    },
    // "g" comes after every hex digit.
    find: (prefix) =>
      sql
        .all<{ id: string }>(
          "SELECT id FROM revisions WHERE id >= ? AND id < ? LIMIT 2",
          prefix,
          `${prefix}g`,
        )
        .map(({ id }) => id),
    revision: (id) => whole(sql.all<Row>("SELECT * FROM revisions WHERE id = ?", id))[0]!,
    recent: (limit) =>
      sql
        .all<{ id: string }>("SELECT id FROM revisions ORDER BY number DESC LIMIT ?", limit)
        .map(({ id }) => id),
    nameAt: (path, revision) => (stretchAt(path, revision)?.name as NotePath | undefined) ?? null,
    versionAt(path, revision): Version | null {
      const stretch = stretchAt(path, revision);
      const touch = stretch && lastTouch(stretch.name, stretch.end);
      return touch && touch.number >= stretch.first ? touch.version : null;
    },
    movedTo(path) {
      let number = left(path);
      let name: string | null = path;
      while (number !== null && name !== null) {
        const moved: Touch | undefined = sql.get<Touch>(
          "SELECT * FROM touches WHERE moved_from = ? AND number = ?",
          name,
          number,
        );
        name = moved?.path ?? null;
        // Where it went next: away again, or out of the world.
        const next: Touch | undefined =
          name === null
            ? undefined
            : sql.get<Touch>(
                `SELECT * FROM touches WHERE number > ? AND (moved_from = ? OR (path = ? AND version IS NULL))
                 ORDER BY number LIMIT 1`,
                number,
                name,
                name,
              );
        if (!next || next.moved_from !== name) break;
        number = next.number;
      }
      return name !== null && name !== path && lastTouch(name, FOREVER)?.version ? (name as NotePath) : null;
    },
    touchedSince(revision) {
      const after = revision === null ? 0 : (numberOf(revision) ?? 0);
      const rows = sql.all<Touch>("SELECT path, moved_from FROM touches WHERE number > ?", after);
      return new Set(
        rows.flatMap((row) => (row.moved_from === null ? [row.path] : [row.path, row.moved_from])),
      );
    },
    whole: () => one("SELECT whole AS value FROM recorded") === 1,
    setWhole(is) {
      sql.transaction(() => sql.exec(`DELETE FROM recorded; INSERT INTO recorded VALUES (${is ? 1 : 0})`));
    },
  };
}

const newest = (sql: Sql): { id: string; number: number } | undefined =>
  sql.get("SELECT id, number FROM revisions ORDER BY number DESC LIMIT 1");

/** Inside a transaction, which tells the rows of notes too (created.ts). False, and nothing inserted, where the ledger's head is not their parent. */
export function insertRevisions(sql: Sql, { revisions, parent }: Made): boolean {
  const last = newest(sql);
  if ((last?.id ?? null) !== parent) return false;
  let number = last?.number ?? 0;
  for (const revision of revisions) insert(sql, revision, ++number);
  return true;
}

function insert(sql: Sql, revision: Revision, number: number): void {
  const { id, author, date, message, surface, tool, connection, touched } = revision;
  sql.run(
    "INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    number,
    id,
    author,
    date.getTime(),
    message,
    surface ?? null,
    tool ?? null,
    connection ?? null,
    touched,
  );
  for (const change of revision.changes) {
    const { path, from, before, version } = change;
    const changed = changedAt(revision, change);
    sql.run(
      "INSERT INTO touches VALUES (?, ?, ?, ?, ?, ?)",
      path,
      number,
      from ?? null,
      before,
      version,
      changed,
    );
  }
}

function withChanges(rows: readonly Row[], touches: readonly Touch[]): Revision[] {
  const changes = new Map<number, Revision["changes"]>(rows.map((row) => [row.number, []]));
  for (const touch of touches) changes.get(touch.number)?.push(changeOf(touch));
  return rows.map((row) => revisionOf(row, changes.get(row.number)!));
}

const changeOf = ({ path, moved_from, before, version }: Touch): Revision["changes"][number] => ({
  path: path as NotePath,
  ...(moved_from === null ? {} : { from: moved_from as NotePath }),
  version,
  before,
});

const revisionOf = (row: Row, changes: Revision["changes"]): Revision => ({
  id: row.id,
  author: row.author,
  date: new Date(row.date),
  message: row.message,
  ...(row.surface === null ? {} : { surface: row.surface }),
  ...(row.tool === null ? {} : { tool: row.tool }),
  ...(row.connection === null ? {} : { connection: row.connection }),
  changes,
  touched: row.touched,
});
