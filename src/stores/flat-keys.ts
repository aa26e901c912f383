/** What stores share that keep each note under its path as a key, in memory or in a bucket: a folder there is only what paths have in common. */

import { folderOf } from "../notebook/paths.ts";
import { fold } from "../notebook/resolve.ts";

/** The files directly in a folder, and its subfolders; null where none is below it. The vault itself is always there. */
export function folderAmong(
  files: readonly string[],
  folder: string,
): { files: string[]; folders: string[] } | null {
  const inside = folder === "" ? files : files.filter((path) => path.startsWith(`${folder}/`));
  if (inside.length === 0 && folder !== "") return null;
  const depth = folder === "" ? 1 : folder.split("/").length + 1;
  const deeper = inside.filter((path) => path.split("/").length > depth);
  return {
    files: inside.filter((path) => folderOf(path) === folder),
    folders: [...new Set(deeper.map((path) => path.split("/").slice(0, depth).join("/")))],
  };
}

/** A path and the folders it lies in, the deepest first. */
export function partsOf(path: string): string[] {
  const parts: string[] = [];
  for (let part = path; part !== ""; part = folderOf(part)) parts.push(part);
  return parts;
}

/** A folder and all below it in which files lie, each before those in it. */
export function foldersAmong(files: readonly string[], folder: string): string[] {
  const below = files.flatMap((path) => partsOf(folderOf(path)).filter((part) => part.startsWith(folder)));
  return [...new Set([folder, ...below])].toSorted((a, b) => a.split("/").length - b.split("/").length);
}

/** What differs from a path, or from a folder on its way, only by case or Unicode form, among spellings in use by how they fold. */
export function twinAmong(spellings: ReadonlyMap<string, string>, path: string): string | null {
  for (const part of partsOf(path)) {
    const spelling = spellings.get(fold(part));
    if (spelling !== undefined) return spelling === part ? null : spelling;
  }
  return null;
}

/** One writer at a time, in the order they came, where nobody but this process writes. */
export function openWriters() {
  let last: Promise<unknown> = Promise.resolve();
  let held = false;
  return {
    alone<T>(work: () => Promise<T>): Promise<T> {
      const mine = last.then(async () => {
        held = true;
        try {
          return await work();
        } finally {
          held = false;
        }
      });
      last = mine.catch(() => {});
      return mine;
    },
    held: () => held,
    /** Resolves when those that came before have ended. */
    idle: () => last,
  };
}
