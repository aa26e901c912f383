/** What a bucket holds of a workspace, as rows, so that planning waits for nothing; and texts on their way there (decision 30). */

import { NOTE_LIMIT, type Stat, type Version } from "../notebook/parts.ts";
import { isNote, type NotePath } from "../notebook/paths.ts";
import type { Facts, FactsNeeded } from "../notebook/puts.ts";
import { fold } from "../notebook/resolve.ts";
import type { Sql } from "../sqlite/sql.ts";
import { partsOf } from "./flat-keys.ts";

// `etag` is that of the object in the bucket, "" where there is none yet, and `base` the version it holds. `version` is the text that counts; "" where
// another program put it there and nobody has read it. `waiting`: it is in r2_waiting and not in the bucket yet; or, of a file that is no text, its
// bytes are still under the path that r2_bytes names as their source, as the object of that tag.
const TABLES = `
CREATE TABLE IF NOT EXISTS r2_files (
  path TEXT PRIMARY KEY,
  key TEXT NOT NULL,
  etag TEXT NOT NULL,
  base TEXT NOT NULL,
  version TEXT NOT NULL,
  modified INTEGER NOT NULL,
  size INTEGER NOT NULL,
  waiting INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS r2_files_key ON r2_files (key);
CREATE TABLE IF NOT EXISTS r2_waiting (
  path TEXT NOT NULL,
  part INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (path, part)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS r2_bytes (
  path TEXT PRIMARY KEY,
  sha256 TEXT NOT NULL,
  source TEXT NOT NULL,
  etag TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS r2_bytes_source ON r2_bytes (source) WHERE source <> '';
CREATE TABLE IF NOT EXISTS r2_removed (path TEXT PRIMARY KEY, etag TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS r2_last (one INTEGER PRIMARY KEY, paths TEXT NOT NULL) STRICT;
`;

export type FileRow = {
  path: string;
  etag: string;
  base: Version;
  version: Version;
  modified: number;
  size: number;
  waiting: number;
};
/** What is known of the bytes of a file that is no text: their hash, or "", and while they are on their way where they lie, or "". */
export type BytesRow = { path: string; sha256: string; source: string; etag: string };
/** Bytes of one value. */
const PART = 1_500_000;
const COLUMNS = "path, etag, base, version, modified, size, waiting";
/** After every path that begins so. */
export const afterAll = (prefix: string): string => `${prefix}\u{10ffff}`;

export type Files = ReturnType<typeof openFiles>;

export function openFiles(sql: Sql) {
  sql.exec(TABLES);
  const get = (path: string): FileRow | undefined =>
    sql.get<FileRow>(`SELECT ${COLUMNS} FROM r2_files WHERE path = ?`, path);

  const bytes = openBytes(sql);
  return {
    get,
    put({ path, etag, base, version, modified, size, waiting }: FileRow): void {
      sql.run(
        `INSERT INTO r2_files VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET etag = excluded.etag,
          base = excluded.base, version = excluded.version, modified = excluded.modified, size = excluded.size, waiting = excluded.waiting`,
        path,
        fold(path),
        etag,
        base,
        version,
        modified,
        size,
        waiting,
      );
    },
    drop(path: string): void {
      sql.run("DELETE FROM r2_files WHERE path = ?", path);
      bytes.dropBytes(path);
    },
    /** So many after a path, in the order of paths. */
    after: (path: string, to: string, limit: number): FileRow[] =>
      sql.all<FileRow>(
        `SELECT ${COLUMNS} FROM r2_files WHERE path > ? AND path <= ? ORDER BY path LIMIT ?`,
        path,
        to,
        limit,
      ),
    taken: (path: string): boolean =>
      sql.get("SELECT 1 AS x FROM r2_files WHERE key = ? LIMIT 1", fold(path)) !== undefined,
    twinsIn: (): { path: string; other: string }[] =>
      sql.all(
        `SELECT a.path, min(b.path) AS other FROM r2_files a JOIN r2_files b ON b.key = a.key AND b.path <> a.path
          WHERE a.path NOT LIKE '.%' GROUP BY a.path ORDER BY a.path`,
      ),
    count: (): number => sql.get<{ n: number }>("SELECT count(*) AS n FROM r2_files")!.n,

    ...openTexts(sql),
    ...bytes,

    /** Objects that are still in the bucket and are to go. */
    removed: (): { path: string; etag: string }[] =>
      sql.all("SELECT path, etag FROM r2_removed ORDER BY path"),
    isRemoved: (path: string): string | null =>
      sql.get<{ etag: string }>("SELECT etag FROM r2_removed WHERE path = ?", path)?.etag ?? null,
    remove: (path: string, etag: string): void =>
      sql.run("INSERT OR REPLACE INTO r2_removed VALUES (?, ?)", path, etag),
    dropRemoved: (path: string): void => sql.run("DELETE FROM r2_removed WHERE path = ?", path),

    begin: (paths: readonly string[]): void =>
      sql.run(
        "INSERT INTO r2_last VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET paths = excluded.paths WHERE paths <> excluded.paths",
        JSON.stringify(paths),
      ),
    /** The index has the last change. */
    end: (): void => sql.run("DELETE FROM r2_last"),
    /** The paths of the last change that was begun; it is not said whether it ended. */
    last: (): string[] => {
      const row = sql.get<{ paths: string }>("SELECT paths FROM r2_last");
      return row ? (JSON.parse(row.paths) as string[]) : [];
    },

    facts: (needed: FactsNeeded): Facts => factsIn(sql, get, needed),
    transaction: sql.transaction,
  };
}

