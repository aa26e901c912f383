/** Disk: the files of one vault, as a value. All reading and writing of a vault's files goes through it. */

import { createHash, randomBytes } from "node:crypto";
import { readFileSync, type BigIntStats } from "node:fs";
import { realCalls, TO_CREATE, TO_READ, type Calls } from "./calls.ts";
import {
  entryOf,
  isOpenToOthers,
  kindOf,
  openToFlush,
  openToRead,
  readFirst,
  readWhole,
  writeWhole,
  type Entry,
  type FileRead,
  type Mode,
} from "./open-files.ts";
import { attempt, codeOf, diskError } from "../notebook/system-errors.ts";
import { spellingOn, type IsMisspelled } from "./spelling.ts";
import { folderAndName } from "./segments.ts";
import { joined, nameIn } from "../notebook/vault-path.ts";
import { walkFrom, type Walk } from "./walk.ts";

export type Names = Record<Entry["kind"], string[]>;
/** Paths are relative to the root. A file that answers to another spelling of its name is absent. Absence is null or false; what the system refuses is thrown, with its code. */
export type Disk = {
  root: string;
  /**
   * Which folder the root is. Throws where it is gone, or empty and on another disk, as the place of a disk that is not mounted:
   * nothing found below it would mean anything.
   */
  present(): string;
  look(path: string): Entry | null;
  /** Looks at a folder, the root too. */
  lookFolder(folder: string): Entry | null;
  /** The stamp alone, for the price of one call. Folders on the way are not walked, so it only says whether to look again. */
  stamp(path: string): string | null;
  /** Null for whatever is no regular file. EFBIG above `limit`, by the size alone. */
  read(path: string, limit: number): FileRead | null;
  /** The first bytes of a regular file, `most` at most, with what the system says of the whole. Null for whatever is none. */
  readFirst(path: string, most: number): FileRead | null;
  /** A regular file held open, to be read in pieces; whoever asked for it closes it. Null for whatever is none. */
  hold(path: string): { file: number; size: number } | null;
  /** A regular file held open, to be read in pieces here. Null for whatever is none. */
  holdToRead(path: string): { read(into: Uint8Array, at: number): number; close(): void } | null;
  /** SHA-256 of files by inode, time and size (versions.ts). */
  hashes: Map<string, string>;
  names(folder: string): Names | null;
  /** Names of every kind, in no order. */
  allNames(folder: string): string[] | null;
  /** Many names of one folder; those that are gone are left out. Tells whether to look again, no more: what is read is walked to. */
  lookAll(folder: string, names: readonly string[]): (Entry & { name: string })[];
  makeFolder(folder: string, how: { durable: boolean }): void;
  /** Takes the rights of others from a file or folder. False where there are none to take, or where it is not ours alone. */
  makePrivate(path: string): boolean;
  /** A new file, whole or not at all. */
  create(path: string, bytes: Uint8Array, how: { mode: Mode; durable: boolean }): void;
  /** Takes the place of what is there. */
  rename(from: string, to: string): void;
  /** A second name for a file; EEXIST where that name is taken, so this is how to create without overwriting. */
  link(from: string, to: string): void;
  /** False where there was nothing. */
  unlink(path: string): boolean;
  /** False where the folder is not empty, or not there. */
  removeFolder(folder: string): boolean;
  /** Makes the names in a folder durable. */
  sync(folder: string): void;
  /** Makes the names in several folders durable, all at a time. */
  syncAll(folders: readonly string[]): Promise<void>;
  /** Makes the bytes of files durable, all at a time; those that are gone are left out. */
  flush(paths: readonly string[]): Promise<void>;
  /** A number for the next name (home.ts): unlike the last 65,535 of this disk. */
  serial(): number;
  /** Which start of the machine this is, where it tells; the same for all processes until the next. */
  boot: string;
  /** Hands this disk to one piece of work, which keeps the folders it comes by open. */
  keepingFoldersOpen<T>(work: (disk: Disk) => Promise<T>): Promise<T>;
};

