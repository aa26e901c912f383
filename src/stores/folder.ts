/** The notes as files in a folder: the store of every real vault. */

import { realpathSync, statSync } from "node:fs";
import { realCalls, type Calls } from "../disk/calls.ts";
import { putInPlace } from "../disk/change.ts";
import { openDisk, type Disk } from "../disk/files.ts";
import { blobId } from "../disk/hash.ts";
import { makeHomePrivate } from "../disk/home.ts";
import { pendingLook } from "../disk/journal.ts";
import { recordedInTurns } from "../disk/versions.ts";
import { vaultLock, type Lock, type LockFile, type Patience } from "../disk/lock.ts";
import { farDisk, type Far } from "../disk/network.ts";
import { NoteError } from "../markdown/errors.ts";
import { NOTE_LIMIT, type NoteStore, type Put, type Stat } from "../notebook/parts.ts";
import type { Folders } from "../notebook/folder-tree.ts";
import {
  isAttachment,
  type AttachmentPath,
  type FilePath,
  type LinkedPath,
  type NotePath,
} from "../notebook/paths.ts";
import { factsNeeded, planPuts } from "../notebook/puts.ts";
import { codeOf } from "../notebook/system-errors.ts";
import { breather } from "../notebook/turns.ts";
import { fetchFacts } from "./folder-facts.ts";
import { finishPending, folderWriter, readOnlyVault } from "./folder-writer.ts";
import { openGuardSweep } from "./guard-sweep.ts";
import { folderListing, freeTrashPaths, listNotes, statOf } from "./listing.ts";
import { openListings } from "./listings.ts";
import { listOddities } from "./oddities.ts";
import { refusal, refusing } from "./refusals.ts";
import { listRules } from "./rule-listing.ts";
import { listSettings } from "./settings-listing.ts";
import type { SettingsPath } from "../notebook/settings/settings-files.ts";
import { removeEmptied, tidyTrash, trashedAt, treeOf } from "./tree.ts";
import { TRASH } from "../notebook/vault-path.ts";

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
  const readOnly = options.readOnly === true;
  const troubles = new Set<string>();
  const report = (sentence: string): void => {
    if (troubles.size < TROUBLES_KEPT) troubles.add(sentence);
  };
  const listings = openListings();
  const writer = folderWriter(disk, lock, { readOnly, report });
  const guard = openGuardSweep(disk, { ...writer, report });
  if (far !== null) report(warningOf(far));

  async function apply(puts: readonly Put[], folders: Folders = []): Promise<(Stat | null)[]> {
    if (readOnly) throw readOnlyVault();
    if (!lock.held()) throw new Error("apply is called only inside alone");
    try {
      return await disk.keepingFoldersOpen(async (held) => {
        const plan = planPuts(puts, fetchFacts(held, listings, factsNeeded(puts)), blobId);
        const how = { durable, machine: writer.machine() };
        for (const [, made] of folders) if (made !== "") held.makeFolder(made, how);
        await listings.following(held, plan, () => putInPlace(held, plan, how));
        removeEmptied(disk, folders);
        tidyTrash(
          disk,
          puts.map(({ from }) => from),
        );
        guard.wrote(plan.map(({ path }) => path));
        return puts.map((put) => (put.bytes === null ? null : fileStat(held, put.path as NotePath)));
      });
    } catch (error) {
      // Whoever is just saving the note gets time to end.
      if (["ECHANGED", "version_conflict"].includes(codeOf(error) ?? "")) await pause(10);
      throw refusal(error);
    }
  }

  await finishPending(disk, readOnly ? null : () => writer.alone(async () => {}), report);
  const closing = new AbortController();
  const closed = readOnly ? null : makeHomePrivate(disk, closing.signal);
  return {
    ...readingFrom(disk, lock, report),
    apply,
    alone: writer.alone,
    background: writer.background,
    onLateEdit: (merge) => {
      if (!readOnly) guard.onLateEdit(merge);
    },
    health: { pending: pendingLook(disk), oddities: () => listOddities(disk), troubles: () => [...troubles] },
    async close() {
      closing.abort();
      await closed;
      await guard.close();
      await lock.close();
    },
  };
}

type Reading = Pick<
  NoteStore,
  | "list"
  | "folder"
  | "stat"
  | "read"
  | "bytes"
  | "rules"
  | "settings"
  | "present"
  | "trashPlaces"
  | "trashed"
  | "tree"
  | "hasFolder"
>;

/** In a vault that is gone no note is missing: that is looked at before absence is answered. */
function readingFrom(disk: Disk, lock: Lock, report: (sentence: string) => void): Reading {
  return {
    list: () => listNotes(disk, report),
    async folder(path) {
      return refusing(path, () => {
        const listed = folderListing(disk, path, report);
        if (listed === null) disk.present();
        return listed;
      });
    },
    async stat<Path extends LinkedPath>(path: Path) {
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
    read: (path) => readNote(disk, lock, path),
    bytes: async (path, most) =>
      refusing(path, () => {
        const found = disk.readFirst(path, most);
        if (found === null) disk.present();
        return found && { ...statOf<AttachmentPath>(path, found), bytes: found.bytes };
      }),
    rules: async () =>
      refusing(undefined, () => {
        disk.present();
        return listRules(disk);
      }),
    settings: async () => refusing(undefined, () => listSettings(disk)),
    present: () => refusing(undefined, () => disk.present()),
    trashPlaces: async (paths) => refusing(TRASH, () => freeTrashPaths(disk, paths)),
    trashed: async (files) => refusing(TRASH, () => trashedAt(disk, files)),
    hasFolder: async (folder) => refusing(folder, () => disk.lookFolder(folder)?.kind === "folder"),
    tree: async (folder, most) => refusing(folder, () => treeOf(disk, folder, most)),
  };
}

/** A program that saves in place empties the file first: what is emptied just now is not what a change should go on from. */
async function readNote(
  disk: Disk,
  lock: Lock,
  path: FilePath | SettingsPath,
): ReturnType<NoteStore["read"]> {
  for (let tries = 1; ; tries++) {
    try {
      if (isAttachment(path)) {
        const found = await recordedInTurns(disk, path, breather());
        if (found === null) disk.present();
        return found && { ...statOf(path, found), bytes: found.bytes, version: found.version };
      }
      const file = disk.read(path, NOTE_LIMIT);
      const saving =
        lock.held() && file?.size === 0 && Math.abs(Date.now() - file.modified.getTime()) < SAVING_MS;
      if (file === null) disk.present();
      if (!saving || tries === SAVING_TRIES)
        return file && { ...statOf(path, file), bytes: file.bytes, version: blobId(file.bytes) };
    } catch (error) {
      if (codeOf(error) !== "EBUSY" || tries === SAVING_TRIES) throw refusal(error, path);
    }
    await pause(5);
  }
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

function fileStat<Path extends string = NotePath>(disk: Disk, path: Path): Stat<Path> | null {
  const entry = disk.look(path);
  return entry?.kind === "file" ? statOf<Path>(path, entry) : null;
}
