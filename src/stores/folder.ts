/** The notes as files in a folder: the store of every real vault. */

import { realpathSync, statSync } from "node:fs";
import { realCalls, type Calls } from "../disk/calls.ts";
import { codeOf, diskError } from "../notebook/system-errors.ts";
import { putInPlace } from "../disk/change.ts";
import { attempt, openDisk, type Disk } from "../disk/files.ts";
import { blobId } from "../disk/hash.ts";
import { machineOf, makeHomePrivate } from "../disk/home.ts";
import { pendingJournals, pendingLook, recover } from "../disk/journal.ts";
import { vaultLock, type LockFile, type Patience } from "../disk/lock.ts";
import { farDisk, type Far } from "../disk/network.ts";
import { NoteError } from "../markdown/errors.ts";
import { NOTE_LIMIT, type NoteStore, type Put, type Stat } from "../notebook/parts.ts";
import type { FilePath } from "../notebook/paths.ts";
import { fetchFacts } from "./folder-facts.ts";
import { openGuardSweep } from "./guard-sweep.ts";
import { folderListing, freeTrashPath, listNotes, statOf } from "./listing.ts";
import { listRules } from "./rule-listing.ts";
import { openListings } from "./listings.ts";
import { listOddities } from "./oddities.ts";
import { factsNeeded, planPuts } from "../notebook/puts.ts";
import { refusal, refusing } from "./refusals.ts";

export type FolderOptions = {
  /** Opens a SQLite file, for nothing but its lock. */
  openLock: (file: string) => LockFile | Promise<LockFile>;
  /** Nothing is written, not even a folder of our own. */
  readOnly?: boolean;
  /** `fast` leaves flushing to the system: a power cut may take the last seconds. */
  durability?: "full" | "fast";
  calls?: Calls;
  patience?: Patience;
};

const TROUBLES_KEPT = 100;
const SAVING_MS = 100;
const SAVING_TRIES = 4;

