/** Attachments in the index: every visible file that is no note, by name, size and time. None of them is read for it, but for canvases, whose links are kept. */

import type { CanvasLink } from "../markdown/canvas-links.ts";
import type { Steps } from "../markdown/steps.ts";
import type { Attachment, AttachmentQuery, AttachmentRow, Attachments } from "../notebook/attachments.ts";
import type { AttachmentPath } from "../notebook/paths.ts";
import { isCanvas } from "../notebook/pointer.ts";
import { linkKey, locateAmong } from "../notebook/resolve.ts";
import type { Sql, SqlValue } from "../sqlite/sql.ts";
import { linkedAttachments } from "./attachment-links.ts";
import { indexLookup } from "./link-lookup.ts";

const PUT = `INSERT INTO files (path, key, size, modified, stamp, read_as) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (path) DO UPDATE SET size = excluded.size, modified = excluded.modified, stamp = excluded.stamp, read_as = excluded.read_as`;
const PUT_LINK = `INSERT INTO canvas_links (source, at, key, target, form, anchor, label, line, body_line, context)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?)`;
const DROP_LINKS = "DELETE FROM canvas_links WHERE source = (SELECT id FROM files WHERE path = ?)";

const UNDER = `SELECT path FROM files WHERE read_as > 0 AND id IN (
  SELECT source FROM canvas_links WHERE key IN (SELECT value FROM json_each(?))) ORDER BY path`;

/** What is read of a file, and how far that is done, as it is stored. */
const READ_AS = { nothing: 0, unread: 1, read: 2, unreadable: 3, base: 4 };

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
    // The index serves who asks for files of which something is read.
    canvases: (state) =>
      pathsIn(sql, "SELECT path FROM files WHERE read_as > 0 AND read_as = ? ORDER BY path", READ_AS[state]),
    bases: () =>
      pathsIn(sql, "SELECT path FROM files WHERE read_as > 0 AND read_as = ? ORDER BY path", READ_AS.base),
    canvasesUnder: (keys) => pathsIn(sql, UNDER, JSON.stringify([...keys])),
    locate: (name) => locateAmong(indexLookup(sql).attachments!.byName, name),
    *list(query) {
      if (!query.unused) return listed(sql, query);
      const all = yield* unused(sql, query);
      const later = all.filter((row) => row.later).slice(0, query.limit);
      return { attachments: later.map(attachmentOf), total: all.length };
    },
  };
}

/** It runs inside a transaction. A canvas that is only known to have changed keeps its links until it is read. */
export function putAttachments(sql: Sql, rows: readonly AttachmentRow[]): void {
  for (const { path, stat, links } of rows) {
    const drawn = isCanvas(path);
    if (drawn && (stat === null || links !== undefined)) sql.run(DROP_LINKS, path);
    if (stat === null) {
      sql.run("DELETE FROM files WHERE path = ?", path);
      continue;
    }
    const canvas = links === undefined ? "unread" : links === null ? "unreadable" : "read";
    const as = READ_AS[drawn ? canvas : /\.base$/i.test(path) ? "base" : "nothing"];
    sql.run(PUT, path, linkKey(path), stat.size, stat.modified.getTime(), stat.stamp, as);
    if (drawn && links) putLinks(sql, path, links);
  }
}

function putLinks(sql: Sql, path: AttachmentPath, links: readonly CanvasLink[]): void {
  const { id } = sql.get<{ id: number }>("SELECT id FROM files WHERE path = ?", path)!;
  for (const [at, { form, target, anchor, label, line, context }] of links.entries())
    sql.run(PUT_LINK, id, at, linkKey(target), target, form, anchor, label, line, context);
}

const pathsIn = (sql: Sql, text: string, value: SqlValue): AttachmentPath[] =>
  sql.all<{ path: AttachmentPath }>(text, value).map(({ path }) => path);

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

/** The attachments that no link leads to, and whether they come after the path. */
function* unused(
  sql: Sql,
  { folder, after: asked = "" }: AttachmentQuery,
): Steps<(Row & { later: number })[]> {
  const { where, values } = placeOf({ folder, depth: "deep" });
  const found: (Row & { later: number })[] = [];
  for (let after = "", size = PORTION; size === PORTION; yield) {
    // SQLite compares bytes, so what comes after a path is for it to say.
    const rows = sql.all<Row & { later: number }>(
      `SELECT path, size, modified, path > ? AS later FROM files WHERE ${where} AND path > ? ORDER BY path LIMIT ${PORTION}`,
      asked,
      ...values,
      after,
    );
    const linked = yield* linkedAttachments(
      sql,
      rows.map(({ path }) => path),
    );
    found.push(...rows.filter(({ path }) => !linked.has(path)));
    [after, size] = [rows.at(-1)?.path ?? "", rows.length];
  }
  return found;
}
