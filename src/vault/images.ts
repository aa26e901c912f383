/** Images of a vault, for the page alone: found as Obsidian finds them, read through the disk that stays inside, and known by their bytes, not by their names. */

import { openDisk, type Disk } from "../disk/files.ts";
import { NoteError } from "../markdown/errors.ts";
import { imageHead } from "../notebook/files/image-head.ts";
import { folderOf, folderPath } from "../notebook/paths.ts";
import { turnOfOthers } from "../notebook/turns.ts";

export type Image = { bytes: Uint8Array; type: string };
/** An image by the path or name that the note `from` gives it; null where there is none. */
export type Images = (name: string, from: string) => Promise<Image | null>;

const IMAGE_LIMIT = 20 * 1024 * 1024;
const NAMED = /\.(?:png|jpe?g|gif|webp|avif)$/i;
/** How many folders are looked through for a name, and for how many milliseconds what was seen counts. */
const FOLDERS = 20_000;
const KEPT = 60_000;
const BREATH = 50;

/** The kinds that are shown, by the marks their files begin with. SVG is none of them, because it may hold scripts. */
const typeOf = (bytes: Uint8Array): string | null => {
  const isAvif = /^[\s\S]{4}ftypavi[fs]/.test(String.fromCharCode(...bytes.subarray(0, 16)));
  return imageHead(bytes)?.type ?? (isAvif ? "image/avif" : null);
};

export const openImages = (root: string): Images => {
  const disk = openDisk(root);
  let names: Map<string, string> | null = null;
  let seen = 0;

  const byName = async (name: string): Promise<string | null> => {
    if (!names || performance.now() - seen > KEPT) {
      names = await namesBelow(disk);
      seen = performance.now();
    }
    return names.get(name.toLowerCase()) ?? null;
  };

  return async (name, from) => {
    if (!NAMED.test(name)) return null;
    for (const path of placesOf(name, folderOf(from))) {
      const image = readImage(disk, path);
      if (image) return image;
    }
    const found = await byName(name.split("/").at(-1)!);
    return found === null ? null : readImage(disk, found);
  };
};

/** From the root and from the note's own folder, as links in Markdown and in wikis have it. */
const placesOf = (name: string, folder: string): string[] => {
  const plain = name.replace(/^\.\//, "");
  const near = joined(folder, plain);
  return [near, plain.replace(/^\//, "")].filter((path) => path !== null);
};

/** A path relative to a folder, `..` taken into account; null where it leads out. */
const joined = (folder: string, path: string): string | null => {
  const segments = folder === "" ? [] : folder.split("/");
  for (const segment of path.split("/")) {
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.join("/");
};

const readImage = (disk: Disk, path: string): Image | null => {
  try {
    // Hidden folders, and whatever could lead out, are refused as they are for notes.
    const file = disk.read(folderPath(path), IMAGE_LIMIT);
    const type = file && typeOf(file.bytes);
    return type ? { bytes: file.bytes, type } : null;
  } catch (error) {
    if (error instanceof NoteError || (error as NodeJS.ErrnoException).code !== undefined) return null;
    throw error;
  }
};

/** Every image by its name; of several the one nearest to the root. */
const namesBelow = async (disk: Disk): Promise<Map<string, string>> => {
  const found = new Map<string, string>();
  const waiting = [""];
  for (let looked = 0; looked < waiting.length && looked < FOLDERS; looked++) {
    if (looked % BREATH === BREATH - 1) await turnOfOthers();
    const folder = waiting[looked]!;
    const names = disk.names(folder);
    for (const name of names?.file ?? []) {
      const key = name.toLowerCase();
      if (NAMED.test(name) && !found.has(key)) found.set(key, folder === "" ? name : `${folder}/${name}`);
    }
    for (const name of names?.folder ?? [])
      if (!name.startsWith(".")) waiting.push(folder === "" ? name : `${folder}/${name}`);
  }
  return found;
};
