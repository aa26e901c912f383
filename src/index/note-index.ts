/** NoteIndex over SQLite: what can be asked of the notes without reading them (decision 13). */

import type { Clock } from "../notebook/modified.ts";
import type { Count, IndexRow, Made, NoteIndex, Within } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { fold } from "../notebook/resolve.ts";
import { decodeStamp, type Stamp } from "../notebook/stamp.ts";
import { redate } from "./created.ts";
import { find } from "./find.ts";
import { insertRevisions } from "./ledger.ts";
import { indexLookup } from "./link-lookup.ts";
import { links } from "./link-query.ts";
import { locate } from "./locate.ts";
import { rowTimes, updateDueTimes, updateZone } from "./modified.ts";
import { similarNames } from "./similar-names.ts";
import type { Prepare } from "./new-notes.ts";
import { applyRows, heldNote } from "./note-rows.ts";
import { openPut } from "./put.ts";
import { createSchema } from "./schema.ts";
import { openSearch, type Search } from "../search/search.ts";
import type { Sql, SqlValue } from "../sqlite/sql.ts";
import { flushWords } from "../search/text-rows.ts";
import { openTitles } from "./titles.ts";

/** Pending words are put in when no note has changed for this long, unless somebody searches before. */
const IDLE_MS = 100;

export type IndexOptions = {
  /** The search, where others use it too. */
  search?: Search;
  /** How new notes are prepared, where it is not done here. */
  prepare?: Prepare;
  /** What time it is, and where: fields of notes tell days, and times that are still to come. */
  clock?: Clock;
};

const HERE: Clock = { now: () => new Date(), timeZone: "UTC" };

export function openIndex(sql: Sql, options: IndexOptions = {}): NoteIndex {
  createSchema(sql);
  const { search = openSearch(sql), prepare = (_, here) => here(), clock = HERE } = options;
  updateZone(sql, clock);
  const sources = { search, titled: openTitles(sql) };

  const complete = () => sql.get("SELECT 1 FROM meta WHERE name = 'complete'") !== undefined;

  const idle = flushWhenIdle(search);
  const apply = (rows: readonly IndexRow[], made?: Made | null): NotePath[] => {
    const stale = sql.transaction(() => {
      const joins = made ? insertRevisions(sql, made) : false;
      const left = applyRows(search, rows, clock);
      if (made && joins) redate(sql, made.revisions);
      return left;
    });
    idle.wait();
    return stale;
  };

  return {
    stamps: (which) => stamps(sql, which),
    stamp(path) {
      const held = heldNote(sql, path);
      return held ? decodeStamp(held.stamp) : null;
    },
    version: (path) => heldNote(sql, path)?.version ?? null,
    apply,
    put: openPut({ search, clock, prepare, apply }),
    created(path) {
      const row = sql.get<{ created: number }>("SELECT created FROM notes WHERE path = ? AND dated", path);
      return row ? new Date(row.created) : null;
    },
    modified({ path, version, fields, modified }) {
      const times = rowTimes(sql, { path, version, fields, saved: modified.getTime() }, clock);
      return new Date(times.modified);
    },
    complete,
    completed: () => sql.run("INSERT OR IGNORE INTO meta VALUES ('complete', '1')"),
    count: () => sql.get<{ count: number }>("SELECT count(*) AS count FROM notes")!.count,
    find(filter, page) {
      updateDueTimes(sql, clock);
      return find(sources, filter, page, complete());
    },
    links: (query) => links(sql, query),
    lookup: indexLookup(sql),
    linkSources: (key) =>
      sql
        .all<{ path: NotePath }>(
          "SELECT path FROM notes WHERE id IN (SELECT source FROM links WHERE key = ?) ORDER BY path",
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
    close() {
      idle.cancel();
      sql.close();
    },
  };
}

/** Puts pending words in once no note has changed for a while. */
function flushWhenIdle(search: Search): { wait(): void; cancel(): void } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    try {
      flushWords(search);
    } catch {
      // The next search meets the same error, and reports it.
    }
  };
  return {
    wait() {
      clearTimeout(timer);
      timer = setTimeout(flush, IDLE_MS);
    },
    cancel: () => clearTimeout(timer),
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