/** Texts on their way to the bucket. */
function openTexts(sql: Sql) {
  const dropText = (path: string): void => sql.run("DELETE FROM r2_waiting WHERE path = ?", path);
  return {
    /** The text that waits, and is not in the bucket yet. */
    text(path: string): Uint8Array {
      const parts = sql.all<{ bytes: Uint8Array }>(
        "SELECT bytes FROM r2_waiting WHERE path = ? ORDER BY part",
        path,
      );
      const whole = new Uint8Array(parts.reduce((size, { bytes }) => size + bytes.length, 0));
      parts.reduce((at, { bytes }) => {
        whole.set(bytes, at);
        return at + bytes.length;
      }, 0);
      return whole;
    },
    setText(path: string, bytes: Uint8Array): void {
      dropText(path);
      // An empty text is a part, too; Node 22 binds empty bytes as NULL.
      for (let part = 0; part === 0 || part * PART < bytes.length; part++)
        sql.run(
          "INSERT INTO r2_waiting VALUES (?, ?, coalesce(?, x''))",
          path,
          part,
          bytes.subarray(part * PART, (part + 1) * PART),
        );
    },
    dropText,
    waiting: (): string[] =>
      sql.all<{ path: string }>("SELECT DISTINCT path FROM r2_waiting ORDER BY path").map(({ path }) => path),
  };
}

/** Files that are no texts: their bytes never go through rows. */
function openBytes(sql: Sql) {
  const columns = "path, sha256, source, etag";
  return {
    dropBytes: (path: string): void => {
      if (!isNote(path)) sql.run("DELETE FROM r2_bytes WHERE path = ?", path);
    },
    bytesOf: (path: string): BytesRow | undefined =>
      sql.get<BytesRow>(`SELECT ${columns} FROM r2_bytes WHERE path = ?`, path),
    setBytes: ({ path, sha256, source, etag }: BytesRow): void =>
      sql.run("INSERT OR REPLACE INTO r2_bytes VALUES (?, ?, ?, ?)", path, sha256, source, etag),
    /** Bytes that are on their way. */
    copies: (): BytesRow[] =>
      sql.all<BytesRow>(`SELECT ${columns} FROM r2_bytes WHERE source <> '' ORDER BY path`),
    /** Whether some file's bytes still lie under this path, so that it must not be written over or removed. */
    isSource: (path: string): boolean =>
      !isNote(path) &&
      sql.get("SELECT 1 AS x FROM r2_bytes WHERE source <> '' AND source = ? LIMIT 1", path) !== undefined,
  };
}

export const statOf = ({ path, version, etag, base, modified, size }: FileRow): Stat => ({
  path: path as NotePath,
  // Two texts never share a version; what nobody has read yet is known by its tag.
  stamp: version || etag || base,
  modified: new Date(modified),
  // One stamp is one text: no note may have changed under the stamp that it was read with, however lately it was saved.
  changed: new Date(0),
  size,
});

export const isTooLarge = ({ size }: Pick<FileRow, "size">): boolean => size > NOTE_LIMIT;

function factsIn(
  sql: Sql,
  get: (path: string) => FileRow | undefined,
  { files, newNames }: FactsNeeded,
): Facts {
  const there = [...files.keys()].map((path) => {
    const row = get(path);
    return [path, row ? { version: row.version, inode: path } : null] as const;
  });
  const twins = [...newNames].flatMap((name) => {
    const twin = get(name) ? null : twinOf(sql, name);
    return twin === null ? [] : [[name, twin] as const];
  });
  return { files: new Map(there), twins: new Map(twins) };
}

/** What differs from a path, or from a folder on its way, only by case or Unicode form. */
function twinOf(sql: Sql, path: string): string | null {
  for (const part of partsOf(path)) {
    const depth = part.split("/").length;
    const key = fold(part);
    const spelled = sql
      .all<{ path: string }>(
        part === path
          ? "SELECT path FROM r2_files WHERE key >= ? AND key <= ?"
          : "SELECT path FROM r2_files WHERE key > ? AND key < ? LIMIT 1",
        ...(part === path ? [key, key] : [`${key}/`, `${key}0`]),
      )
      .map((row) => row.path.split("/").slice(0, depth).join("/"));
    if (spelled.length === 0) continue;
    if (spelled.includes(part)) return null;
    // A folder may be there in two spellings, if another program made the second.
    const same = sql.get(
      "SELECT 1 AS x FROM r2_files WHERE path > ? AND path < ? LIMIT 1",
      `${part}/`,
      `${part}0`,
    );
    return same ? null : spelled[0]!;
  }
  return null;
}
