/** The index of a vault as a file: it is made whole or not at all, replaced where it is broken or not ours, and never opened where somebody else may have put it (decision 17). */

import {
  closeSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { NoteError } from "../markdown/errors.ts";
import { BUSY_MS, BUSY_TIMES, cannotBeKept, driver, isBroken, opened, type Driver } from "./node.ts";
import type { Sql } from "./sql.ts";

/** How the tables of an index are made, and what tells them from all others. */
export type Schema = { create(sql: Sql): void; describe(sql: Pick<Sql, "all">): string };

/**
 * Opens the index of a vault. It is made where there is none, and replaced where it is broken, not ours, or taken away. Where it cannot be kept at
 * `path`, it is kept in a temporary folder, or in memory, until it is closed; `unkept` gets the reason.
 */
export async function openIndexFile(
  path: string,
  schema: Schema,
  unkept: (error: unknown) => void = () => undefined,
): Promise<Sql> {
  const places = [inFile(path), inTemporaryFolder, inMemory];
  return repairing(await driver(), schema, places, unkept);
}

/** An open index: whether it is still what stands in its place, and how it is put away. */
type Place = { sql: Sql; same(): boolean; setAside(): void; leave(): void };
type Opening = (Driver: Driver, schema: Schema) => Place;

const inFile =
  (path: string): Opening =>
  (Driver, schema) => {
    const { sql, inode } = sound(Driver, path, schema);
    return {
      sql,
      same: () => inodeOf(path) === inode,
      setAside: () => setAside(path),
      leave: () => undefined,
    };
  };

/** The folder is for this user alone, and for as long as the index is open. */
const inTemporaryFolder: Opening = (Driver, schema) => {
  const folder = mkdtempSync(join(tmpdir(), "notewright-index-"));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  // A process whose client is gone ends before all is closed where that takes long; the folder goes with it all the same.
  process.once("exit", remove);
  const leave = (): void => {
    process.off("exit", remove);
    remove();
  };
  try {
    return { ...inFile(join(folder, "index.db"))(Driver, schema), leave };
  } catch (error) {
    leave();
    throw error;
  }
};

const inMemory: Opening = (Driver, schema) => {
  const sql = opened(new Driver(":memory:"), "wal");
  schema.create(sql);
  return { sql, same: () => true, setAside: () => undefined, leave: () => undefined };
};

/** A Sql over a good index in the first of these places that can be written. The file is checked before each transaction, and replaced when SQLite finds it broken. */
function repairing(Driver: Driver, schema: Schema, places: Opening[], unkept: (error: unknown) => void): Sql {
  const moveOn = (error: unknown): void => {
    if (places.length === 1 || !cannotBeKept(error)) throw error;
    unkept(error);
    places.shift();
  };
  const open = (): Place => {
    for (;;) {
      try {
        return places[0]!(Driver, schema);
      } catch (error) {
        moveOn(error);
      }
    }
  };
  let place = open();
  let within = false;
  // Where no index can be kept there any more, the file that is open is still read, but not written: SQLite would open what stands
  // in the place of its folder, which may be a pipe.
  const again = () => {
    const next = open();
    // A disk that is full may not even let it be closed.
    attempt(() => place.sql.close());
    attempt(() => place.leave());
    place = next;
  };
  const watched = <T>(work: () => T): T => {
    if (within) return work();
    try {
      return work();
    } catch (error) {
      if (!isBroken(error)) moveOn(error);
      else if (place.same()) place.setAside();
      again();
      const what = isBroken(error) ? "was damaged" : "could not be written where it was";
      throw new NoteError("indexing", `The index ${what} and is being built anew. Try again in a moment.`);
    }
  };
  return {
    exec: (text) => watched(() => place.sql.exec(text)),
    all: (text, ...values) => watched(() => place.sql.all(text, ...values)),
    get: (text, ...values) => watched(() => place.sql.get(text, ...values)),
    run: (text, ...values) => watched(() => place.sql.run(text, ...values)),
    transaction(work) {
      if (within) return work();
      // Another process may have put a new index in place of this one; what is written to the old would be lost.
      if (!place.same()) again();
      return watched(() => {
        within = true;
        try {
          return place.sql.transaction(work);
        } finally {
          within = false;
        }
      });
    },
    close() {
      // One driver lets go of a file only when its statements are collected, so what is in the WAL is put in place first.
      if (place.same()) attempt(() => place.sql.all("PRAGMA wal_checkpoint(TRUNCATE)"));
      place.sql.close();
      place.leave();
    },
  };
}

const attempt = (work: () => void): void => {
  try {
    work();
  } catch {
    return;
  }
};

/** No server of an earlier version is left running beside a new one for so long. */
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

function sound(Driver: Driver, path: string, schema: Schema): { sql: Sql; inode: bigint | null } {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  checkFolder(dirname(path));
  for (let attempt = 1; ; attempt++) {
    // An index of ours never has a rollback journal; one that was planted would be played back, and may name any file to delete.
    moveAside(`${path}-journal`);
    if (!["", "-wal", "-shm"].every((ending) => isAbsentOrOwn(path + ending))) setAside(path);
    if (inodeOf(path) === null) begin(Driver, path, schema);
    let sql: Sql | null = null;
    try {
      if (isOurs(Driver, path, schema)) {
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

/** Refuses a folder of somebody else: its owner decides what lies in it. */
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
function begin(Driver: Driver, path: string, schema: Schema): void {
  const draft = `${path}.new-${process.pid}-${Date.now().toString(36)}`;
  // Made with its mode before SQLite opens it: closing a second handle would drop SQLite's locks.
  closeSync(openSync(draft, "wx", 0o600));
  try {
    const sql = opened(new Driver(draft), "wal");
    schema.create(sql);
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

// The file is checked before anything is set or made in it: a planted one may hold triggers or views, ours holds exactly what a new one would.
function isOurs(Driver: Driver, path: string, schema: Schema): boolean {
  const database = new Driver(path);
  try {
    database.exec(`PRAGMA busy_timeout = ${BUSY_MS * BUSY_TIMES}; PRAGMA trusted_schema = OFF`);
    const found = schema.describe({ all: <T>(text: string) => database.prepare(text).all() as T[] });
    return found === ownSchema(Driver, schema);
  } finally {
    database.close();
  }
}

function ownSchema(Driver: Driver, schema: Schema): string {
  const sql = opened(new Driver(":memory:"), "wal");
  schema.create(sql);
  const found = schema.describe(sql);
  sql.close();
  return found;
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
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
  } catch {
    // Something else than a folder is on the way.
    return null;
  }
}
