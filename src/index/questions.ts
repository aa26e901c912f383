/** The questions of an index: what can be asked of its notes without reading them, of all or of those that a narrowed search sees. */

import type { Clock } from "../notebook/modified.ts";
import type { Count, NoteIndex, Within } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { fold } from "../notebook/resolve.ts";
import { decodeStamp, type Stamp } from "../notebook/stamp.ts";
import { attachmentsOf } from "./attachments.ts";
import { brokenLinks } from "./broken-links.ts";
import { find, type Sources } from "./find.ts";
import { linkLookup } from "./link-lookup.ts";
import { links } from "./link-query.ts";
import { locate } from "./locate.ts";
import { rowTimes, updateDueTimes } from "./modified.ts";
import { heldNote } from "./note-rows.ts";
import { IS_UNREAD } from "./schema.ts";
import { similarNames } from "./similar-names.ts";
import type { Sql, SqlValue } from "../sqlite/sql.ts";

export type Questions = Omit<NoteIndex, "apply" | "put" | "completed" | "within" | "numbers" | "close">;

export function questionsOf(sources: Sources, clock: Clock): Questions {
  const { sql } = sources.search;
  const complete = () => sql.get("SELECT 1 FROM meta WHERE name = 'complete'") !== undefined;

  return {
    stamps: (which) => stamps(sql, which),
    stamp(path) {
      const held = heldNote(sql, path);
      return held ? decodeStamp(held.stamp) : null;
    },
    version: (path) => heldNote(sql, path)?.version ?? null,
    created(path) {
      const row = sql.get<{ created: number }>("SELECT created FROM notes WHERE path = ? AND dated", path);
      return row ? new Date(row.created) : null;
    },
    modified({ path, version, fields, modified }) {
      const times = rowTimes(sql, { path, version, fields, saved: modified.getTime() }, clock);
      return new Date(times.modified);
    },
    complete,
    count: () => sql.get<{ count: number }>("SELECT count(*) AS count FROM notes")!.count,
    unread: () => sql.get<{ count: number }>(`SELECT count(*) AS count FROM notes WHERE ${IS_UNREAD}`)!.count,
    find(filter, page) {
      updateDueTimes(sql, clock);
      return find(sources, filter, page, complete());
    },
    links: (query) => links(sql, query),
    broken: (page) => brokenLinks(sql, page),
    lookup: linkLookup(sql),
    attachments: attachmentsOf(sql),
    queryNotes: () =>
      sql
        .all<{ path: NotePath }>("SELECT path FROM notes WHERE queries = 1 ORDER BY path")
        .map(({ path }) => path),
    linkSources: (key) =>
      sql
        .all<{ path: NotePath }>(
          `SELECT path FROM notes WHERE id IN (SELECT source FROM links WHERE key = ?
            UNION ALL SELECT source FROM file_links WHERE key = ?) ORDER BY path`,
          key,
          key,
        )
        .map(({ path }) => path),
    locate: (name) => locate(sql, name),
    similarNames: (name, limit) => similarNames(sql, name, limit),
    tags: (from) =>
      sql.all<Count>(
        `SELECT tag AS name, count(*) AS count FROM tags WHERE ${from === "fields" ? "in_fields" : "in_fields OR in_body"}
         GROUP BY tag ORDER BY count DESC, name`,
      ),
    folders: (under) => folders(sql, under),
  };
}

function stamps(sql: Sql, which?: Within): Map<NotePath, Stamp> {
  const where = (condition: string, ...values: SqlValue[]): Map<NotePath, Stamp> => {
    const rows = sql.all<{ path: NotePath; stamp: string }>(
      `SELECT path, stamp FROM notes WHERE ${condition}`,
      ...values,
    );
    return new Map(rows.map(({ path, stamp }) => [path, decodeStamp(stamp)]));
  };
  if (!which) return where("1");
  if ("paths" in which) return where("path IN (SELECT value FROM json_each(?))", JSON.stringify(which.paths));
  // The path is the one on disk, because disks are compared with it; `0` comes right after `/`.
  const { folder, depth } = which;
  const [from, to] = folder === "" ? ["", "\u{10ffff}"] : [`${folder}/`, `${folder}0`];
  const direct = "AND instr(substr(path, ?), '/') = 0";
  return depth === "deep"
    ? where("path >= ? AND path < ?", from, to)
    : where(`path >= ? AND path < ? ${direct}`, from, to, [...from].length + 1);
}

// The folder may be given in another case or Unicode form; the folders below are given as they are on disk.
function folders(sql: Sql, under: string): Count[] {
  const key = fold(under);
  const depth = under === "" ? 0 : under.split("/").length;
  const rows = sql.all<{ path: string }>(
    key === ""
      ? "SELECT path FROM notes WHERE folder_key <> ''"
      : "SELECT path FROM notes WHERE folder_key >= ? AND folder_key < ?",
    ...(key === "" ? [] : [`${key}/`, `${key}0`]),
  );
  const counts = new Map<string, number>();
  for (const { path } of rows) {
    const name = path.split("/", depth + 1).join("/");
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].map(([name, count]) => ({ name, count })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
