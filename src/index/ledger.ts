/** The ledger: which revisions touched a path, and under which names a note went. Made from the commits of the history. */

import type { Folders } from "../notebook/folder-tree.ts";
import { changedAt } from "../notebook/modified.ts";
import type { Ledger, LogQuery, Made, Revision, Version } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { redate, undate } from "./created.ts";
import { narrowed } from "./narrowed.ts";
import {
  lastTouch,
  leftAt,
  movedTo,
  numberIn,
  numberOf,
  stretchAt,
  stretches,
  type Touch,
} from "./note-names.ts";
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
  accepted_by: string | null;
  touched: number;
  folders: string | null;
};

export function openLedger(sql: Sql): Ledger {
  createSchema(sql);
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
    log: (query) => (query.path === undefined ? logOfAll(sql, query) : logOf(sql, query.path, query)),
    // "g" comes after every hex digit.
    find: (prefix) => idsOf(sql, "WHERE id >= ? AND id < ? LIMIT 2", prefix, `${prefix}g`),
    revision: (id) => whole(sql, sql.all<Row>("SELECT * FROM revisions WHERE id = ?", id))[0]!,
    recent: (limit) => idsOf(sql, "ORDER BY number DESC LIMIT ?", limit),
    nameAt: (path, revision) => (stretchAt(sql, path, revision)?.name as NotePath | undefined) ?? null,
    versionAt(path, revision): Version | null {
      const stretch = stretchAt(sql, path, revision);
      const touch = stretch && lastTouch(sql, stretch.name, stretch.end);
      return touch && touch.number >= stretch.first ? touch.version : null;
    },
    movedTo: (path) => movedTo(sql, path),
    touchedSince(revision) {
      const after = revision === null ? 0 : (numberOf(sql, revision) ?? 0);
      const rows = sql.all<Touch>("SELECT path, moved_from FROM touches WHERE number > ?", after);
      return new Set(
        rows.flatMap((row) => (row.moved_from === null ? [row.path] : [row.path, row.moved_from])),
      );
    },
    holds: (version) =>
      sql.get("SELECT 1 FROM touches WHERE version = ? OR before = ? LIMIT 1", version, version) !==
      undefined,
    within: (folders) => openLedger(narrowed(sql, folders)),
    whole: () => numberIn(sql, "SELECT whole AS value FROM recorded") === 1,
    setWhole(is) {
      sql.transaction(() => sql.exec(`DELETE FROM recorded; INSERT INTO recorded VALUES (${is ? 1 : 0})`));
    },
  };
}

const idsOf = (sql: Sql, which: string, ...values: SqlValue[]): string[] =>
  sql.all<{ id: string }>(`SELECT id FROM revisions ${which}`, ...values).map(({ id }) => id);

function logOfAll(sql: Sql, { author, since, skip = 0, limit }: LogQuery): Revision[] {
  const rows = sql.all<Row>(
    `SELECT * FROM revisions WHERE ${author === undefined ? "1" : "author = ?"}${since ? " AND date >= ?" : ""}
     ORDER BY number DESC LIMIT ? OFFSET ?`,
    ...(author === undefined ? [] : [author]),
    ...(since ? [since.getTime()] : []),
    limit,
    skip,
  );
  return whole(sql, rows);
}

function logOf(sql: Sql, path: NotePath, query: LogQuery): Revision[] {
  const { skip = 0 } = query;
  const most = skip + query.limit;
  const away = leftAt(sql, path);
  const found: (Row & Touch)[] = [];
  if (away !== null)
    found.push(
      ...joined(sql, "t.moved_from = ? AND t.number BETWEEN ? AND ?", [path, away, away], query, most),
    );
  for (const { name, first, end } of stretches(sql, path)) {
    const more = most - found.length;
    if (more <= 0) break;
    found.push(
      ...joined(sql, "t.path = ? AND t.number >= ? AND t.number < ?", [name, first, end], query, more),
    );
  }
  const asked = found.slice(skip);
  return withChanges(asked, asked);
}

function joined(
  sql: Sql,
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

/** Revisions with all their changes. */
function whole(sql: Sql, rows: readonly Row[]): Revision[] {
  const touches = rows.flatMap(({ number }) =>
    sql.all<Touch>("SELECT * FROM touches WHERE number = ? ORDER BY path", number),
  );
  return withChanges(rows, touches);
}

const newest = (sql: Sql): { id: string; number: number } | undefined =>
  sql.get("SELECT id, number FROM revisions ORDER BY number DESC LIMIT 1");

/** It runs inside a transaction, in which the rows of notes are dated, too (created.ts). False, and nothing inserted, where the ledger's head is not their parent. */
export function insertRevisions(sql: Sql, { revisions, parent }: Made): boolean {
  const last = newest(sql);
  if ((last?.id ?? null) !== parent) return false;
  let number = last?.number ?? 0;
  for (const revision of revisions) insert(sql, revision, ++number);
  return true;
}

function insert(sql: Sql, revision: Revision, number: number): void {
  const { id, author, date, message, surface, tool, connection, acceptedBy, touched, folders } = revision;
  sql.run(
    "INSERT INTO revisions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    number,
    id,
    author,
    date.getTime(),
    message,
    surface ?? null,
    tool ?? null,
    connection ?? null,
    acceptedBy ?? null,
    touched,
    folders ? JSON.stringify(folders) : null,
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
  ...(row.accepted_by === null ? {} : { acceptedBy: row.accepted_by }),
  changes,
  touched: row.touched,
  ...(row.folders === null ? {} : { folders: JSON.parse(row.folders) as Folders }),
});
