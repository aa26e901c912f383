/** Attachments in the index: every visible file that is no note, by name, size and time. None of them is read for it. */

import type { Steps } from "../markdown/steps.ts";
import type { Attachment, AttachmentQuery, AttachmentRow, Attachments } from "../notebook/attachments.ts";
import type { AttachmentPath } from "../notebook/paths.ts";
import { linkKey } from "../notebook/resolve.ts";
import type { Sql, SqlValue } from "../sqlite/sql.ts";
import { linkedAttachments } from "./attachment-links.ts";

const PUT = `INSERT INTO files (path, key, size, modified, stamp) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (path) DO UPDATE SET size = excluded.size, modified = excluded.modified, stamp = excluded.stamp`;

/** Attachments whose links are worked out in one step. */
const PORTION = 500;

export function attachmentsOf(sql: Sql): Attachments {
  return {
    stamps(which) {
      const { where, values } = which ? placeOf(which) : { where: "1", values: [] };
      const rows = sql.all<{ path: AttachmentPath; stamp: string }>(
        `SELECT path, stamp FROM files WHERE ${where}`,
        ...values,
      );
      return new Map(rows.map(({ path, stamp }) => [path, stamp]));
    },
    stamp: (path) =>
      sql.get<{ stamp: string }>("SELECT stamp FROM files WHERE path = ?", path)?.stamp ?? null,
    folders(under) {
      const { where, values } = placeOf({ folder: under, depth: "deep" });
      const start = under === "" ? 1 : [...under].length + 2;
      const rows = sql.all<{ name: string }>(
        `SELECT DISTINCT substr(path, 1, instr(substr(path, ?), '/') + ? - 2) AS name FROM files
         WHERE ${where} AND instr(substr(path, ?), '/') > 0`,
        start,
        start,
        ...values,
        start,
      );
      return rows.map(({ name }) => name);
    },
    put: (rows) => sql.transaction(() => putAttachments(sql, rows)),
    *list(query) {
      const all = query.unused ? yield* unused(sql, query) : null;
      if (all === null) return listed(sql, query);
      const { after = "", limit } = query;
      return { attachments: all.filter(({ path }) => path > after).slice(0, limit), total: all.length };
    },
  };
}

/** It runs inside a transaction. */
export function putAttachments(sql: Sql, rows: readonly AttachmentRow[]): void {
  for (const { path, stat } of rows)
    if (stat === null) sql.run("DELETE FROM files WHERE path = ?", path);
    else sql.run(PUT, path, linkKey(path), stat.size, stat.modified.getTime(), stat.stamp);
}

// `0` comes right after `/`, so a folder is a range of paths.
function placeOf({ folder, depth }: { folder: string; depth: "direct" | "deep" }): {
  where: string;
  values: SqlValue[];
} {
  const range = folder === "" ? ["", "\u{10ffff}"] : [`${folder}/`, `${folder}0`];
  if (depth === "deep") return { where: "path >= ? AND path < ?", values: range };
  const start = folder === "" ? 1 : [...folder].length + 2;
  return { where: "path >= ? AND path < ? AND instr(substr(path, ?), '/') = 0", values: [...range, start] };
}

type Row = { path: AttachmentPath; size: number; modified: number };
const attachmentOf = ({ path, size, modified }: Row): Attachment => ({
  path,
  size,
  modified: new Date(modified),
});

function listed(sql: Sql, { folder, after = "", limit }: AttachmentQuery) {
  const { where, values } = placeOf({ folder, depth: "deep" });
  const rows = sql.all<Row>(
    `SELECT path, size, modified FROM files WHERE ${where} AND path > ? ORDER BY path LIMIT ?`,
    ...values,
    after,
    limit,
  );
  const { total } = sql.get<{ total: number }>(
    `SELECT count(*) AS total FROM files WHERE ${where}`,
    ...values,
  )!;
  return { attachments: rows.map(attachmentOf), total };
}

/** The attachments that no link leads to. */
function* unused(sql: Sql, { folder }: AttachmentQuery): Steps<Attachment[]> {
  const { where, values } = placeOf({ folder, depth: "deep" });
  const found: Attachment[] = [];
  for (let after = "", size = PORTION; size === PORTION; yield) {
    const rows = sql.all<Row>(
      `SELECT path, size, modified FROM files WHERE ${where} AND path > ? ORDER BY path LIMIT ${PORTION}`,
      ...values,
      after,
    );
    const linked = yield* linkedAttachments(
      sql,
      rows.map(({ path }) => path),
    );
    found.push(...rows.filter(({ path }) => !linked.has(path)).map(attachmentOf));
    [after, size] = [rows.at(-1)?.path ?? "", rows.length];
  }
  return found;
}
