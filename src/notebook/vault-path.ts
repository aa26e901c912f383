/** What a path inside a vault looks like, and which files we may put there. */

import { folderOf, RULES, type TrashPath } from "./paths.ts";
import { fold } from "./resolve.ts";

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

/** The first place in the trash that is free for each file or folder, another for each: `name.md`, `name (2).md` … `taken` is asked for the path of a place. */
export function freeInTrash(paths: readonly string[], taken: (place: string) => boolean): TrashPath[] {
  const used = new Set<string>();
  // A name that comes again goes on from the number it had.
  const counts = new Map<string, number>();
  return paths.map((path) => {
    const [, name = "", ending = ""] = NAME_AND_ENDING.exec(nameIn(path))!;
    const first = `${TRASH}/${name}${ending}`;
    let count = counts.get(first) ?? 1;
    let free = first;
    do {
      free = count === 1 ? first : `${TRASH}/${name} (${count})${ending}`;
      count++;
    } while (used.has(fold(free)) || taken(free));
    counts.set(first, count);
    used.add(fold(free));
    return free as TrashPath;
  });
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
    const [, name = "", last = ""] = NAME_AND_ENDING.exec(nameIn(path))!;
    const ending = ` (conflict ${mark})${last}`;
    const stem = Array.from(name);
    while (new TextEncoder().encode(stem.join("") + ending).length > NAME_LIMIT) stem.pop();
    return joined(folderOf(path), stem.join("") + ending);
  };
  const short = named(version.slice(0, 7));
  return [null, version].includes(versionAt(short)) ? short : named(version);
}

const NAME_AND_ENDING = /^(.+?)(\.[^. ]+)?$/s;

/** The name that a file in the trash had: its own, or the one before its number. */
export function namesBeforeTrash(place: string): string[] {
  const there = nameIn(place);
  const [, name, ending = ""] = /^(.+) \(\d+\)(\.[^. ]+)?$/s.exec(there) ?? [];
  return name === undefined ? [there] : [there, `${name}${ending}`];
}

/** Finds for each file its place in the trash, among places in the order they count; no place is found twice. */
export function findTrashed<File extends { path: string; version: string }>(
  files: readonly File[],
  places: readonly TrashPath[],
  versionAt: (place: TrashPath, file: File) => string | null,
): (TrashPath | null)[] {
  const named = new Map<string, TrashPath[]>();
  for (const place of places)
    for (const name of namesBeforeTrash(place)) {
      const same = named.get(name);
      if (same) same.push(place);
      else named.set(name, [place]);
    }
  const given = new Set<TrashPath>();
  return files.map((file) => {
    const found = named
      .get(nameIn(file.path))
      ?.find((place) => !given.has(place) && versionAt(place, file) === file.version);
    if (found !== undefined) given.add(found);
    return found ?? null;
  });
}

const HIDDEN_ROOTS = [`${TRASH}/`, RULES];

/** A note, an attachment, a removed one, or a rule file, which is Markdown: outside every other hidden folder. */
export function isVaultFile(path: string): boolean {
  const root = HIDDEN_ROOTS.find((root) => path.startsWith(root)) ?? "";
  const segments = path.slice(root.length).split("/");
  return (
    (root !== RULES || path.endsWith(".md")) &&
    segments.length < DEPTH_LIMIT - 2 &&
    segments.every((segment) => segment !== "" && !segment.startsWith(".") && !segment.includes("\0"))
  );
}
