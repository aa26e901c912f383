/** Watching a vault for edits made by other programs: an event only says where to look; what is there is compared by stamp. */

import { watch, type FSWatcher } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { NoteError } from "../markdown/errors.ts";
import type { OpenNotebook } from "../notebook/notebook.ts";
import { folderOf, notePath, type NotePath } from "../notebook/paths.ts";
import { pendingChanges } from "./pending.ts";

/** Milliseconds between two sweeps of the whole vault, for what watching misses (network folders, dropped events); fewer where watching fails. */
const SWEEP = 60_000;
const SWEEP_UNWATCHED = 2000;
/** The limit on events of one folder between two looks at it. A folder that sends more would leave no time for calls, so it is not watched until it is looked at. */
const FLOOD = 200;

export type Watcher = {
  /** Resolves when every folder is watched, or has failed to be. */
  watching: Promise<void>;
  /** Looks at what is known to have changed by now; null where nothing is. */
  flush(): Promise<void> | null;
  /** Watches and looks through all folders again, because another folder is in the vault's place. */
  restart(): Promise<void>;
  close(): Promise<void>;
};

type Looked = Pick<OpenNotebook, "refresh" | "refreshFolders" | "refreshPaths">;

const hidden = (path: string): boolean => path.split(/[\\/]/).some((segment) => segment.startsWith("."));

/** The note a file is, where its name is one that can be asked for as it stands. */
const asNote = (path: string): NotePath | null => {
  try {
    return notePath(path) === path ? (path as NotePath) : null;
  } catch {
    return null;
  }
};

/** These codes mean something else for a watch than for a file. */
const watchRefusal = (code: string | undefined): NoteError | null =>
  code === "ENOSPC" || code === "EMFILE"
    ? new NoteError(
        "busy",
        `The system allows no more watches (${code}); on Linux, raise fs.inotify.max_user_watches and max_user_instances.`,
      )
    : null;

export const watchVault = (
  root: string,
  notebook: Looked,
  report: (what: string, error: unknown) => void,
): Watcher => {
  // Linux has no recursive watch in the kernel, and Node's own opens every file; so one watch a folder there.
  const recursive = process.platform === "darwin" || process.platform === "win32";
  const watched = new Map<string, FSWatcher>();
  /** How many events each folder has sent since it was last looked at. */
  const heard = new Map<string, number>();
  let failing = false;
  let closed = false;

  const lookAt = async (folders: readonly string[], notes: readonly NotePath[]): Promise<void> => {
    heard.clear();
    if (!closed) await notebook.refreshPaths(notes);
    const left = new Set(folders);
    // Each folder once: one that comes and goes for ever is looked at again with what comes later.
    for (const folder of left) {
      if (closed) return;
      watchFolder(folder);
      const below = new Set(await notebook.refreshFolders([folder]));
      if (recursive) continue;
      for (const path of watched.keys())
        if (path !== "" && folderOf(path) === folder && !below.has(path)) unwatch(path);
      // What is new may have been filled before it was watched: look at it too.
      for (const path of below) if (watchFolder(path)) left.add(path);
    }
  };
  const pending = pendingChanges(async (folders, notes) => {
    try {
      // Events that come before every folder is watched are looked at after that.
      await watching;
      await lookAt(folders, notes);
    } catch (error) {
      report(
        "Changes made by other programs could not be read. They are looked for again within a minute; until then answers may be old.",
        error,
      );
    }
  });

  const onEvent = (folder: string, kind: string, name: string | null): void => {
    const events = (heard.get(folder) ?? 0) + 1;
    heard.set(folder, events);
    if (events > FLOOD && !recursive) {
      watched.get(folder)?.close();
      watched.delete(folder);
      return pending.folder(folder);
    }
    if (name !== null && hidden(name)) return;
    // A change inside a file that is no note concerns nobody; one that came or went may be a folder.
    if (kind === "change" && name !== null && !name.toLowerCase().endsWith(".md")) return;
    if (name === null) return pending.folder(folder);
    const path = folder === "" ? name.replaceAll("\\", "/") : `${folder}/${name}`;
    const note = asNote(path);
    if (note === null) pending.folder(folderOf(path));
    else pending.note(note);
  };
  const unwatch = (folder: string): void => {
    for (const [path, watcher] of watched) {
      if (path !== folder && !path.startsWith(`${folder}/`)) continue;
      watcher.close();
      watched.delete(path);
    }
  };
  /** True where it was not watched before. */
  const watchFolder = (folder: string): boolean => {
    if (closed || watched.has(folder)) return false;
    try {
      const watcher = watch(join(root, folder), { persistent: false, recursive });
      watcher.on("change", (kind, name) => onEvent(folder, kind, name === null ? null : String(name)));
      watcher.on("error", () => {
        watcher.close();
        watched.delete(folder);
        pending.folder(folderOf(folder));
      });
      watched.set(folder, watcher);
      return true;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      // It went meanwhile: its parent's event tells.
      if (code !== "ENOENT" && code !== "ENOTDIR" && !failing) {
        failing = true;
        report(
          "A folder cannot be watched, so the whole vault is looked at every two seconds instead. Edits by other programs are seen a little later.",
          watchRefusal(code) ?? error,
        );
      }
      return false;
    }
  };
  const watchAll = async (): Promise<void> => {
    const folders = [""];
    for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
      watchFolder(folder);
      if (recursive || closed) return;
      const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        if (entry.isDirectory() && !hidden(entry.name))
          folders.push(folder ? `${folder}/${entry.name}` : entry.name);
      }
    }
  };

  const sweeping = async (): Promise<void> => {
    try {
      await watchAll();
      await notebook.refresh();
    } catch (error) {
      report(
        "The vault could not be looked through for changes by other programs. It is tried again soon; until then answers may be old.",
        error,
      );
    }
    nextSweep();
  };
  let sweep: NodeJS.Timeout | undefined;
  const nextSweep = (): void => {
    if (closed) return;
    sweep = setTimeout(sweeping, failing ? SWEEP_UNWATCHED : SWEEP);
    sweep.unref();
  };
  const watching = watchAll().catch((error: unknown) =>
    report("Folders cannot be watched. Changes by other programs are looked for once a minute.", error),
  );
  void watching.then(nextSweep);

  return {
    watching,
    flush: pending.flush,
    async restart() {
      for (const watcher of watched.values()) watcher.close();
      watched.clear();
      await watchAll();
      if (!closed) await notebook.refresh();
    },
    async close() {
      closed = true;
      clearTimeout(sweep);
      for (const watcher of watched.values()) watcher.close();
      watched.clear();
      await watching;
      await pending.close();
    },
  };
};
