/** How this surface names notes: by path or handle; whoever reads may also give a name, as a link would. */

import { NoteError } from "../../markdown/errors.ts";
import { noteHandle, parseHandle, type Handle } from "../../notebook/handle.ts";
import type { Note } from "../../notebook/note.ts";
import type { When } from "../../notebook/past.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import type { NotePath } from "../../notebook/paths.ts";

/** The note of just this path: a change guesses no names. `version`: the one it must still have. */
export function exactNote(written: string): { path: NotePath; version: string | null } {
  const { path, heading, hash } = parseHandle(written);
  if (heading === null) return { path, version: hash };
  throw new NoteError(
    "input_refused",
    `"${written}" names a section; here a whole note is meant. Give "${path}".`,
  );
}
export const exactPath = (written: string): NotePath => exactNote(written).path;

/** A version is named by at least so many of its digits. */
const VERSION_LEAST = 8;
export const isVersion = (version: string, of: { version: string }): boolean =>
  version.length >= VERSION_LEAST && of.version.startsWith(version);

/** Refuses where a note no longer has the version it was named with. */
export function checkVersion(before: Note | null, path: NotePath, version: string | null): void {
  if (version === null || (before && isVersion(version, before))) return;
  throw new NoteError(
    "version_conflict",
    `"${path}" has changed since version ${version.slice(0, 40)}; nothing was written. Read it again and repeat the change.`,
    { path, handle: before && noteHandle(before) },
  );
}

/** The note a reader means: by its path, or, where no folder is given and no note has that path, by its name as a link would. */
export async function resolveNote(
  notebook: Notebook,
  written: string,
  at?: When,
): Promise<{ handle: Handle; note: Note }> {
  const handle = parseHandle(written);
  try {
    return { handle, note: await notebook.read(handle.path, at) };
  } catch (error) {
    if (!(error instanceof NoteError) || handle.path.includes("/") || error.details["movedTo"]) throw error;
    if (error.code !== "note_missing" && error.code !== "revision_missing") throw error;
    const path = await notebook.locate(handle.path.slice(0, -3)).catch((other: unknown) => {
      throw error.details["deleted"] ? error : other;
    });
    return { handle: { ...handle, path }, note: await notebook.read(path, at) };
  }
}
