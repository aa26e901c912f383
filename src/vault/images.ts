/** Images of a vault, for the page alone: found as Obsidian finds them, read through the disk that stays inside, and known by their bytes, not by their names. */

import { openDisk, type Disk } from "../disk/files.ts";
import { NoteError } from "../markdown/errors.ts";
import {
  IMAGE_LIMIT,
  imageIn,
  imagePlaces,
  isImageName,
  type Image,
  type Images,
} from "../notebook/files/shown-image.ts";
import { folderPath } from "../notebook/paths.ts";
import { turnOfOthers } from "../notebook/turns.ts";

/** How many folders are looked through for a name, and for how many milliseconds what was seen counts. */
const FOLDERS = 20_000;
const KEPT = 60_000;
const BREATH = 50;

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
    if (!isImageName(name)) return null;
    for (const path of imagePlaces(name, from)) {
      const image = readImage(disk, path);
      if (image) return image;
    }
    const found = await byName(name.split("/").at(-1)!);
    return found === null ? null : readImage(disk, found);
  };
};

const readImage = (disk: Disk, path: string): Image | null => {
  try {
    // Hidden folders, and whatever could lead out, are refused as they are for notes.
    const file = disk.read(folderPath(path), IMAGE_LIMIT);
    return file && imageIn(file.bytes);
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
      if (isImageName(name) && !found.has(key)) found.set(key, folder === "" ? name : `${folder}/${name}`);
    }
    for (const name of names?.folder ?? [])
      if (!name.startsWith(".")) waiting.push(folder === "" ? name : `${folder}/${name}`);
  }
  return found;
};
