/** A change of one or several notes: staged as temps, then put in place, all of it or nothing. */

import { diskError } from "../notebook/system-errors.ts";
import { attempt, type Disk } from "./files.ts";
import { makeOwnFolder, newName, TEMPS } from "./home.ts";
import { GUARD } from "./guard.ts";
import { dropJournal, writeJournal } from "./journal.ts";
import { doStep, dropKept, dropMoved, keep, takeBack, type Step } from "./file-operations.ts";
import type { Planned } from "../notebook/puts.ts";
import { folderOf } from "../notebook/paths.ts";

type How = { durable: boolean; machine: string };

export async function putInPlace(disk: Disk, plan: readonly Planned[], how: How): Promise<void> {
  const steps: Step[] = [];
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
      stage(disk, planned, steps, { ...how, unflushed: together ? unflushed : null });
    }
    await disk.flush(unflushed);
    for (const folder of foldersOf(steps)) disk.makeFolder(folder, how);
    // One rename is atomic by itself.
    const journal = steps.length > 1 ? writeJournal(disk, steps, how) : null;
    try {
      await carryOut(disk, steps, { ...how, breath });
    } catch (error) {
      left = !takeAllBack(disk, steps, how) && journal !== null;
      if (!left && journal !== null) left = !dropJournal(disk, journal, how);
      throw error;
    }
    if (journal !== null) dropJournal(disk, journal, how);
    dropMoved(disk, steps);
  } catch (error) {
    // A change that could neither be done nor be undone is left, with all it needs, to whoever next holds the lock.
    if (!left) for (const step of steps) dropTemps(disk, step);
    throw error;
  }
}

/** With `unflushed`, files that are new are named there instead of being flushed. */
function stage(disk: Disk, planned: Planned, steps: Step[], how: How & { unflushed: string[] | null }): void {
  const temp = `${TEMPS}/${newName(disk, how.machine)}.tmp`;
  if (planned.do === "respell") steps.push({ ...planned });
  else if (planned.do === "remove") steps.push({ ...planned, temp });
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
    steps.push({ do: "place", path, old, new: planned.new, temp });
  }
}

async function carryOut(
  disk: Disk,
  steps: readonly Step[],
  how: How & { breath: () => Promise<void> },
): Promise<void> {
  for (const step of steps) {
    await how.breath();
    try {
      doStep(disk, step, how);
    } catch (error) {
      throw at(step.path, error);
    }
  }
  if (how.durable) await disk.syncAll([...foldersOf(steps)]);
}

function takeAllBack(disk: Disk, steps: readonly Step[], how: How): boolean {
  const undone = steps.toReversed().map((step) => attempt(() => takeBack(disk, step, how)));
  const synced = how.durable ? [...foldersOf(steps)].map((folder) => attempt(() => disk.sync(folder))) : [];
  return [...undone, ...synced].every(Boolean);
}

function dropTemps(disk: Disk, step: Step): void {
  if (step.do !== "respell") attempt(() => disk.unlink(step.temp));
  attempt(() => dropKept(disk, step));
}

function foldersOf(steps: readonly Step[]): Set<string> {
  return new Set(steps.map((step) => folderOf(step.path)));
}

/** Which note of the vault an error is about; the system's own errors name a place on the machine. */
function at(path: string, error: unknown): unknown {
  return error instanceof Error ? Object.assign(error, { vaultPath: path }) : error;
}

// A change of a thousand notes is a thousand flushes; others are served in between.
function breather(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < 20) return;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  };
}
