/** The folders that an identity is kept to, as somebody named them. */

import { NoteError } from "../markdown/errors.ts";
import { folderPath } from "../notebook/paths.ts";
import type { Identity } from "./identity.ts";

/** A list of folders as identities have them, "all" where the vault itself is among them; null where it is no such list. */
export const foldersFrom = (list: unknown): Identity["folders"] | null => {
  if (!Array.isArray(list) || list.length === 0 || !list.every((each) => typeof each === "string"))
    return null;
  try {
    const folders = list.map((each) => folderPath(each));
    return folders.includes("") ? "all" : folders;
  } catch (error) {
    if (error instanceof NoteError) return null;
    throw error;
  }
};

/** Folders as they are written into a form, one on each line. */
export const foldersOnLines = (text: string): Identity["folders"] | null =>
  foldersFrom(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  );
