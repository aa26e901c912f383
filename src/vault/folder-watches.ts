/** Watches on the folders of a vault: one for the whole vault where the system can do that, one for each folder elsewhere. */

import { statSync, watch, type FSWatcher } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { NoteError } from "../markdown/errors.ts";
import { folderOf } from "../notebook/paths.ts";

/** The limit on events of one folder between two looks at it. A folder that sends more would leave no time for calls, so it is not watched until it is looked at. */
const FLOOD = 200;
// Linux has no recursive watch in the kernel, and Node's own opens every file; so there is one watch a folder there.
const RECURSIVE = process.platform === "darwin" || process.platform === "win32";

export type Report = (what: string, error: unknown) => void;
type Listener = {
  /** Something changed in a folder. `name` is null where the system does not say what it was. */
  changed(folder: string, kind: string, name: string | null): void;
  /** A folder must be looked at, because what happened there may have been missed. */
  missed(folder: string): void;
};
export type FolderWatches = {
  /** True where the folder was not watched before, and nothing else watches it; also where another stands in its place by now. */
  add(folder: string): boolean;
  /** Ends the watches on subfolders of a folder that are not among these, and on all below them. */
  keepSubfolders(folder: string, present: ReadonlySet<string>): void;
  /** Watches every folder there is. */
  addAll(): Promise<void>;
  /** Begins to count events anew, because the folders that sent them are being looked at. */
  forgetEvents(): void;
  /** Whether a folder could not be watched. */
  failed(): boolean;
  /** Ends every watch. More can be added. */
  clear(): void;
  close(): void;
};

export const hidden = (path: string): boolean =>
  path.split(/[\\/]/).some((segment) => segment.startsWith("."));

/** These codes mean something else for a watch than for a file. */
const watchRefusal = (code: string | undefined): NoteError | null =>
  code === "ENOSPC" || code === "EMFILE"
    ? new NoteError(
        "busy",
        `The system allows no more watches (${code}); on Linux, raise fs.inotify.max_user_watches and max_user_instances.`,
      )
    : null;

export const openFolderWatches = (root: string, listener: Listener, report: Report): FolderWatches => {
  const watched = new Map<string, { watcher: FSWatcher; identity: string | null }>();
  /** How many events each folder has sent since it was last looked at. */
  const events = new Map<string, number>();
  let failed = false;
  let closed = false;

  const remove = (folder: string): void => {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  };
  const onEvent = (folder: string, kind: string, name: string | null): void => {
    const count = (events.get(folder) ?? 0) + 1;
    events.set(folder, count);
    if (count <= FLOOD || RECURSIVE) return listener.changed(folder, kind, name);
    remove(folder);
    listener.missed(folder);
  };
  const onFailure = (error: NodeJS.ErrnoException): void => {
    // It went meanwhile: an event of its parent says so.
    if (error.code === "ENOENT" || error.code === "ENOTDIR" || failed) return;
    failed = true;
    report(
      "A folder cannot be watched, so the whole vault is looked at every two seconds instead. Edits by other programs are seen a little later.",
      watchRefusal(error.code) ?? error,
    );
  };
  const add = (folder: string): boolean => {
    if (closed) return false;
    // It is asked for first: of a folder that is replaced in between, it then differs the next time.
    const identity = identityOf(join(root, folder));
    const held = watched.get(folder);
    // A watch stays with its folder, also when that is deleted or moved and another gets its name.
    if (held && (identity === null || identity === held.identity)) return false;
    remove(folder);
    try {
      const watcher = watch(join(root, folder), { persistent: false, recursive: RECURSIVE });
      watcher.on("change", (kind, name) => onEvent(folder, kind, name === null ? null : String(name)));
      watcher.on("error", () => {
        remove(folder);
        listener.missed(folderOf(folder));
      });
      watched.set(folder, { watcher, identity });
      return true;
    } catch (error) {
      onFailure(error as NodeJS.ErrnoException);
      return false;
    }
  };
  const clear = (): void => [...watched.keys()].forEach(remove);

  return {
    add: (folder) => (folder === "" || !RECURSIVE) && add(folder),
    keepSubfolders(folder, present) {
      const gone = [...watched.keys()].filter(
        (path) => path !== "" && folderOf(path) === folder && !present.has(path),
      );
      for (const path of watched.keys())
        if (gone.some((top) => path === top || path.startsWith(`${top}/`))) remove(path);
    },
    async addAll() {
      const folders = [""];
      for (const folder of folders) {
        add(folder);
        if (RECURSIVE || closed) return;
        for (const below of await subfoldersOf(root, folder)) folders.push(below);
      }
    },
    forgetEvents: () => events.clear(),
    failed: () => failed,
    clear,
    close() {
      closed = true;
      clear();
    },
  };
};

/** Which folder it is, by its number and by when it was made: numbers are given again. Null where it cannot be looked at. */
const identityOf = (folder: string): string | null => {
  try {
    const { dev, ino, birthtimeNs } = statSync(folder, { bigint: true });
    return `${dev} ${ino} ${birthtimeNs}`;
  } catch {
    return null;
  }
};

const subfoldersOf = async (root: string, folder: string): Promise<string[]> => {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isDirectory() && !hidden(entry.name))
    .map(({ name }) => (folder === "" ? name : `${folder}/${name}`));
};
