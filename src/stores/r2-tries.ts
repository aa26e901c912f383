/** Tries: what the bucket did not take is tried again, each time later, and versions of ours are known that may lie in it although nobody heard of it (decision 30). */

import type { Sql } from "../sqlite/sql.ts";

// `r2_tries`: how often something was refused. `r2_left`: versions that were given up, deleted or replaced, while a put of them may have been done.
const TABLES = `
CREATE TABLE IF NOT EXISTS r2_tries (path TEXT PRIMARY KEY, times INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS r2_left (
  path TEXT NOT NULL,
  version TEXT NOT NULL,
  PRIMARY KEY (path, version)
) STRICT, WITHOUT ROWID;
`;

/** A key that was written to in this second may be written to after so many milliseconds. */
export const FIRST_MS = 1100;
/** What is refused again waits twice as long, up to so long. */
const LONGEST_MS = 10 * 60_000;
/** The first tries are kept in memory alone: a key that is written to too soon costs no row. */
const IN_MEMORY = 2;

/** `slow`: the key was written to in this second, so nothing is wrong yet. */
type Try = { times: number; at: number; slow: boolean };

export type Tries = ReturnType<typeof openTries>;

export function openTries(sql: Sql, now: () => Date) {
  sql.exec(TABLES);
  const refused = new Map<string, Try>();
  // What was refused before the object was opened is tried at once.
  for (const { path, times } of sql.all<{ path: string; times: number }>("SELECT path, times FROM r2_tries"))
    refused.set(path, { times, at: 0, slow: false });
  /** Texts that were decided in this life, and of which no put may have been done. */
  const untouched = new Set<string>();
  const time = (): number => now().getTime();
  const waits = ({ at }: Try): number => Math.max(0, at - time());

  return {
    isDue(path: string): boolean {
      const found = refused.get(path);
      return !found || waits(found) === 0;
    },
    failed(path: string, slow: boolean): void {
      const times = (refused.get(path)?.times ?? 0) + 1;
      refused.set(path, { times, at: time() + Math.min(LONGEST_MS, FIRST_MS * 2 ** (times - 1)), slow });
      try {
        if (times > IN_MEMORY) sql.run("INSERT OR REPLACE INTO r2_tries VALUES (?, ?)", path, times);
      } catch {
        // What was decided stands; after the object was shut it is tried a little sooner.
      }
    },
    done(path: string): void {
      const found = refused.get(path);
      if (!found) return;
      refused.delete(path);
      if (found.times > IN_MEMORY) sql.run("DELETE FROM r2_tries WHERE path = ?", path);
    },
    /** Nothing is left to be tried. */
    clear(): void {
      if (refused.size > 0) sql.run("DELETE FROM r2_tries");
      refused.clear();
    },
    /** Milliseconds until the first of what was refused is tried again; null where nothing was. */
    soonest(): number | null {
      let least: number | null = null;
      for (const found of refused.values()) least = Math.min(least ?? Infinity, waits(found));
      return least;
    },
    isFailing: (): boolean => [...refused.values()].some(({ slow, times }) => !slow || times > IN_MEMORY),

    decided: (path: string): void => void untouched.add(path),
    /** A put of it may have been done, although that is not known. */
    touched: (path: string): void => void untouched.delete(path),
    /** A text that waits is given up. */
    leave({ path, version }: { path: string; version: string }): void {
      if (!untouched.delete(path)) sql.run("INSERT OR IGNORE INTO r2_left VALUES (?, ?)", path, version);
    },
    leavesAny: (path: string): boolean =>
      sql.get("SELECT 1 AS x FROM r2_left WHERE path = ? LIMIT 1", path) !== undefined,
    isLeft: (path: string, version: string): boolean =>
      sql.get("SELECT 1 AS x FROM r2_left WHERE path = ? AND version = ?", path, version) !== undefined,
    /** It is known what lies there. */
    settled(path: string): void {
      untouched.delete(path);
      sql.run("DELETE FROM r2_left WHERE path = ?", path);
    },
  };
}
