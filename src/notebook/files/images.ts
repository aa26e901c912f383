/** Images of a vault, for the page alone: found as Obsidian finds them, and known by their bytes, not by their names. */

import { NoteError } from "../../markdown/errors.ts";
import type { Notebook } from "../notebook.ts";
import { isNote, linkedPath, type AttachmentPath } from "../paths.ts";
import { IMAGE_LIMIT, imageIn, imagePlaces, isImageName, type Images } from "./shown-image.ts";

export const imagesOf =
  (notebook: Pick<Notebook, "file" | "fileNamed">): Images =>
  async (name, from) => {
    if (!isImageName(name)) return null;
    for (const place of imagePlaces(name, from)) {
      const image = await orNull(() => readImage(notebook, place));
      if (image) return image;
    }
    const named = await orNull(() => nearest(notebook, name.split("/").at(-1)!));
    return named && orNull(() => readImage(notebook, named));
  };

async function readImage(notebook: Pick<Notebook, "file">, place: string): ReturnType<Images> {
  // Hidden folders, and whatever could lead out, are refused as they are for notes.
  const path = linkedPath(place);
  if (isNote(path)) return null;
  const { size } = await notebook.file(path, 0);
  return size > IMAGE_LIMIT ? null : imageIn((await notebook.file(path, IMAGE_LIMIT)).bytes);
}

/** The file of that name that is nearest to the root, where there are several. */
async function nearest(notebook: Pick<Notebook, "fileNamed">, name: string): Promise<AttachmentPath | null> {
  try {
    return await notebook.fileNamed(name);
  } catch (error) {
    if (!(error instanceof NoteError) || error.code !== "name_ambiguous") throw error;
    const depth = (path: string): number => path.split("/").length;
    const found = error.details["candidates"] as AttachmentPath[];
    return found.toSorted((a, b) => depth(a) - depth(b))[0]!;
  }
}

/** What is refused is not shown: the page says which image is missing. */
async function orNull<T>(work: () => Promise<T | null>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoteError) return null;
    throw error;
  }
}
