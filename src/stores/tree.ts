/** All that a folder holds, at any depth, for who moves or removes the whole of it; and where removed files lie in the trash. */

import type { Disk } from "../disk/files.ts";
import { versionAt } from "../disk/versions.ts";
import type { Folders, FolderTree } from "../notebook/folder-tree.ts";
import { folderOf, isNote, type AttachmentPath, type NotePath, type TrashPath } from "../notebook/paths.ts";
import { attempt } from "../notebook/system-errors.ts";
import { findTrashed, isLeftover, joined, nameIn, namesBeforeTrash, TRASH } from "../notebook/vault-path.ts";

/** Folders of the trash that are looked through for one file. */
const TRASH_FOLDERS = 1000;

/** Null where there is no such folder. `most`: how many files are looked at, and one more. */
export function treeOf(disk: Disk, folder: string, most: number): FolderTree | null {
  if (folder.split("/").some((segment) => segment.startsWith(".")) || disk.lookFolder(folder) === null)
    return null;
  const tree: FolderTree = { notes: [], attachments: [], folders: [folder], obstacles: [] };
  // The list grows while it is walked.
  for (const at of tree.folders) {
    const names = disk.names(at);
    if (names === null) continue;
    for (const name of names.file) {
      const path = joined(at, name);
      if (isLeftover(name)) continue;
      if (name.startsWith(".")) tree.obstacles.push({ path, what: "a hidden file" });
      else if (isNote(path)) tree.notes.push(path as NotePath);
      else tree.attachments.push(path as string as AttachmentPath);
    }
    for (const name of names.link) tree.obstacles.push({ path: joined(at, name), what: "a symbolic link" });
    for (const name of names.other) tree.obstacles.push({ path: joined(at, name), what: "a special file" });
    for (const name of names.folder)
      if (name.startsWith(".")) tree.obstacles.push({ path: joined(at, name), what: "a hidden folder" });
      else tree.folders.push(joined(at, name));
    if (tree.notes.length + tree.attachments.length + tree.folders.length > most) break;
  }
  return tree;
}

/** Removes folders in which nothing is left but what file managers leave. An empty folder more is no reason to refuse a change that is through. */
export function removeEmptied(disk: Disk, folders: Folders): void {
  const emptied = folders.map(([folder]) => folder).filter((folder) => folder !== "");
  for (const folder of emptied.toSorted((a, b) => b.length - a.length))
    attempt(() => {
      const names = disk.names(folder);
      if (names === null || names.folder.length + names.link.length + names.other.length > 0) return;
      if (!names.file.every(isLeftover)) return;
      for (const name of names.file) disk.unlink(joined(folder, name));
      disk.removeFolder(folder);
    });
}

/** Removes folders of the trash from which the last file was taken. */
export function tidyTrash(disk: Disk, taken: readonly (string | undefined)[]): void {
  const folders = new Set<string>();
  for (const file of taken)
    if (file?.startsWith(`${TRASH}/`))
      for (let at = folderOf(file); at !== TRASH; at = folderOf(at)) folders.add(at);
  removeEmptied(
    disk,
    [...folders].map((folder) => [folder, ""] as const),
  );
}

/** Where files of these names and versions lie in the trash, the last ones that were put there first. */
export function trashedAt(
  disk: Disk,
  files: readonly { path: string; version: string }[],
): (TrashPath | null)[] {
  if (files.length === 0) return [];
  const names = new Set(files.map(({ path }) => nameIn(path)));
  const found: { place: TrashPath; changed: number }[] = [];
  const folders: string[] = [TRASH];
  for (const folder of folders) {
    const there = disk.names(folder);
    if (there === null) continue;
    for (const name of there.file) {
      const place = joined(folder, name) as TrashPath;
      if (namesBeforeTrash(place).some((one) => names.has(one)))
        found.push({ place, changed: disk.look(place)?.changed.getTime() ?? 0 });
    }
    for (const name of there.folder)
      if (!name.startsWith(".") && folders.length < TRASH_FOLDERS) folders.push(joined(folder, name));
  }
  const byAge = found.toSorted((a, b) => b.changed - a.changed).map(({ place }) => place);
  const versions = new Map<TrashPath, string | null>();
  return findTrashed(files, byAge, (place) => {
    // What cannot be read there is nobody's copy.
    if (!versions.has(place)) attempt(() => versions.set(place, versionAt(disk, place)));
    return versions.get(place) ?? null;
  });
}