export function openDisk(root: string, calls: Calls = realCalls): Disk {
  let count = randomBytes(2).readUInt16BE();
  const marks = { serial: () => (count = (count + 1) & 0xffff), boot: bootMark(), hashes: new Map() };
  return diskOver(root, calls, walkFrom(root, calls, { keeping: false }), spellingOn(root, calls), marks);
}

function bootMark(): string {
  let id = "";
  if (process.platform === "linux")
    attempt(() => (id = readFileSync("/proc/sys/kernel/random/boot_id", "latin1")));
  return createHash("sha1").update(id).digest("hex").slice(0, 8);
}

/** How a path is reached, by the calls of one disk. */
type Reach = {
  root: string;
  calls: Calls;
  walk: Walk;
  /** Hands `work` the place of a file: a name in a folder that is held open. */
  at<T>(path: string, work: (place: string) => T): T | null;
  inExisting<T>(path: string, work: (place: string) => T): T;
};

function diskOver(
  root: string,
  calls: Calls,
  walk: Walk,
  isMisspelled: IsMisspelled,
  marks: Pick<Disk, "serial" | "boot" | "hashes">,
): Disk {
  const device = calls.lstat(root)?.dev;
  const reach: Reach = {
    root,
    calls,
    walk,
    at(path, work) {
      const { folder, name } = folderAndName(path);
      return walk.within(folder, ({ at }) =>
        isMisspelled(`${at}/${name}`, path) ? null : work(`${at}/${name}`),
      );
    },
    inExisting(path, work) {
      const { folder, name } = folderAndName(path);
      return walk.inExisting(folder, (place) => work(`${place.at}/${name}`));
    },
  };
  return {
    ...marks,
    root,
    present: () => presentAt(reach, device),
    ...looking(reach),
    ...changing(reach),
    ...flushing(reach),
    async keepingFoldersOpen(work) {
      const keeping = walkFrom(root, calls, { keeping: true });
      try {
        return await work(diskOver(root, calls, keeping, isMisspelled, marks));
      } finally {
        keeping.release();
      }
    },
  };
}

/** Throws where the root is not the folder it was. */
function presentAt({ root, calls }: Reach, device: bigint | undefined): string {
  const now = calls.lstat(root);
  const gone = !now || !now.isDirectory() || (now.dev !== device && calls.readnames(root).length === 0);
  if (gone) throw Object.assign(diskError("ESTALE", "The vault's folder is gone."), { vault: nameIn(root) });
  try {
    calls.access(root);
  } catch {
    throw Object.assign(diskError("EUNREADABLE", "The vault's folder may not be read."), {
      vault: nameIn(root),
    });
  }
  return `${now.dev}-${now.ino}`;
}

type Looking = Pick<
  Disk,
  | "look"
  | "stamp"
  | "lookFolder"
  | "read"
  | "readFirst"
  | "hold"
  | "holdToRead"
  | "names"
  | "allNames"
  | "lookAll"
>;

