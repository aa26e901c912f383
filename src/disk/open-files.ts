/** Files while they are open, read and written whole; and what the system says of them, as values. */

import type { BigIntStats } from "node:fs";
import { codeOf, diskError } from "../notebook/system-errors.ts";
import { TO_FLUSH, TO_READ, type Calls } from "./calls.ts";
import { linkRefused } from "./walk.ts";

export type Entry = {
  kind: "file" | "folder" | "link" | "other";
  /**
   * Modification time, change time, size and inode: differs where the file may have changed. The change time cannot be set back, as
   * the other is by tools that restore files.
   */
  stamp: string;
  modified: Date;
  /** The later of the two times: what changed just now may change again under the same one. */
  changed: Date;
  size: number;
  mode: number;
  /** Equal for two names of one file. */
  inode: string;
};
export type FileRead = Entry & { bytes: Uint8Array };
/** `null` leaves it to the umask, as for a note; `own` is for our own files, which hold texts of notes: nobody else may read them. */
export type Mode = number | "own" | null;

/** Null for whatever is no file to be read. */
export function openToRead(calls: Calls, path: string): number | null {
  if (!calls.handles) {
    const found = calls.lstat(path);
    if (found?.isSymbolicLink()) throw linkRefused();
    if (!found?.isFile()) return null;
  }
  try {
    return calls.open(path, TO_READ);
  } catch (error) {
    // ENXIO is a socket, EISDIR a folder on Windows.
    if (["ENOENT", "ENXIO", "EISDIR"].includes(codeOf(error) ?? "")) return null;
    throw codeOf(error) === "ELOOP" ? linkRefused() : error;
  }
}

export function openToFlush(calls: Calls, place: string): number | null {
  try {
    return calls.open(place, TO_FLUSH);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

export const readWhole = (calls: Calls, file: number, limit: number): FileRead | null =>
  readSome(calls, file, (size) => {
    if (size > limit) throw diskError("EFBIG", "The file is too large.");
    return size;
  });

/** The first bytes of a file, which may have more. */
export const readFirst = (calls: Calls, file: number, most: number): FileRead | null =>
  readSome(calls, file, (size) => Math.min(size, most));

/** Another program may be writing in place: bytes are taken once they and the stamp belong together. */
function readSome(calls: Calls, file: number, wanted: (size: number) => number): FileRead | null {
  for (let tries = 0; tries < 4; tries++) {
    const before = calls.fstat(file);
    if (!before.isFile()) return null;
    const bytes = Buffer.allocUnsafeSlow(wanted(Number(before.size)));
    let length = 0;
    for (let count = -1; length < bytes.length && count !== 0; length += count)
      count = calls.read(file, bytes, length);
    const after = calls.fstat(file);
    if (length === bytes.length && stampOf(after) === stampOf(before)) return { ...entryOf(after), bytes };
  }
  throw diskError("EBUSY", "Another program is writing this file.");
}

export function writeWhole(
  calls: Calls,
  file: number,
  bytes: Uint8Array,
  how: { mode: Mode; durable: boolean },
): void {
  if (typeof how.mode === "number") calls.fchmod(file, how.mode);
  for (let length = 0; length < bytes.length;) length += calls.write(file, bytes, length);
  if (how.durable) calls.fsync(file);
}

/** Whether others have rights on a file of ours that has no second name: such a name may lie outside the vault, where nothing is changed. */
export function isOpenToOthers(found: BigIntStats | undefined): boolean {
  if (!found || !(found.isDirectory() || (found.isFile() && found.nlink === 1n))) return false;
  return Number(found.uid) === process.geteuid?.() && (found.mode & 0o077n) !== 0n;
}

export function kindOf(entry: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): Entry["kind"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}

function stampOf({ mtimeNs, ctimeNs, size, ino }: BigIntStats): string {
  return [mtimeNs, ctimeNs, size, ino].map((number) => number.toString(36)).join("-");
}

export function entryOf(stats: BigIntStats): Entry {
  const { mtimeNs, ctimeNs } = stats;
  return {
    kind: kindOf(stats),
    stamp: stampOf(stats),
    modified: new Date(Number(mtimeNs / 1_000_000n)),
    changed: new Date(Number((mtimeNs > ctimeNs ? mtimeNs : ctimeNs) / 1_000_000n)),
    size: Number(stats.size),
    mode: Number(stats.mode & 0o7777n),
    inode: stats.ino.toString(36),
  };
}
