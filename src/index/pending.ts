/** Pending edits: what other programs changed and the history has not recorded yet. Kept beside the index, so that it outlives a crash and every process sees it. */

import type { PendingEdit, PendingEdits } from "../notebook/parts.ts";
import type { FilePath } from "../notebook/paths.ts";
import type { Sql } from "../sqlite/sql.ts";

export const PENDING = `
CREATE TABLE pending (
  path TEXT PRIMARY KEY,
  version TEXT,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

type Row = { path: string; version: string | null; first: number; last: number };

const editOf = ({ path, version, first, last }: Row): PendingEdit => ({
  path: path as FilePath,
  version,
  first: new Date(first),
  last: new Date(last),
});

export function openPendingEdits(sql: Sql): PendingEdits {
  const there = sql.get("SELECT 1 AS there FROM sqlite_master WHERE type = 'table' AND name = 'pending'");
  if (!there) sql.transaction(() => sql.exec(PENDING));
  const each = (paths: readonly FilePath[], work: (path: FilePath) => void): void => {
    if (paths.length > 0) sql.transaction(() => paths.forEach(work));
  };
  return {
    add: (paths, at) =>
      each(paths, (path) =>
        sql.run("INSERT OR IGNORE INTO pending VALUES (?, NULL, ?, ?)", path, at.getTime(), at.getTime()),
      ),
    drop: (paths) => each(paths, (path) => sql.run("DELETE FROM pending WHERE path = ?", path)),
    all: () => sql.all<Row>("SELECT * FROM pending ORDER BY path").map(editOf),
  };
}
