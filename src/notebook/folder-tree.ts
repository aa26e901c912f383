/** A folder as a whole: all that it holds, what of that cannot be moved or removed with it, and what becomes of its folders. */

import { NoteError } from "../markdown/errors.ts";
import type { Parts } from "./parts.ts";
import { folderOf, refused, type AttachmentPath, type LinkedPath, type NotePath } from "./paths.ts";

export type FolderTree = {
  notes: NotePath[];
  attachments: AttachmentPath[];
  /** The folder itself and all below it, each before those in it. */
  folders: string[];
  /** What nobody moves for its owner. */
  obstacles: { path: string; what: string }[];
};

/** What a change does to folders beside its files: the first is removed, if nothing is left in it, and the second made; "" for none. */
export type Folders = readonly (readonly [emptied: string, made: string])[];

/** The most files that one call moves or removes; a folder counts as what is in it. */
export const FILES_LIMIT = 10_000;

/** Refuses, by its name, what cannot go along. */
export async function wholeFolder({ store }: Pick<Parts, "store">, folder: string): Promise<FolderTree> {
  const tree = await store.tree(folder, FILES_LIMIT);
  if (tree === null)
    throw new NoteError("note_missing", `There is no folder "${folder}/".`, { path: folder, name: folder });
  const [obstacle] = tree.obstacles;
  if (obstacle)
    throw new NoteError(
      "path_refused",
      `The folder "${folder}/" holds ${obstacle.what}, "${obstacle.path}", which does not go along. Move or delete that first.`,
      { path: obstacle.path, reason: `is ${obstacle.what}` },
    );
  if (filesIn(tree).length > FILES_LIMIT || tree.folders.length > FILES_LIMIT)
    throw new NoteError(
      "input_refused",
      `The folder "${folder}/" holds more than ${FILES_LIMIT} files; one call takes at most so many. Take its subfolders one by one.`,
    );
  return tree;
}

export const filesIn = ({ notes, attachments }: FolderTree): LinkedPath[] => [...notes, ...attachments];

/** The folders of a tree that goes elsewhere. One that is there already is not made, so that an undo does not take it away. */
export async function movedFolders(
  { store }: Pick<Parts, "store">,
  { folders }: FolderTree,
  from: string,
  to: string,
): Promise<Folders> {
  const pairs: [string, string][] = [];
  for (const folder of folders) {
    const there = to + folder.slice(from.length);
    pairs.push([folder, (await store.hasFolder(there)) ? "" : there]);
  }
  return pairs;
}

/** The folders that must be made for these files to be put in place: each is to go again when they do. */
export async function foldersFor(
  { store }: Pick<Parts, "store">,
  paths: readonly string[],
): Promise<Folders> {
  const there = new Map<string, boolean>([["", true]]);
  for (const path of paths)
    for (let folder = folderOf(path); !there.get(folder) && !there.has(folder); folder = folderOf(folder))
      there.set(folder, await store.hasFolder(folder));
  return [...there].flatMap(([folder, is]) => (is ? [] : [["", folder] as const]));
}

export function checkNotInside(folder: string, target: string): void {
  if (folder === "") throw refused(folder, "is the vault itself");
  if (folder !== target && !target.startsWith(`${folder}/`)) return;
  throw new NoteError(
    "input_refused",
    `"${folder}/" cannot be moved to "${target}/", which lies in it or is itself.`,
  );
}
