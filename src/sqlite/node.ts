/** SQLite on Node: which driver, how a file is opened, and what happens when it is busy, broken or somebody else's. The only file here that knows Node. */

import {
  closeSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { NoteError } from "../markdown/errors.ts";
import { createSchema, schemaOf } from "./schema.ts";
import type { Sql, SqlValue } from "./sql.ts";

type Statement = {
  all(...values: SqlValue[]): unknown[];
  get(...values: SqlValue[]): unknown;
  run(...values: SqlValue[]): unknown;
};
type Database = { exec(text: string): void; prepare(text: string): Statement; close(): void };
type Driver = new (file: string) => Database;

/** A statement that is prepared anew each time leaks memory in one of the drivers, so all are kept; the oldest go first. */
const STATEMENTS = 256;
/** SQLite itself waits this long for another process, and is asked again this often: two seconds in all. */
const BUSY_MS = 50;
const BUSY_TIMES = 40;

/** The log is put in place when it has grown so long, in pages of 4 kB. By default it is at 1,000, which each slice of a first indexing fills. */
const LOG_PAGES = 2000;

const BUSY = 5;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

let chosen: Promise<Driver> | null = null;

/** An open database: a file, or `:memory:`. */
export async function openSql(file: string): Promise<Sql> {
  chosen ??= chooseDriver();
  return opened(new (await chosen)(file), "wal");
}

/** Opens lock files: at once, with nothing beside them, and without waiting for whoever has one. */
export async function lockOpener(): Promise<(file: string) => Sql> {
  chosen ??= chooseDriver();
  const Driver = await chosen;
  return (file) => opened(new Driver(file), "memory");
}

/** The index of a vault: made where there is none, made anew where it is broken, not ours, or taken away. */
export async function openIndexFile(path: string): Promise<Sql> {
  chosen ??= chooseDriver();
  return mended(await chosen, path);
}

// node:sqlite lacks FTS5 before Node 22.16, and Node 20 has none; the package has the same calls.
async function chooseDriver(): Promise<Driver> {
  const emit = process.emitWarning;
  try {
    // Node 22 says once that its SQLite is experimental; that is nothing the user of a note server can act on.
    process.emitWarning = ((warning: string | Error, ...rest: never[]) => {
      if (!String(warning).includes("SQLite")) emit.call(process, warning, ...rest);
    }) as typeof process.emitWarning;
    const { DatabaseSync } = (await import("node:sqlite" as string)) as { DatabaseSync: Driver };
    const trial = new DatabaseSync(":memory:");
    trial.exec("CREATE VIRTUAL TABLE trial USING fts5(text)");
    trial.close();
    return DatabaseSync;
  } catch {
    const { DatabaseSync } = await import("@photostructure/sqlite");
    return DatabaseSync as unknown as Driver;
  } finally {
    process.emitWarning = emit;
  }
}

function opened(database: Database, journal: "wal" | "memory"): Sql {
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

/** A Sql over whatever good file stands at `path`: looked at before each transaction, and replaced when SQLite finds it broken. */
function mended(Driver: Driver, path: string): Sql {
  let { sql, inode } = sound(Driver, path);
  let within = false;
  const again = () => {
    sql.close();
    ({ sql, inode } = sound(Driver, path));
  };
  const watched = <T>(work: () => T): T => {
    if (within) return work();
    try {
      return work();
    } catch (error) {
      if (!isBroken(error)) throw error;
      if (inodeOf(path) === inode) setAside(path);
      again();
      throw new NoteError(
        "indexing",
        "The index was damaged and is being built anew. Try again in a moment.",
      );
    }
  };
  return {
    exec: (text) => watched(() => sql.exec(text)),
    all: (text, ...values) => watched(() => sql.all(text, ...values)),
    get: (text, ...values) => watched(() => sql.get(text, ...values)),
    run: (text, ...values) => watched(() => sql.run(text, ...values)),
    transaction(work) {
      if (within) return work();
      // Another process may have put a new index in place of this one; what is written to the old would be lost.
      if (inodeOf(path) !== inode) again();
      return watched(() => {
        within = true;
        try {
          return sql.transaction(work);
        } finally {
          within = false;
        }
      });
    },
    close() {
      // One driver lets go of a file only when its statements are collected, so what is in the WAL is put in place first.
      if (inodeOf(path) === inode) sql.all("PRAGMA wal_checkpoint(TRUNCATE)");
      sql.close();
    },
  };
}

/** Longer than a server of an earlier version is left running beside a new one. */
const UNUSED_MS = 7 * 86_400_000;

/** Removes indexes of earlier versions from beside this one: after an update nobody opens them, and each is larger than the notes. */
export function dropOlder(path: string, schema: number, now: number): void {
  try {
    for (const name of readdirSync(dirname(path))) {
      const number = /^index-(\d+)\.db/.exec(name)?.[1];
      if (number === undefined || Number(number) >= schema) continue;
      const file = join(dirname(path), name);
      if (now - lstatSync(file).mtimeMs > UNUSED_MS) rmSync(file, { force: true });
    }
  } catch {
    // What cannot be removed stays: it is in nobody's way.
  }
}

const isBroken = (error: unknown): boolean => [CORRUPT, NOT_A_DATABASE].includes(codeOf(error));

function sound(Driver: Driver, path: string): { sql: Sql; inode: bigint | null } {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  checkFolder(dirname(path));
  for (let attempt = 1; ; attempt++) {
    // An index of ours never has a rollback journal; one that was planted would be played back, and may name any file to delete.
    moveAside(`${path}-journal`);
    if (!["", "-wal", "-shm"].every((ending) => isAbsentOrOwn(path + ending))) setAside(path);
    if (inodeOf(path) === null) begin(Driver, path);
    let sql: Sql | null = null;
    try {
      if (isOurs(Driver, path)) {
        sql = opened(new Driver(path), "wal");
        return { sql, inode: inodeOf(path) };
      }
    } catch (error) {
      sql?.close();
      if (!isBroken(error) || attempt === 3) throw error;
    }
    setAside(path);
  }
}

/** Who owns the folder decides what lies in it. */
function checkFolder(folder: string): void {
  const found = lstatSync(folder);
  if (found.isDirectory() && isOwn(found)) return;
  throw new NoteError(
    "disk_refused",
    `The index cannot be kept in ${folder}: that folder is a link or belongs to another user. Name another place with --index.`,
  );
}

/** Windows has no such owners, and says nothing about them. */
const isOwn = ({ uid }: { uid: number }): boolean => uid === (process.getuid?.() ?? uid);

function isAbsentOrOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found === undefined || (found.isFile() && isOwn(found));
}

// A new index gets its name once it is whole: until its log is switched on, SQLite keeps a journal beside it.
function begin(Driver: Driver, path: string): void {
  const draft = `${path}.new-${process.pid}-${Date.now().toString(36)}`;
  // Made with its mode before SQLite opens it: closing a second handle would drop SQLite's locks.
  closeSync(openSync(draft, "wx", 0o600));
  try {
    const sql = opened(new Driver(draft), "wal");
    createSchema(sql);
    sql.all("PRAGMA wal_checkpoint(TRUNCATE)");
    sql.close();
    // SQLite knows files by inode and may still hold the draft's, so the index is a copy.
    copyFileSync(draft, `${draft}-copy`);
    putInPlace(`${draft}-copy`, path);
  } finally {
    for (const ending of ["", "-wal", "-shm", "-journal", "-copy"]) rmSync(draft + ending, { force: true });
  }
}

function putInPlace(copy: string, path: string): void {
  try {
    linkSync(copy, path);
  } catch (error) {
    // Where another process was quicker, its index serves. Some disks know no links.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") renameSync(copy, path);
  }
}

// Looked at before anything is set or made in it: a planted file may hold triggers or views, ours holds exactly what a new one would.
function isOurs(Driver: Driver, path: string): boolean {
  const database = new Driver(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS * BUSY_TIMES}; PRAGMA trusted_schema = OFF`);
    const found = schemaOf({ all: <T>(text: string) => database.prepare(text).all() as T[] });
    return found === ownSchema(Driver);
  } finally {
    database.close();
  }
}

function ownSchema(Driver: Driver): string {
  const sql = opened(new Driver(":memory:"), "wal");
  createSchema(sql);
  const schema = schemaOf(sql);
  sql.close();
  return schema;
}

function setAside(path: string): void {
  for (const ending of ["", "-wal", "-shm"]) moveAside(path + ending);
}

// What is moved aside is kept, once, because it may be a file of somebody's that only stood in the way.
function moveAside(path: string): void {
  try {
    renameSync(path, `${path}.set-aside`);
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return;
    if (!["EISDIR", "ENOTDIR", "ENOTEMPTY", "EEXIST", "EPERM"].includes(code)) throw error;
    renameSync(path, `${path}.set-aside-${Date.now().toString(36)}`);
  }
}

function inodeOf(path: string): bigint | null {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}
