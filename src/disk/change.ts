/** A change of one or several notes: staged as temps, then put in place, all of it or nothing. */

import { attempt, diskError } from "../notebook/system-errors.ts";
import type { Disk } from "./files.ts";
import { makeOwnFolder, newName, TEMPS } from "./home.ts";
import { GUARD } from "./guard.ts";
import { dropJournal, writeJournal } from "./journal.ts";
import { dropKept, dropMoved, keep, perform, takeBack, type StagedOperation } from "./file-operations.ts";
import type { FileOperation } from "../notebook/puts.ts";
import { folderOf } from "../notebook/paths.ts";
import { breather } from "../notebook/turns.ts";

type How = { durable: boolean; machine: string };

export async function putInPlace(disk: Disk, plan: readonly FileOperation[], how: How): Promise<void> {
  const ops: StagedOperation[] = [];
  const breath = breather();
  let left = false;
  try {
    makeOwnFolder(disk, TEMPS, how);
    makeOwnFolder(disk, GUARD, { durable: false });
    // Several are flushed together below: all at a time take hardly longer than a few one after another.
    const together = how.durable && plan.length > 1;
    const unflushed: string[] = [];
    for (const planned of plan) {
      await breath();
      stage(disk, planned, ops, { ...how, unflushed: together ? unflushed : null });
    }
    await disk.flush(unflushed);
    for (const folder of foldersOf(ops)) disk.makeFolder(folder, how);
    // One rename is atomic by itself.
    const journal = ops.length > 1 ? writeJournal(disk, ops, how) : null;
    try {
      await carryOut(disk, ops, { ...how, breath });
    } catch (error) {
      left = !takeAllBack(disk, ops, how) && journal !== null;
      if (!left && journal !== null) left = !dropJournal(disk, journal, how);
      throw error;
    }
    if (journal !== null) dropJournal(disk, journal, how);
    dropMoved(disk, ops);
  } catch (error) {
    // A change that could neither be done nor be undone is left, with all it needs, to whoever next holds the lock.
    if (!left) for (const op of ops) dropTemps(disk, op);
    throw error;
  }
}

/** With `unflushed`, files that are new are named there instead of being flushed. */
function stage(
  disk: Disk,
  planned: FileOperation,
  ops: StagedOperation[],
  how: How & { unflushed: string[] | null },
): void {
  const temp = `${TEMPS}/${newName(disk, how.machine)}.tmp`;
  if (planned.do === "respell") ops.push({ ...planned });
  else if (planned.do === "remove") ops.push({ ...planned, temp });
  else {
    const { path, old, bytes, like } = planned;
    const model = like === null ? null : disk.look(like);
    // A rename would succeed all the same: write protection has to be honoured by us.
    if (like === path && model !== null && (model.mode & 0o222) === 0)
      throw at(path, diskError("EACCES", "The note is write-protected."));
    if (bytes === null && like !== null) keep(disk, like, temp, how);
    else {
      const mode = model?.mode ?? null;
      // A file that may not be written cannot be opened again to be flushed.
      const later = how.unflushed !== null && (mode === null || (mode & 0o200) !== 0);
      disk.create(temp, bytes ?? new Uint8Array(), { mode, durable: how.durable && !later });
      if (later) how.unflushed!.push(temp);
    }
    ops.push({ do: "place", path, old, new: planned.new, temp });
  }
}

async function carryOut(
  disk: Disk,
  ops: readonly StagedOperation[],
  how: How & { breath: () => Promise<void> },
): Promise<void> {
  for (const op of ops) {
    await how.breath();
    try {
      perform(disk, op, how);
    } catch (error) {
      throw at(op.path, error);
    }
  }
  if (how.durable) await disk.syncAll([...foldersOf(ops)]);
}

function takeAllBack(disk: Disk, ops: readonly StagedOperation[], how: How): boolean {
  const undone = ops.toReversed().map((op) => attempt(() => takeBack(disk, op, how)));
  const synced = how.durable ? [...foldersOf(ops)].map((folder) => attempt(() => disk.sync(folder))) : [];
  return [...undone, ...synced].every(Boolean);
}

function dropTemps(disk: Disk, op: StagedOperation): void {
  if (op.do !== "respell") attempt(() => disk.unlink(op.temp));
  attempt(() => dropKept(disk, op));
}

function foldersOf(ops: readonly StagedOperation[]): Set<string> {
  return new Set(ops.map((op) => folderOf(op.path)));
}

/** Which note of the vault an error is about; the system's own errors name a place on the machine. */
function at(path: string, error: unknown): unknown {
  return error instanceof Error ? Object.assign(error, { vaultPath: path }) : error;
}
