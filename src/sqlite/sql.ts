/** Sql: the few synchronous calls we need of SQLite, on Node as in a Durable Object. */

export type SqlValue = string | number | bigint | Uint8Array | null;
export type SqlRow = Record<string, SqlValue>;

export type Sql = {
  /** Statements without rows or parameters, several at once. */
  exec(text: string): void;
  all<T = SqlRow>(text: string, ...values: SqlValue[]): T[];
  get<T = SqlRow>(text: string, ...values: SqlValue[]): T | undefined;
  run(text: string, ...values: SqlValue[]): void;
  /** All of `work` or nothing of it. `work` must not await. Inside another transaction it is part of that one. */
  transaction<T>(work: () => T): T;
  close(): void;
  /** The most bytes one value or row may have, where that is less than a note may have (2 MB in a Durable Object). */
  readonly valueLimit?: number;
  /** How long texts are packed, where room is dear; elsewhere they are kept as they are. */
  readonly packing?: { pack(text: string): Uint8Array; unpack(bytes: Uint8Array): string };
  /** Whether each row written is paid for: then nothing is kept in a row only to be put elsewhere a moment later. */
  readonly paidRows?: true;
  /** Where it answers as if there were the notes of some folders only: the whole, and what it leaves out of it. */
  readonly narrowed?: { whole: Sql; inside(path: string): boolean };
};
