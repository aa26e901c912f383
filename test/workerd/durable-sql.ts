/** Sql over the storage of a Durable Object: its values are text, numbers, bytes and null, and its transactions are one call. */

import type { Sql, SqlValue } from "../../src/sqlite/sql.ts";

type Row = Record<string, SqlValue | ArrayBuffer>;
/** What a Durable Object offers of SQLite. */
export type Storage = {
  sql: { exec(text: string, ...values: unknown[]): { toArray(): Row[] } };
  transactionSync<T>(work: () => T): T;
};

const given = (value: SqlValue): unknown => (typeof value === "bigint" ? Number(value) : value);

const taken = (row: Row): Row => {
  for (const [name, value] of Object.entries(row))
    if (value instanceof ArrayBuffer) row[name] = new Uint8Array(value);
  return row;
};

export const durableSql = (storage: Storage): Sql => {
  let within = false;
  const rows = <T>(text: string, values: SqlValue[]): T[] =>
    storage.sql
      .exec(text, ...values.map(given))
      .toArray()
      .map(taken) as T[];
  return {
    exec: (text) => void storage.sql.exec(text).toArray(),
    all: (text, ...values) => rows(text, values),
    get: <T>(text: string, ...values: SqlValue[]) => rows<T>(text, values)[0],
    run: (text, ...values) => void rows(text, values),
    transaction(work) {
      if (within) return work();
      within = true;
      try {
        return storage.transactionSync(work);
      } finally {
        within = false;
      }
    },
    close: () => undefined,
    valueLimit: 1_900_000,
  };
};
