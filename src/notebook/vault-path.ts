/** What a path inside a vault looks like, and which files we may put there. */

import { folderOf, nameOf, RULES, type NotePath, type TrashPath } from "./paths.ts";

/** The folder of our own in a vault. */
export const HOME = ".notewright";

export function isOwn(path: string): boolean {
  return path === HOME || path.startsWith(`${HOME}/`);
}

/** Deeper folders are passed over: each step down is a call, and a hostile vault can be thousands of folders deep. */
export const DEPTH_LIMIT = 128;

export function nameIn(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

export function joined(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** What file managers leave in folders: nobody's files. */
export const isLeftover = (name: string): boolean => /^(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/i.test(name);

/** Where removed notes are kept: Obsidian's own convention. */
export const TRASH = ".trash";

/** The first place in the trash that is free: `name.md`, `name (2).md` … `taken` is asked for the path of a place. */
export function freeInTrash(path: NotePath, taken: (place: string) => boolean): TrashPath {
  const name = nameOf(path);
  let free = `${TRASH}/${name}.md`;
  for (let count = 2; taken(free); count++) free = `${TRASH}/${name} (${count}).md`;
  return free as TrashPath;
}

/** Bytes of the longest name that common disks take. */
const NAME_LIMIT = 255;

/** Where a text is put beside a note that went another way: free, or holding that very text. */
export function conflictName(
  path: string,
  version: string,
  versionAt: (path: string) => string | null,
): string {
  const named = (mark: string): string => {
    const ending = ` (conflict ${mark}).md`;
    const stem = Array.from(nameIn(path).slice(0, -3));
    while (new TextEncoder().encode(stem.join("") + ending).length > NAME_LIMIT) stem.pop();
    return joined(folderOf(path), stem.join("") + ending);
  };
  const short = named(version.slice(0, 7));
  return [null, version].includes(versionAt(short)) ? short : named(version);
}

const HIDDEN_ROOTS = [`${TRASH}/`, RULES];

/** A note, a removed note or a rule file: a Markdown file outside every other hidden folder. */
export function isVaultFile(path: string): boolean {
  const root = HIDDEN_ROOTS.find((root) => path.startsWith(root)) ?? "";
  const segments = path.slice(root.length).split("/");
  return (
    path.endsWith(".md") &&
    segments.length < DEPTH_LIMIT - 2 &&
    segments.every((segment) => segment !== "" && !segment.startsWith(".") && !segment.includes("\0"))
  );
}
