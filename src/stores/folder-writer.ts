/** The right to write in a folder of notes: one writer at a time, in whose way no change stands that a crash cut short. */

import type { Disk } from "../disk/files.ts";
import { machineOf } from "../disk/home.ts";
import { pendingJournals, recover } from "../disk/journal.ts";
import type { Lock } from "../disk/lock.ts";
import { NoteError } from "../markdown/errors.ts";
import { attempt, codeOf, diskError } from "../notebook/system-errors.ts";
import { refusal } from "./refusals.ts";

export type FolderWriter = {
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** Null, and nothing done, where the vault is not the one that was last written to. It never throws for want of a vault. */
  background<T>(work: () => Promise<T>): Promise<T | null>;
  /** Which copy of the vault this is; "" before the first change. */
  machine(): string;
};

export function folderWriter(
  disk: Disk,
  lock: Lock,
  { readOnly, report }: { readOnly: boolean; report(sentence: string): void },
): FolderWriter {
  let machine = "";
  /** The vault and our folder in it as they were when they were last written to, or opened. */
  let writtenTo: string | null = null;
  // A vault that may not be read is opened all the same: calls are refused until it may.
  attempt(() => (writtenTo = identity(disk)));

  async function alone<T>(work: () => Promise<T>, how = { making: true }): Promise<T> {
    if (readOnly) throw readOnlyVault();
    // A refusal of the lock is put into words here; what `work` throws is its own.
    let own: { error: unknown } | null = null;
    try {
      disk.present();
      return await lock.alone(async () => {
        // The lock lies in our folder, so there is one.
        machine = machineOf(disk)!;
        if (how.making) writtenTo = identity(disk);
        recover(disk, machine).forEach(report);
        try {
          return await work();
        } catch (error) {
          own = { error };
          throw error;
        }
      }, how);
    } catch (error) {
      throw own === null ? refusal(aboutHome(error)) : error;
    }
  }

  const isSame = (): boolean => {
    let same = false;
    attempt(() => (same = writtenTo !== null && identity(disk) === writtenTo));
    return same;
  };
  return {
    alone: (work) => alone(work),
    background: async (work) =>
      isSame() ? alone(async () => (isSame() ? work() : null), { making: false }) : null,
    machine: () => machine,
  };
}

function identity(disk: Disk): string | null {
  const home = machineOf(disk);
  return home === null ? null : `${disk.present()} ${home}`;
}

/** The lock lies in our own folder: it is that which may not be written, not a note. */
function aboutHome(error: unknown): unknown {
  return ["EACCES", "EPERM"].includes(codeOf(error) ?? "")
    ? diskError("EHOMEACCESS", "Our folder may not be written.")
    : error;
}

export function readOnlyVault(): NoteError {
  return new NoteError("read_only", "The vault is open for reading only.");
}

/** Finishes a change that a crash cut short, so that no reader goes on seeing half of it. `finish` is null where nothing may be written. */
export async function finishPending(
  disk: Disk,
  finish: (() => Promise<void>) | null,
  report: (sentence: string) => void,
): Promise<void> {
  try {
    const here = machineOf(disk);
    if (here === null) return;
    const { ours, others } = pendingJournals(disk, here);
    for (const other of others)
      report(
        `A change begun on another copy of this vault (${other}) is unfinished; it is left to that copy.`,
      );
    if (ours === 0) return;
    if (finish) await finish();
    else report("A change was cut short by a crash; the next process that writes finishes it.");
  } catch (error) {
    const reason = refusal(error);
    report(
      `Unfinished changes could not be looked at. ${reason instanceof NoteError ? reason.message : ""}`.trim(),
    );
  }
}
