/** What a folder holds: notes, other files, subfolders, and which names in the trash are free. Hidden names, links and special files are passed over. */

import { codeOf } from "../notebook/system-errors.ts";
import type { Disk } from "../disk/files.ts";
import type { Entry } from "../disk/open-files.ts";
import { freeInTrash, isLeftover, joined, nameIn, TRASH } from "../notebook/vault-path.ts";
import type { Listed, Stat } from "../notebook/parts.ts";
import { isNote, type AttachmentPath, type NotePath, type TrashPath } from "../notebook/paths.ts";
import { fold } from "../notebook/resolve.ts";
import { refusing } from "./refusals.ts";

/** Notes looked at in one go: a few milliseconds, even where ten thousand lie in one folder. */
const BATCH = 1000;

export async function* listNotes(disk: Disk, report: (sentence: string) => void): AsyncGenerator<Listed> {
  refusing(undefined, () => disk.present());
  const folders = [""];
  // The list grows while it is walked.
  for (const folder of folders) {
    const permitted = <T>(work: () => T): T | typeof CLOSED => unlessClosed(folder, work, report);
    const names = refusing(folder, () => permitted(() => visibleNames(disk, folder)));
    if (names === CLOSED) yield notListed(folder);
    if (names === null || names === CLOSED) continue;
    for (let from = 0; from < Math.max(names.notes.length, names.attachments.length); from += BATCH) {
      const some = (all: readonly string[]) => all.slice(from, from + BATCH);
      const listed = refusing(folder, () =>
        permitted(() => ({
          notes: statsOf<NotePath>(disk, folder, some(names.notes)),
          attachments: statsOf<AttachmentPath>(disk, folder, some(names.attachments)),
        })),
      );
      yield listed === CLOSED ? notListed(folder) : listed;
      await new Promise((resolve) => setImmediate(resolve));
    }
    for (const below of names.folders) folders.push(below);
  }
}

export function folderListing(
  disk: Disk,
  folder: string,
  report: (sentence: string) => void,
): (Listed & { folders: string[] }) | null {
  if (folder.split("/").some((segment) => segment.startsWith("."))) return null;
  const listed = unlessClosed(
    folder,
    () => {
      const names = visibleNames(disk, folder);
      return (
        names && {
          notes: statsOf<NotePath>(disk, folder, names.notes),
          attachments: statsOf<AttachmentPath>(disk, folder, names.attachments),
          folders: names.folders,
        }
      );
    },
    report,
  );
  return listed === CLOSED ? { ...notListed(folder), folders: [] } : listed;
}

const notListed = (folder: string): Listed => ({ notes: [], attachments: [], closed: [folder] });

export function freeTrashPaths(disk: Disk, paths: readonly string[]): TrashPath[] {
  const names = Object.values(disk.names(TRASH) ?? {}).flat();
  const taken = new Set(names.map(fold));
  return freeInTrash(paths, (place) => taken.has(fold(nameIn(place))));
}

export function statOf<Path extends string = NotePath>(
  path: string,
  { stamp, modified, changed, size }: Entry,
): Stat<Path> {
  return { path: path as Path, stamp, modified, changed, size };
}

const CLOSED = Symbol("closed");

/** A folder that may not be read hides its notes, and no more than its own. */
function unlessClosed<T>(
  folder: string,
  work: () => T,
  report: (sentence: string) => void,
): T | typeof CLOSED {
  try {
    return work();
  } catch (error) {
    const code = codeOf(error) ?? "";
    if (folder === "" || !["EACCES", "EPERM", "EPATH", "ELOOP"].includes(code)) throw error;
    report(
      code === "EPATH"
        ? "Some folders are too deep to be listed."
        : `The folder "${folder}" may not be read; its notes are not listed.`,
    );
    return CLOSED;
  }
}

type VisibleNames = { notes: string[]; attachments: string[]; folders: string[] };

function visibleNames(disk: Disk, folder: string): VisibleNames | null {
  const names = disk.names(folder);
  if (names === null) return null;
  const files = names.file.filter((name) => !name.startsWith("."));
  return {
    notes: files.filter(isNote),
    attachments: files.filter((name) => !isNote(name) && !isLeftover(name)),
    folders: names.folder.filter((name) => !name.startsWith(".")).map((name) => joined(folder, name)),
  };
}

function statsOf<Path extends string>(disk: Disk, folder: string, names: readonly string[]): Stat<Path>[] {
  return disk
    .lookAll(folder, names)
    .filter((entry) => entry.kind === "file")
    .map((entry) => statOf<Path>(joined(folder, entry.name), entry));
}
