/** What the authorization server keeps: one table of keys and values that expire, as its library wants them (decision 21). */

import type { Sql } from "../sqlite/sql.ts";

/** The few calls that the library makes of a key-value store. */
export type KeyValues = {
  get(key: string, how?: "json" | { type?: string }): Promise<unknown>;
  put(
    key: string,
    value: string,
    how?: { expirationTtl?: number; expiration?: number; metadata?: unknown },
  ): Promise<void>;
  delete(key: string): Promise<void>;
  list(how?: { prefix?: string; limit?: number; cursor?: string }): Promise<Listed>;
};
export type Listed = {
  keys: { name: string; metadata?: unknown }[];
  list_complete: boolean;
  cursor?: string;
};

export type Store = KeyValues & {
  /** Gives a value this once: whoever comes second gets null. */
  take(key: string): string | null;
  /** Values of all live keys that begin so, the oldest first. */
  values(prefix: string): { key: string; value: string; made: number }[];
  /** How many keys that begin so were put in for the first time since then, in milliseconds. */
  madeSince(prefix: string, time: number): number;
  /** Removes what has expired. */
  sweep(): void;
  /** Is called with the value of each grant that is removed before its time. */
  onGrantRemoved(listener: (value: string) => void): void;
  close(): void;
};

type Row = { key: string; value: string; metadata: string | null; made: number };

export const GRANT = "grant:";
export const CLIENT = "client:";

const TABLE = `CREATE TABLE IF NOT EXISTS kept (
  key TEXT PRIMARY KEY, value TEXT NOT NULL, metadata TEXT, made INTEGER NOT NULL, expires INTEGER
) WITHOUT ROWID`;
const LIVE = "(expires IS NULL OR expires > ?)";
/** Above every key that begins with the prefix. */
const after = (prefix: string): string => `${prefix}\u{10ffff}`;

export const openStore = (sql: Sql, now: () => number): Store => {
  sql.exec(TABLE);
  let removed: (value: string) => void = () => undefined;
  const valueOf = (key: string): string | null =>
    sql.get<{ value: string }>(`SELECT value FROM kept WHERE key = ? AND ${LIVE}`, key, now())?.value ?? null;
  const drop = (key: string): string | null =>
    sql.transaction(() => {
      const value = valueOf(key);
      sql.run("DELETE FROM kept WHERE key = ?", key);
      return value;
    });

  return {
    async get(key, how) {
      const value = valueOf(key);
      const type = typeof how === "string" ? how : how?.type;
      return value !== null && type === "json" ? (JSON.parse(value) as unknown) : value;
    },
    async put(key, value, { expirationTtl, expiration, metadata } = {}) {
      const seconds = expirationTtl === undefined ? expiration : now() / 1000 + expirationTtl;
      sql.run(
        `INSERT INTO kept (key, value, metadata, made, expires) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value, metadata = excluded.metadata, expires = excluded.expires`,
        key,
        value,
        metadata === undefined ? null : JSON.stringify(metadata),
        now(),
        seconds === undefined ? null : Math.floor(seconds * 1000),
      );
    },
    async delete(key) {
      const value = drop(key);
      if (value !== null && key.startsWith(GRANT)) removed(value);
    },
    async list({ prefix = "", limit = 1000, cursor = "" } = {}) {
      const rows = sql.all<Row>(
        `SELECT key, metadata FROM kept WHERE key >= ? AND key < ? AND key > ? AND ${LIVE} ORDER BY key LIMIT ?`,
        prefix,
        after(prefix),
        cursor,
        now(),
        limit + 1,
      );
      const keys = rows.slice(0, limit).map(({ key, metadata }) => ({
        name: key,
        ...(metadata === null ? {} : { metadata: JSON.parse(metadata) as unknown }),
      }));
      const last = keys.at(-1)?.name;
      return rows.length > limit && last !== undefined
        ? { keys, list_complete: false, cursor: last }
        : { keys, list_complete: true };
    },
    take: (key) => drop(key),
    values: (prefix) =>
      sql.all<Row>(
        `SELECT key, value, made FROM kept WHERE key >= ? AND key < ? AND ${LIVE} ORDER BY made, key`,
        prefix,
        after(prefix),
        now(),
      ),
    madeSince: (prefix, time) =>
      sql.get<{ n: number }>(
        "SELECT count(*) AS n FROM kept WHERE key >= ? AND key < ? AND made > ?",
        prefix,
        after(prefix),
        time,
      )?.n ?? 0,
    sweep: () => sql.run("DELETE FROM kept WHERE expires <= ?", now()),
    onGrantRemoved(listener) {
      removed = listener;
    },
    close: () => sql.close(),
  };
};
