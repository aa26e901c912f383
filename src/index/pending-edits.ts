/** Pending edits: what other programs changed and the history has not recorded yet. Kept beside the index, so that it outlives a crash and every process sees it (decision 18). */

import type { PendingEdit, PendingEdits } from "../notebook/pending-table.ts";
import type { FilePath } from "../notebook/paths.ts";
import { createSchema } from "./schema.ts";
import type { Sql } from "../sqlite/sql.ts";

type Row = { path: string; version: string | null; edited: number; first: number; last: number };

const editOf = ({ path, version, edited, first, last }: Row): PendingEdit => ({
  path: path as FilePath,
  version,
  edited: edited === 1,
  first: new Date(first),
  last: new Date(last),
});

export function openPendingEdits(sql: Sql): PendingEdits {
  createSchema(sql);
  const each = (paths: readonly FilePath[], work: (path: FilePath) => void): void => {
    if (paths.length > 0) sql.transaction(() => paths.forEach(work));
  };
  return {
    add: (paths, at) =>
      each(paths, (path) =>
        sql.run("INSERT OR IGNORE INTO pending VALUES (?, NULL, 0, ?, ?)", path, at.getTime(), at.getTime()),
      ),
    saw: (path, version, edited, at) =>
      sql.run(
        `INSERT INTO pending VALUES (?1, ?2, ?3, ?4, ?4) ON CONFLICT (path) DO UPDATE SET
         last = CASE WHEN version IS coalesce(?2, version) AND edited = ?3 THEN last ELSE ?4 END,
         version = coalesce(?2, version), edited = ?3`,
        path,
        version,
        Number(edited),
        at.getTime(),
      ),
    has: (path) => sql.get("SELECT 1 FROM pending WHERE path = ?", path) !== undefined,
    drop: (paths) => each(paths, (path) => sql.run("DELETE FROM pending WHERE path = ?", path)),
    all: () => sql.all<Row>("SELECT * FROM pending ORDER BY path").map(editOf),
  };
}
