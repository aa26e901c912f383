/** SQLite in a Durable Object: its values are text, numbers, bytes and null, and its transactions are one call. */

import { NoteError } from "../markdown/errors.ts";
import type { Sql, SqlValue } from "./sql.ts";

type Row = Record<string, SqlValue | ArrayBuffer>;
/** What a Durable Object offers of SQLite. */
export type DurableStorage = {
  sql: { exec(text: string, ...values: unknown[]): { toArray(): Row[] } };
  transactionSync<T>(work: () => T): T;
};

/** An object takes 2 MB for a value, and for a row. */
const VALUE_LIMIT = 1_900_000;

/** `packing` is that of Sql. */
export const durableSql = (storage: DurableStorage, packing?: Sql["packing"]): Sql => {
  let within = false;
  const rows = <T>(text: string, values: SqlValue[]): T[] => {
    try {
      return storage.sql
        .exec(text, ...values.map(given))
        .toArray()
        .map(taken) as T[];
    } catch (error) {
      throw refused(error);
    }
  };
  return {
    exec: (text) => void rows(text, []),
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
    valueLimit: VALUE_LIMIT,
    paidRows: true,
    ...(packing ? { packing } : {}),
  };
};

/** What SQLite says of a statement is a defect of ours; whatever else it is, the storage failed. */
const refused = (error: unknown): unknown => {
  const message = error instanceof Error ? error.message : "";
  if (/SQLITE_FULL|disk is full|exceeded.*size/i.test(message))
    return new NoteError("disk_full", "The workspace is full. Nothing was changed.");
  if (/SQLITE_(?:ERROR|CONSTRAINT|MISMATCH|MISUSE|RANGE|TOOBIG|AUTH)/.test(message)) return error;
  return new NoteError(
    "disk_failed",
    "The storage of the workspace failed. Nothing was changed; try again in a moment.",
    { reason: message.slice(0, 200) },
  );
};

/** Text is cut at a NUL, as by one of the drivers on Node. */
const given = (value: SqlValue): unknown => {
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;
  if (typeof value === "bigint" || typeof value === "boolean") return Number(value);
  return value ?? null;
};

const taken = (row: Row): Row => {
  for (const [name, value] of Object.entries(row))
    if (value instanceof ArrayBuffer) row[name] = new Uint8Array(value);
  return row;
};
