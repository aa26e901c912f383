/** SQLite on Node: which driver, how a database is opened, and what happens when it is busy. */

import { NoteError } from "../markdown/errors.ts";
import type { Sql, SqlValue } from "./sql.ts";

type Statement = {
  all(...values: SqlValue[]): unknown[];
  get(...values: SqlValue[]): unknown;
  run(...values: SqlValue[]): unknown;
};
type Database = { exec(text: string): void; prepare(text: string): Statement; close(): void };
export type Driver = new (file: string) => Database;

/** Preparing a statement again each time leaks memory in one of the drivers, so all are kept; the oldest go first. */
const STATEMENTS = 256;
/** SQLite itself waits this long for another process, and is asked again this often: two seconds in all. */
export const BUSY_MS = 50;
export const BUSY_TIMES = 40;

/** The log is put in place when it has grown so long, in pages of 4 kB. By default it is at 1,000, which each slice of a first indexing fills. */
const LOG_PAGES = 2000;

const BUSY = 5;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;
const READ_ONLY = 8;
const IO = 10;
const FULL = 13;
const CANNOT_OPEN = 14;

/** An open database: a file, or `:memory:`. */
export async function openSql(file: string): Promise<Sql> {
  return opened(new (await driver())(file), "wal");
}

/** Opens lock files: at once, with nothing beside them, and without waiting for the process that holds one. */
export async function lockOpener(): Promise<(file: string) => Sql> {
  const Driver = await driver();
  return (file) => opened(new Driver(file), "memory");
}

/** Node's own SQLite, or the package, which has the same calls. */
export async function driver(): Promise<Driver> {
  const own = ownDriver();
  if (own) return own;
  try {
    const { DatabaseSync } = await import("@photostructure/sqlite");
    return DatabaseSync as unknown as Driver;
  } catch (error) {
    if (!/^(?:ERR_)?MODULE_NOT_FOUND$/.test((error as NodeJS.ErrnoException).code ?? "")) throw error;
    throw new NoteError(
      "sqlite_missing",
      `Node ${process.versions.node} has no SQLite that can search text. Use Node 22.16 or later, or add the package that has one: npx -y -p @photostructure/sqlite@1.2.1 -p notewright notewright …, or npm install @photostructure/sqlite@1.2.1 where notewright is installed.`,
    );
  }
}

/** Whether this Node needs no package for it. */
export const hasOwnSqlite = (): boolean => ownDriver() !== null;

/** Null where Node has no SQLite (20), or one without FTS5 (22 before 22.16). */
function ownDriver(): Driver | null {
  const emit = process.emitWarning;
  try {
    // Node 22 says once that its SQLite is experimental; that is nothing the user of a note server can act on.
    process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
      if (!String(warning).includes("SQLite")) emit.call(process, warning, ...rest);
    }) as typeof process.emitWarning;
    const { DatabaseSync } = process.getBuiltinModule("node:sqlite" as "node:os") as unknown as {
      DatabaseSync: Driver;
    };
    const trial = new DatabaseSync(":memory:");
    trial.exec("CREATE VIRTUAL TABLE trial USING fts5(text)");
    trial.close();
    return DatabaseSync;
  } catch {
    return null;
  } finally {
    process.emitWarning = emit;
  }
}

export function opened(database: Database, journal: "wal" | "memory"): Sql {
  try {
    configure(database, journal);
  } catch (error) {
    database.close();
    throw error;
  }
  const statements = new Map<string, Statement>();
  let newest = "";
  const statement = (text: string): Statement => {
    let found = statements.get(text);
    // Most are called many times in a row.
    if (found && text === newest) return found;
    if (!found) {
      found = database.prepare(text);
      if (statements.size >= STATEMENTS) statements.delete(statements.keys().next().value!);
    } else statements.delete(text);
    statements.set(text, found);
    newest = text;
    return found;
  };
  let within = false;
  return {
    exec: (text) => database.exec(text),
    all: <T>(text: string, ...values: SqlValue[]) => statement(text).all(...values.map(plain)) as T[],
    get: <T>(text: string, ...values: SqlValue[]) =>
      (statement(text).get(...values.map(plain)) ?? undefined) as T | undefined,
    run: (text, ...values) => void statement(text).run(...values.map(plain)),
    transaction(work) {
      if (within) return work();
      patiently(() => statement("BEGIN IMMEDIATE").run());
      within = true;
      try {
        const result = work();
        patiently(() => statement("COMMIT").run());
        return result;
      } catch (error) {
        rollback(database);
        throw error;
      } finally {
        within = false;
      }
    },
    close() {
      statements.clear();
      database.close();
    },
  };
}

function configure(database: Database, journal: "wal" | "memory"): void {
  database.exec(`PRAGMA busy_timeout = ${journal === "wal" ? BUSY_MS : 0}; PRAGMA trusted_schema = OFF`);
  if (journal === "memory") return database.exec("PRAGMA journal_mode = MEMORY");
  patiently(() => database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL"));
  // A WAL that a first indexing has swollen is cut back; sorting leaves no files.
  database.exec(
    `PRAGMA wal_autocheckpoint = ${LOG_PAGES}; PRAGMA journal_size_limit = 16000000; PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16000; PRAGMA cell_size_check = ON`,
  );
}

// SQLite may have rolled back by itself (disk full, corruption); then there is nothing left to take back.
function rollback(database: Database): void {
  try {
    database.exec("ROLLBACK");
  } catch {
    return;
  }
}

// Drivers differ on what they take: undefined throws, a boolean becomes text, and text is cut at a NUL.
function plain(value: unknown): SqlValue {
  if (typeof value === "string") return value.includes("\0") ? value.replaceAll("\0", "\ufffd") : value;
  if (value === undefined) return null;
  return typeof value === "boolean" ? Number(value) : (value as SqlValue);
}

// The package gives no code for an error met while stepping through rows, only SQLite's own words for it.
const WORDS: [RegExp, number][] = [
  [/database (?:table )?is locked/, BUSY],
  [/disk image is malformed/, CORRUPT],
  [/file is not a database/, NOT_A_DATABASE],
  [/readonly database/, READ_ONLY],
  [/disk I\/O error/, IO],
  [/database or disk is full/, FULL],
  [/unable to open database file/, CANNOT_OPEN],
];

function codeOf(error: unknown): number {
  if (!(error instanceof Error) || error instanceof NoteError) return 0;
  const { errcode } = error as { errcode?: number };
  if (errcode !== undefined) return errcode & 0xff;
  return WORDS.find(([words]) => words.test(error.message))?.[1] ?? 0;
}

function patiently(work: () => void): void {
  for (let time = 1; ; time++) {
    try {
      return work();
    } catch (error) {
      if (codeOf(error) !== BUSY) throw error;
      if (time === BUSY_TIMES)
        throw new NoteError("busy", "Another process is writing the index. Try again in a moment.");
    }
  }
}

/** What the system says where a folder or file cannot be made or written. */
const UNWRITABLE =
  "EACCES EPERM EROFS ENOSPC EDQUOT ENOTDIR EEXIST ENOENT ELOOP ENAMETOOLONG EIO EMFILE".split(" ");

/** Whether what failed is the place where a database lies, and not what is in it. */
export const cannotBeKept = (error: unknown): boolean =>
  [READ_ONLY, IO, FULL, CANNOT_OPEN].includes(codeOf(error)) ||
  UNWRITABLE.includes((error as NodeJS.ErrnoException).code ?? "");

export const isBroken = (error: unknown): boolean => [CORRUPT, NOT_A_DATABASE].includes(codeOf(error));