function looking({ root, calls, walk, at }: Reach): Looking {
  const opened = <T>(path: string, work: (file: number) => T): T | null =>
    at(path, (place) => {
      const file = openToRead(calls, place);
      if (file === null) return null;
      try {
        return work(file);
      } finally {
        calls.close(file);
      }
    });
  return {
    look: (path) =>
      at(path, (place) => {
        const found = calls.lstat(place);
        return found ? entryOf(found) : null;
      }),
    stamp(path) {
      let found: BigIntStats | undefined;
      // Something on the way may be no folder.
      attempt(() => (found = calls.lstat(`${root}/${path}`)));
      return found ? entryOf(found).stamp : null;
    },
    lookFolder: (folder) =>
      walk.within(folder, ({ at, handle }) => {
        const found = calls.lstat(handle === null ? at : `${at}/.`);
        return found ? entryOf(found) : null;
      }),
    read: (path, limit) => opened(path, (file) => readWhole(calls, file, limit)),
    readFirst: (path, most) => opened(path, (file) => readFirst(calls, file, most)),
    hold: (path) =>
      at(path, (place) => {
        const file = openToRead(calls, place);
        if (file === null) return null;
        const found = calls.fstat(file);
        if (found.isFile()) return { file, size: Number(found.size) };
        calls.close(file);
        return null;
      }),
    holdToRead: (path) =>
      at(path, (place) => {
        const file = openToRead(calls, place);
        if (file === null) return null;
        const close = (): void => calls.close(file);
        if (calls.fstat(file).isFile())
          return { read: (into, from) => calls.readPiece(file, into, from), close };
        close();
        return null;
      }),
    names: (folder) =>
      walk.within(folder, ({ at }) => {
        const names: Names = { file: [], folder: [], link: [], other: [] };
        for (const entry of calls.readdir(at)) names[kindOf(entry)].push(entry.name);
        return names;
      }),
    allNames: (folder) => walk.within(folder, ({ at }) => calls.readnames(at)),
    lookAll: (folder, names) =>
      // Each is reached by its path, for the folder was walked to just now: by handle it takes twice as long, and there are hundreds of thousands.
      walk.within(folder, () =>
        names.flatMap((name) => {
          const found = calls.lstat(`${root}/${joined(folder, name)}`);
          return found ? [{ ...entryOf(found), name }] : [];
        }),
      ) ?? [],
  };
}

type Changing = Pick<
  Disk,
  "makeFolder" | "makePrivate" | "create" | "rename" | "link" | "unlink" | "removeFolder"
>;

function changing({ calls, walk, at, inExisting }: Reach): Changing {
  // Both folders are held open, so that neither can be swapped between the check and the call.
  const between = (from: string, to: string, work: (from: string, to: string) => void): void =>
    inExisting(from, (source) => inExisting(to, (target) => work(source, target)));
  /** Whether it was taken away; false where one of these refusals says that there is nothing to take. */
  const take = (path: string, remove: (place: string) => void, refusals: readonly string[]): boolean =>
    at(path, (place) => {
      try {
        remove(place);
        return true;
      } catch (error) {
        if (refusals.includes(codeOf(error) ?? "")) return false;
        throw error;
      }
    }) ?? false;
  return {
    makeFolder: walk.make,
    makePrivate: (path) =>
      at(path, (place) => {
        if (!isOpenToOthers(calls.lstat(place))) return false;
        const file = calls.open(place, TO_READ);
        try {
          const now = calls.fstat(file);
          if (isOpenToOthers(now)) calls.fchmod(file, Number(now.mode & 0o700n));
          return isOpenToOthers(now);
        } finally {
          calls.close(file);
        }
      }) ?? false,
    create: (path, bytes, how) =>
      inExisting(path, (place) => {
        // Closed to others until it has the mode of the note it stands for.
        const file = calls.open(place, TO_CREATE, how.mode === null ? 0o644 : 0o600);
        try {
          writeWhole(calls, file, bytes, how);
        } catch (error) {
          attempt(() => calls.unlink(place));
          throw error;
        } finally {
          calls.close(file);
        }
      }),
    rename: (from, to) => between(from, to, calls.rename),
    link: (from, to) => between(from, to, calls.link),
    removeFolder: (folder) => take(folder, calls.rmdir, ["ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR"]),
    unlink: (path) => take(path, calls.unlink, ["ENOENT"]),
  };
}

function flushing({ calls, walk, at }: Reach): Pick<Disk, "sync" | "syncAll" | "flush"> {
  return {
    sync: (folder) => walk.inExisting(folder, walk.sync),
    async syncAll(folders) {
      if (folders.length === 1) return walk.inExisting(folders[0]!, walk.sync);
      await Promise.all(folders.map(async (folder) => walk.inExisting(folder, walk.syncAside)));
    },
    async flush(paths) {
      await Promise.all(
        [...new Set(paths)].map(async (path) => {
          const file = at(path, (place) => openToFlush(calls, place));
          if (file === null) return;
          try {
            await calls.fsyncAside(file);
          } finally {
            calls.close(file);
          }
        }),
      );
    },
  };
}
