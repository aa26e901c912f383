/** File operations: what happens to one path in a change, done, and taken back where a later operation fails. */

import { attempt, codeOf, diskError } from "../notebook/system-errors.ts";
import type { Disk } from "./files.ts";
import { keptName } from "./guard.ts";
import { besideName, markBeside } from "./home.ts";
import { folderOf } from "../notebook/paths.ts";
import { joined } from "../notebook/vault-path.ts";
import { versionAt } from "./versions.ts";

/** Versions are blob ids; `old: null` means that nothing may be there. `temp` is a vault path. */
export type StagedOperation =
  | { do: "place"; path: string; old: string | null; new: string; temp: string }
  /** One file, another spelling. Some disks take both for the same name, so that only a rename tells them apart. */
  | { do: "respell"; path: string; from: string; new: string }
  | { do: "remove"; path: string; old: string; temp: string };

type How = { durable: boolean };

/** The largest file that is copied, where a disk has no second names for files. */
const READ_LIMIT = 64 * 1024 * 1024;

const NO_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/** A second name for a file, so that it outlives the first; a copy where the disk has no such thing. */
export function keep(disk: Disk, path: string, as: string, how: How): void {
  try {
    disk.link(path, as);
  } catch (error) {
    if (![...NO_LINKS, "EXDEV"].includes(codeOf(error) ?? "")) throw error;
    const file = disk.read(path, READ_LIMIT);
    if (file === null) throw diskError("ECHANGED", "The note is gone.");
    disk.create(as, file.bytes, { mode: file.mode, durable: how.durable });
  }
}

/** Moves a temp to its place. With `over` false, EEXIST where something is there. */
export function moveIn(disk: Disk, temp: string, path: string, how: How & { over: boolean }): void {
  try {
    renameOrLink(disk, temp, path, how.over);
  } catch (error) {
    if (codeOf(error) !== "EXDEV") throw error;
    const file = disk.read(temp, READ_LIMIT);
    if (file === null) throw error;
    const beside = joined(folderOf(path), besideName(temp));
    const mark = markBeside(disk, temp, folderOf(path));
    try {
      disk.create(beside, file.bytes, { mode: file.mode, durable: how.durable });
      renameOrLink(disk, beside, path, how.over);
      disk.unlink(temp);
    } finally {
      if (attempt(() => disk.unlink(beside))) attempt(() => disk.unlink(mark));
    }
  }
}

function renameOrLink(disk: Disk, temp: string, path: string, over: boolean): void {
  if (over) return disk.rename(temp, path);
  try {
    disk.link(temp, path);
  } catch (error) {
    if (!NO_LINKS.includes(codeOf(error) ?? "")) throw error;
    // Without links there is no way to create and not to overwrite; this leaves the time between two calls.
    if (disk.look(path) !== null) throw diskError("EEXIST", "The name is taken.");
    return disk.rename(temp, path);
  }
  disk.unlink(temp);
}

/** The version at a path where another program may be writing just now: then it is not what was planned on. */
function seenAt(disk: Disk, file: string, path: string = file): string | null {
  try {
    return versionAt(disk, file, path);
  } catch (error) {
    if (codeOf(error) === "EBUSY") return "other";
    throw error;
  }
}

/** Does an operation, if the file is still the one it was planned on. The old file stays reachable, for `takeBack`. */
export function perform(disk: Disk, op: StagedOperation, how: How): void {
  if (op.do === "respell") {
    if (seenAt(disk, op.from) !== op.new) throw changed();
    const there = disk.look(op.path);
    if (there !== null && there.inode !== disk.look(op.from)?.inode)
      throw diskError("ETAKEN", "The name is taken.");
    return disk.rename(op.from, op.path);
  }
  if (op.old === null) {
    try {
      return moveIn(disk, op.temp, op.path, { ...how, over: false });
    } catch (error) {
      throw codeOf(error) === "EEXIST" ? diskError("ETAKEN", "The name is taken.") : error;
    }
  }
  const kept = keptName(disk, op);
  // Kept first and hashed second: between the hash and the rename lies nothing but the rename.
  try {
    keep(disk, op.path, kept, { durable: false });
  } catch (error) {
    throw codeOf(error) === "ENOENT" ? changed() : error;
  }
  if (seenAt(disk, op.path) !== op.old) {
    // Nothing is replaced yet, so nothing needs to be kept.
    attempt(() => disk.unlink(kept));
    throw changed();
  }
  if (op.do === "remove") disk.unlink(op.path);
  else moveIn(disk, op.temp, op.path, { ...how, over: true });
  // A program that wrote in place just then wrote to the file we kept.
  if (seenAt(disk, kept, op.path) !== op.old) throw changed();
}

/** Undoes an operation as far as it was done. What it needs to be done again is restored first, so that a crash here costs nothing. */
export function takeBack(disk: Disk, op: StagedOperation, how: How): void {
  if (op.do === "respell") {
    if (versionAt(disk, op.path) === op.new) disk.rename(op.path, op.from);
    return;
  }
  const kept = keptName(disk, op);
  const now = versionAt(disk, op.path);
  if (op.do === "remove") {
    if (now === null) moveIn(disk, kept, op.path, { ...how, over: false });
    return;
  }
  if (now !== op.new || op.old === op.new) return;
  if (op.old !== null && disk.look(kept) === null) return;
  if (disk.look(op.temp) === null) keep(disk, op.path, op.temp, how);
  if (op.old === null) disk.unlink(op.path);
  else moveIn(disk, kept, op.path, { ...how, over: true });
}

/**
 * Lets go of what was kept for operations that are through. A file that only took another place in the same change is written to
 * there; the others stay guarded.
 */
export function dropMoved(disk: Disk, ops: readonly StagedOperation[]): void {
  const placed = new Set(ops.flatMap((op) => (op.do === "place" ? [op.new] : [])));
  for (const op of ops)
    if (op.do !== "respell" && op.old !== null && op.old !== newOf(op) && placed.has(op.old))
      attempt(() => disk.unlink(keptName(disk, op)));
}

const newOf = (op: StagedOperation): string | null => (op.do === "remove" ? null : op.new);

/** Lets go of what was kept for an operation that was not done, or was taken back, unless somebody has written to it and to it alone. */
export function dropKept(disk: Disk, op: StagedOperation): void {
  if (op.do === "respell" || op.old === null) return;
  const kept = keptName(disk, op);
  const inode = disk.look(kept)?.inode;
  if (inode === undefined) return;
  if (inode === disk.look(op.path)?.inode || versionAt(disk, kept, op.path) === op.old) disk.unlink(kept);
}

function changed(): Error {
  return diskError("ECHANGED", "Another program changed the note just now.");
}
