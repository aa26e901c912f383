/** The vault's write lock: an empty SQLite file on which a transaction is begun and never written. The kernel frees it when a process dies (decision 17). */

/*
 * The file must stay empty. A vault may come from anybody, and SQLite plays a journal that lies beside a database back, which may
 * delete any file that the journal names. It never does so over a database of no pages.
 */

import { codeOf, diskError } from "../notebook/system-errors.ts";
import type { Disk } from "./files.ts";
import type { Entry } from "./open-files.ts";
import { LOCK, makeHome, newName } from "./home.ts";
import { HOME, joined, nameIn } from "../notebook/vault-path.ts";

/** The two calls we need of a SQLite connection. */
export type LockFile = { exec(text: string): void; close(): void };
export type Lock = {
  /** One after another, in the order asked for; among processes, one at a time. EBUSY when it takes too long. */
  alone<T>(work: () => Promise<T>, how?: Making): Promise<T>;
  held(): boolean;
  close(): Promise<void>;
};
/** `making: false`: ENOENT where our folder is not there, instead of making it. */
type Making = { making: boolean };
export type Patience = { queue: number; milliseconds: number };

/** The lock, and the names that SQLite gives to what it keeps beside a database. Ours has nothing beside it. */
const NAMES = ["", "-journal", "-wal", "-shm"].map((ending) => nameIn(LOCK) + ending);

/** Others who wait try once a millisecond. A process that takes it again within one waits for as long, every so many times. */
const STEP_ASIDE = 4;

type OpenFile = (file: string) => LockFile | Promise<LockFile>;

/** `kept`: once taken it is held until it is closed, so that no other process writes at all. */
export function vaultLock(
  disk: Disk,
  open: OpenFile,
  patience: Patience = { queue: 10_000, milliseconds: 30_000 },
  { kept = false } = {},
): Lock {
  const lock = fileLock(disk, open);
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  let held = false;

  async function holding<T>(before: Promise<unknown>, work: () => Promise<T>, how: Making): Promise<T> {
    const deadline = performance.now() + patience.milliseconds;
    waiting++;
    try {
      await inTime(before, deadline);
      await lock.take(deadline, how);
      held = true;
      try {
        return await work();
      } finally {
        held = false;
        if (!kept) lock.release();
      }
    } finally {
      waiting--;
    }
  }

  return {
    async alone(work, how = { making: true }) {
      if (waiting >= patience.queue) throw diskError("EBUSY", "Too many changes are waiting.");
      const before = last;
      const mine = holding(before, work, how);
      // Only the end of it is kept: results would hold on to the notes of every change there was.
      last = Promise.allSettled([before, mine]).then(() => undefined);
      return mine;
    },
    held: () => held,
    async close() {
      await last;
      lock.close();
    },
  };
}

/** The lock among processes: a transaction on the file. */
function fileLock(disk: Disk, open: OpenFile) {
  let file: { handle: LockFile; inode: string } | null = null;
  let begun = false;
  let released = -Infinity;
  let inARow = 0;

  function close(): void {
    const old = file;
    file = null;
    begun = false;
    try {
      old?.handle.close();
    } catch {
      // A connection that cannot even be closed is of no more use either way.
    }
  }

  /** One try. An open file keeps its inode from being given to another, so an equal inode is the same file. */
  async function tryTake(how: Making): Promise<boolean> {
    if (begun) return stillThere();
    if (file !== null && soundLock(disk)?.inode !== file.inode) close();
    if (file === null) {
      const inode = lockMade(disk, how);
      file = { handle: await open(`${disk.root}/${LOCK}`), inode };
      // A timeout of SQLite's own would block the whole process while it waits.
      file.handle.exec("PRAGMA busy_timeout=0; PRAGMA journal_mode=memory; PRAGMA synchronous=off;");
    }
    file.handle.exec("BEGIN IMMEDIATE");
    begun = true;
    return stillThere();
  }

  function stillThere(): boolean {
    const found = disk.look(LOCK);
    if (isSound(found) && found.inode === file?.inode) return true;
    close();
    return false;
  }

  async function take(deadline: number, how: Making): Promise<void> {
    // A busy process would keep all others out. It does not wait each time, because one that is alone would wait for nobody.
    inARow = performance.now() - released < 1 ? inARow + 1 : 0;
    if (inARow % STEP_ASIDE === STEP_ASIDE - 1) await oneMillisecond();
    for (let spoilt = 0; ;) {
      try {
        if (await tryTake(how)) break;
      } catch (error) {
        const trouble = troubleOf(error);
        if (trouble !== "busy") close();
        // Somebody wrote into the file after we looked at it: the next try sets it aside.
        if (trouble === "no database" && ++spoilt > 4) throw diskError("EIO", "The lock cannot be made.");
        if (trouble instanceof Error) throw trouble;
      }
      if (performance.now() > deadline) throw tooLong();
      await oneMillisecond();
    }
  }

  function release(): void {
    try {
      file?.handle.exec("ROLLBACK");
      begun = false;
    } catch {
      close();
    }
    released = performance.now();
  }

  return { take, release, close };
}

/** Makes the file where it is missing, and gives its inode. Nothing else may open it: closing any descriptor of it frees every lock this process has on it. */
function lockMade(disk: Disk, { making }: Making): string {
  if (!making && disk.look(HOME) === null) throw diskError("ENOENT", "Our folder is gone.");
  makeHome(disk);
  if (soundLock(disk) === null) makeEmpty(disk);
  return soundLock(disk)?.inode ?? "";
}

function makeEmpty(disk: Disk): void {
  try {
    disk.create(LOCK, new Uint8Array(), { mode: "own", durable: false });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

const isSound = (entry: Entry | null): entry is Entry => entry?.kind === "file" && entry.size === 0;

/** The lock as it stands there. Whatever else stands at one of its names was planted, or left by an older version, and is set aside. */
function soundLock(disk: Disk): Entry | null {
  let lock: Entry | null = null;
  for (const entry of disk.lookAll(HOME, NAMES)) {
    if (entry.name === nameIn(LOCK) && isSound(entry)) lock = entry;
    else setAside(disk, joined(HOME, entry.name));
  }
  return lock;
}

function setAside(disk: Disk, path: string): void {
  try {
    disk.rename(path, `${path}-set-aside-${newName(disk, "m")}`);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

/** SQLite's result codes, as far as they tell what to do. The drivers for Node agree on `errcode`. */
function troubleOf(error: unknown): "busy" | "no database" | unknown {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) & 0xff : null;
  if (code === 5 || code === 6) return "busy";
  if (code === 11 || code === 26) return "no database";
  if (code === 13) return diskError("ENOSPC", "The disk is full.");
  if (code === 3 || code === 8 || code === 14) return diskError("EACCES", "The lock cannot be opened.");
  return code === null ? error : diskError("EIO", "The lock cannot be taken.");
}

function oneMillisecond(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

function tooLong(): Error {
  return diskError("EBUSY", "Others have been writing for too long.");
}

async function inTime(before: Promise<unknown>, deadline: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooLong()), Math.max(0, deadline - performance.now()));
  });
  try {
    await Promise.race([before, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
