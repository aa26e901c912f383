/** Images that the page shows: which names may mean one, where such a name is looked for first, and what its bytes are. */

import { folderOf } from "../paths.ts";
import { imageHead } from "./image-head.ts";

export type Image = { bytes: Uint8Array; type: string };
/** An image by the path or name that the note `from` gives it; null where there is none. */
export type Images = (name: string, from: string) => Promise<Image | null>;

export const IMAGE_LIMIT = 20 * 1024 * 1024;

export const isImageName = (name: string): boolean => /\.(?:png|jpe?g|gif|webp|avif)$/i.test(name);

/** Known by the marks that such files begin with, not by the name. SVG is none of them, because it may hold scripts. */
export const imageIn = (bytes: Uint8Array): Image | null => {
  const isAvif = /^[\s\S]{4}ftypavi[fs]/.test(String.fromCharCode(...bytes.subarray(0, 16)));
  const type = imageHead(bytes)?.type ?? (isAvif ? "image/avif" : null);
  return type === null ? null : { bytes, type };
};

/** From the note's own folder and from the root, as links in Markdown and in wikis have it. */
export const imagePlaces = (name: string, from: string): string[] => {
  const plain = name.replace(/^\.\//, "");
  const near = joined(folderOf(from), plain);
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