export async function openFolder(root: string, options: FolderOptions): Promise<NoteStore> {
  const disk = openDisk(realFolder(root), options.calls);
  const far = farDisk(disk.root, options.calls ?? realCalls);
  const lock = vaultLock(disk, options.openLock, options.patience, { kept: far?.certain });
  const durable = options.durability !== "fast";
  const troubles = new Set<string>();
  const listings = openListings();
  const pending = pendingLook(disk);
  let machine = "";
  /** The vault and our folder in it as they were when they were last written to, or opened. */
  let writtenTo: string | null = null;
  // A vault that may not be read is opened all the same: calls are refused until it may.
  attempt(() => (writtenTo = identity()));
  const guard = openGuardSweep(disk, { background, machine: () => machine, report: say });
  if (far !== null) say(warningOf(far));

  function say(sentence: string): void {
    if (troubles.size < TROUBLES_KEPT) troubles.add(sentence);
  }

  function identity(): string | null {
    const home = machineOf(disk);
    return home === null ? null : `${disk.present()} ${home}`;
  }

  /** Never throws for want of a vault. */
  async function background<T>(work: () => Promise<T>): Promise<T | null> {
    const isSame = (): boolean => {
      let same = false;
      attempt(() => (same = writtenTo !== null && identity() === writtenTo));
      return same;
    };
    return isSame() ? alone(async () => (isSame() ? work() : null), { making: false }) : null;
  }

  async function alone<T>(work: () => Promise<T>, how = { making: true }): Promise<T> {
    if (options.readOnly) throw readOnly();
    // A refusal of the lock is put into words here; what `work` throws is its own.
    let own: { error: unknown } | null = null;
    try {
      disk.present();
      return await lock.alone(async () => {
        // The lock lies in our folder, so there is one.
        machine = machineOf(disk)!;
        if (how.making) writtenTo = identity();
        recover(disk, machine).forEach(say);
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

  async function apply(puts: readonly Put[]): Promise<(Stat | null)[]> {
    if (options.readOnly) throw readOnly();
    if (!lock.held()) throw new Error("apply is called only inside alone");
    try {
      return await disk.keepingFoldersOpen(async (held) => {
        const plan = planPuts(puts, fetchFacts(held, listings, factsNeeded(puts)), blobId);
        await listings.following(held, plan, () => putInPlace(held, plan, { durable, machine }));
        guard.wrote(plan.map(({ path }) => path));
        return puts.map((put) => (put.bytes === null ? null : fileStat(held, put.path)));
      });
    } catch (error) {
      // Whoever is just saving the note gets time to end.
      if (["ECHANGED", "version_conflict"].includes(codeOf(error) ?? "")) await pause(10);
      throw refusal(error);
    }
  }

  // A program that saves in place empties the file first: what is emptied just now is not what a change should go on from.
  async function read(path: FilePath) {
    for (let tries = 1; ; tries++) {
      try {
        const file = disk.read(path, NOTE_LIMIT);
        const saving =
          lock.held() && file?.size === 0 && Math.abs(Date.now() - file.modified.getTime()) < SAVING_MS;
        // In a vault that is gone no note is missing.
        if (file === null) disk.present();
        if (!saving || tries === SAVING_TRIES)
          return file && { ...statOf(path, file), bytes: file.bytes, version: blobId(file.bytes) };
      } catch (error) {
        if (codeOf(error) !== "EBUSY" || tries === SAVING_TRIES) throw refusal(error, path);
      }
      await pause(5);
    }
  }

  /** A change that a crash cut short is finished now, so that no reader goes on seeing half of it. */
  async function finishPending(): Promise<void> {
    try {
      const here = machineOf(disk);
      if (here === null) return;
      const { ours, others } = pendingJournals(disk, here);
      for (const other of others)
        say(
          `A change begun on another copy of this vault (${other}) is unfinished; it is left to that copy.`,
        );
      if (ours === 0) return;
      if (options.readOnly)
        say("A change was cut short by a crash; the next process that writes finishes it.");
      else await alone(async () => {});
    } catch (error) {
      const reason = refusal(error);
      say(
        `Unfinished changes could not be looked at. ${reason instanceof NoteError ? reason.message : ""}`.trim(),
      );
    }
  }

  await finishPending();
  const closing = new AbortController();
  const closed = options.readOnly ? null : makeHomePrivate(disk, closing.signal);
  return {
    list: () => listNotes(disk, say),
    async folder(path) {
      return refusing(path, () => {
        const listed = folderListing(disk, path);
        if (listed === null) disk.present();
        return listed;
      });
    },
    async stat(path) {
      try {
        const stat = fileStat(disk, path);
        if (stat === null) disk.present();
        return stat;
      } catch (error) {
        const reason = refusal(error, path);
        if (reason instanceof NoteError && reason.code === "path_refused") return null;
        throw reason;
      }
    },
    read,
    rules: async () =>
      refusing(undefined, () => {
        disk.present();
        return listRules(disk);
      }),
    apply,
    alone: (work) => alone(work),
    background,
    present: () => refusing(undefined, () => disk.present()),
    trashPlace: async (path) => refusing(path, () => freeTrashPath(disk, path)),
    onLateEdit: (merge) => {
      if (!options.readOnly) guard.onLateEdit(merge);
    },
    health: { pending, oddities: () => listOddities(disk), troubles: () => [...troubles] },
    async close() {
      closing.abort();
      await closed;
      await guard.close();
      await lock.close();
    },
  };
}

function warningOf({ name, certain }: Far): string {
  return certain
    ? `The vault is on a network disk (${name}), where locks cannot be relied on. Only one process writes to it; let no other machine write at the same time.`
    : `The vault is on ${name}, which may be a network disk. Let no other machine write to it at the same time.`;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** The folder the user named, links in its own path resolved once: from there down none is followed. */
function realFolder(root: string): string {
  try {
    const real = realpathSync.native(root);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    const reason = refusal(error);
    if (reason instanceof NoteError && reason.code === "disk_refused") throw reason;
    throw new NoteError(
      "input_refused",
      "The vault folder does not exist. Check the path and make the folder first.",
    );
  }
  throw new NoteError("input_refused", "The vault is a file. Give the path of a folder of notes.");
}

/** The lock lies in our own folder: it is that which may not be written, not a note. */
function aboutHome(error: unknown): unknown {
  return ["EACCES", "EPERM"].includes(codeOf(error) ?? "")
    ? diskError("EHOMEACCESS", "Our folder may not be written.")
    : error;
}

function fileStat(disk: Disk, path: string): Stat | null {
  const entry = disk.look(path);
  return entry?.kind === "file" ? statOf(path, entry) : null;
}

function readOnly(): NoteError {
  return new NoteError("read_only", "The vault is open for reading only.");
}
