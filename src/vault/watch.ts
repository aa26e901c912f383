/** Watching a vault for edits made by other programs: an event only says where to look; what is there is compared by stamp. */

import { setTimeout } from "node:timers/promises";
import type { OpenNotebook } from "../notebook/notebook.ts";
import { folderOf, isNote, linkedPath, type LinkedPath } from "../notebook/paths.ts";
import { hidden, openFolderWatches, type FolderWatches, type Report } from "./folder-watches.ts";
import { pendingChanges } from "./pending.ts";

/** Milliseconds between two sweeps of the whole vault, for what watching misses (network folders, dropped events); fewer where watching fails. */
const SWEEP = 60_000;
const SWEEP_UNWATCHED = 2000;

export type Watcher = {
  /** Resolves when every folder is watched, or has failed to be. */
  watching: Promise<void>;
  /** Looks at what is known to have changed by now; null where nothing is. */
  flush(): Promise<void> | null;
  /** Watches and looks through all folders again, because another folder is in the vault's place. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

type Refreshed = Pick<OpenNotebook, "refresh" | "refreshFolders" | "refreshPaths">;

export const watchVault = (root: string, notebook: Refreshed, report: Report): Watcher => {
  const closing = new AbortController();
  const pending = pendingChanges(async (folders, notes) => {
    try {
      // Events that come before every folder is watched are looked at after that.
      await watching;
      watches.forgetEvents();
      if (!closing.signal.aborted) await notebook.refreshPaths(notes);
      await refreshFolders(notebook, watches, folders, pending.folder, closing.signal);
    } catch (error) {
      report(
        "Changes made by other programs could not be read. They are looked for again within a minute; until then answers may be old.",
        error,
      );
    }
  });
  const changed = (folder: string, kind: string, name: string | null): void => {
    const place = placeToLookAt(folder, kind, name);
    if (place && "note" in place) pending.note(place.note);
    else if (place) pending.folder(place.folder);
  };
  const watches = openFolderWatches(root, { changed, missed: pending.folder }, report);
  const watching = watches
    .addAll()
    .catch((error: unknown) =>
      report("Folders cannot be watched. Changes by other programs are looked for once a minute.", error),
    );
  void watching.then(() => sweepAgain(notebook, watches, report, closing.signal));

  return {
    watching,
    flush: pending.flush,
    async restart() {
      watches.clear();
      await watches.addAll();
      if (!closing.signal.aborted) await notebook.refresh();
    },
    async close() {
      closing.abort();
      watches.close();
      await watching;
      await pending.close();
    },
  };
};

/** The note or attachment that a file is, where its name is one that can be asked for as it stands. */
const asFile = (path: string): LinkedPath | null => {
  try {
    return linkedPath(path) === path ? (path as LinkedPath) : null;
  } catch {
    return null;
  }
};

/** Where to look after an event; null where it concerns nobody. */
const placeToLookAt = (
  folder: string,
  kind: string,
  name: string | null,
): { note: LinkedPath } | { folder: string } | null => {
  if (name === null) return { folder };
  if (hidden(name)) return null;
  const path = folder === "" ? name.replaceAll("\\", "/") : `${folder}/${name}`;
  const note = asFile(path);
  // What is no note and came or went may be a folder.
  return note === null || (kind !== "change" && !isNote(note)) ? { folder: folderOf(path) } : { note };
};

/** Looks at folders, and at those below them that nobody watched yet. */
const refreshFolders = async (
  notebook: Refreshed,
  watches: FolderWatches,
  folders: readonly string[],
  later: (folder: string) => void,
  closing: AbortSignal,
): Promise<void> => {
  const left = new Set(folders);
  // Each folder is looked at once: one that comes and goes for ever is looked at again later.
  for (const folder of left) {
    if (closing.aborted) return;
    watches.add(folder);
    const below = new Set(await notebook.refreshFolders([folder]));
    watches.keepSubfolders(folder, below);
    // What is new may have been filled before it was watched: it is looked at, too.
    for (const path of below)
      if (watches.add(path)) {
        if (left.has(path)) later(path);
        else left.add(path);
      }
  }
};

/** Looks through the whole vault again and again, until it is closed. */
const sweepAgain = async (
  notebook: Refreshed,
  watches: FolderWatches,
  report: Report,
  closing: AbortSignal,
): Promise<void> => {
  const paused = (): Promise<boolean> =>
    setTimeout(watches.failed() ? SWEEP_UNWATCHED : SWEEP, true, { ref: false, signal: closing }).catch(
      () => false,
    );
  while (await paused()) {
    try {
      await watches.addAll();
      await notebook.refresh();
    } catch (error) {
      // The index may have been closed under it.
      if (closing.aborted) return;
      report(
        "The vault could not be looked through for changes by other programs. It is tried again soon; until then answers may be old.",
        error,
      );
    }
  }
};
