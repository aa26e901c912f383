/** How this surface names notes: by path or handle; whoever reads may also give a name, as a link would. */

import { NoteError } from "../../markdown/errors.ts";
import { targetKind } from "../../markdown/link-forms.ts";
import { noteHandle, parseHandle, type Handle } from "../../notebook/handle.ts";
import type { Note } from "../../notebook/note.ts";
import type { When } from "../../notebook/past.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { linkedPath, type AttachmentPath, type LinkedPath, type NotePath } from "../../notebook/paths.ts";
import { fold } from "../../notebook/resolve.ts";
import { plainName } from "./spelling.ts";

/** The note of just this path: a change guesses no names. `version`: the one it must still have. */
export function exactNote(written: string): { path: NotePath; version: string | null } {
  const { path, heading, hash } = parseHandle(written);
  if (heading === null) return { path, version: hash };
  throw new NoteError(
    "input_refused",
    `"${written}" names a section; here a whole note is meant. Give "${path}".`,
  );
}
/** Whether a name was given with its `.md`. */
export const hasMd = (written: string): boolean => /\.md(?:[#@]|$)/i.test(written);

/** A note by path or handle, or an attachment by its path. */
export function exactFile(written: string): { path: LinkedPath; version: string | null } {
  const isAttachment = !hasMd(written) && /\.[^./]+$/.test(written);
  return isAttachment ? { path: linkedPath(written), version: null } : exactNote(written);
}
export const exactPath = (written: string): NotePath => exactNote(written).path;

/** A version is named by at least so many of its digits. */
const VERSION_LEAST = 8;
export const isVersion = (version: string, of: { version: string }): boolean =>
  version.length >= VERSION_LEAST && of.version.startsWith(version);

/** Refuses where a note no longer has the version it was named with. */
export function checkVersion(before: Note | null, path: LinkedPath, version: string | null): void {
  if (version === null || (before && isVersion(version, before))) return;
  throw new NoteError(
    "version_conflict",
    `"${path}" has changed since version ${version.slice(0, 40)}; nothing was written. Read it again and repeat the change.`,
    { path, handle: before && noteHandle(before) },
  );
}

/** The note a reader means: by its path in any spelling; where no note has that path, by its name as a link would, or by a path that differs in case alone. */
export async function resolveNote(
  notebook: Notebook,
  written: string,
  at?: When,
): Promise<{ handle: Handle; note: Note }> {
  const handle = parseHandle(plainName(written, notebook));
  try {
    return { handle, note: await notebook.read(handle.path, at) };
  } catch (error) {
    if (!(error instanceof NoteError) || error.details["movedTo"]) throw error;
    if (error.code !== "note_missing" && error.code !== "revision_missing") throw error;
    const path = await notebook.locate(handle.path.slice(0, -3)).catch((other: unknown) => {
      throw error.details["deleted"] || handle.path.includes("/") ? error : other;
    });
    if (handle.path.includes("/") && fold(path) !== fold(handle.path)) throw error;
    return { handle: { ...handle, path }, note: await notebook.read(path, at) };
  }
}

/** A file as a reader names it, and what follows its name: `doc.pdf#page=3`. */
export type NamedFile = { path: AttachmentPath; anchor: string };

/** The file a reader means; null where a note is meant. A name whose ending is that of notes only by chance (`v1.2`) is a file where there is one. */
export async function fileMeant(notebook: Notebook, written: string): Promise<NamedFile | null> {
  const plain = plainName(written, notebook);
  const [, name = plain, anchor = ""] = /^(.+)#(\w+=[^#]*)$/s.exec(plain) ?? [];
  const kind = targetKind(name, "wiki");
  // Files by name are known once all are indexed, and notes by path at any time.
  if (kind === "note" || (kind === "either" && notebook.soFar() !== null)) return null;
  const path = await notebook.fileNamed(name);
  if (path !== null) return { path, anchor };
  if (kind === "either" || (await namesNote(notebook, name))) return null;
  // Why there is none: a link, perhaps, which nobody follows.
  const sought = linkedPath(name) as AttachmentPath;
  await notebook.file(sought, 0);
  return { path: sought, anchor };
}

/** Where there is no file of a name, it may be that of a note, as in a link. */
const namesNote = (notebook: Notebook, name: string): Promise<boolean> =>
  notebook.locate(name).then(
    () => true,
    (error: unknown) => {
      if (error instanceof NoteError) return error.code === "name_ambiguous";
      throw error;
    },
  );

/** The path a reader means. A note that is gone still has a past, under its exact path. */
export async function pathMeant(notebook: Notebook, written: string): Promise<NotePath> {
  try {
    return (await resolveNote(notebook, written)).handle.path;
  } catch (error) {
    if (!(error instanceof NoteError) || error.code !== "note_missing") throw error;
    return parseHandle(plainName(written, notebook)).path;
  }
}

/** Does a change of the notes named: one that is named otherwise than by its exact path is refused, with that path. */
export async function byExactPaths<T>(
  notebook: Notebook,
  names: readonly string[],
  change: () => Promise<T>,
): Promise<T> {
  for (const name of names) {
    const plain = plainName(name, notebook);
    if (plain !== name) throw otherSpelling(name, (await exactly(notebook, plain)) ?? plain);
  }
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof NoteError) || error.code !== "note_missing") throw error;
    if (error.details["movedTo"] || error.details["deleted"]) throw error;
    const name = names.find((one) => isOf(one, error.details["path"]));
    const exact = name === undefined ? null : await exactly(notebook, name);
    throw exact === null ? error : otherSpelling(name!, exact);
  }
}

const isOf = (name: string, path: unknown): boolean => !name.endsWith("/") && parseHandle(name).path === path;

function otherSpelling(name: string, exact: string): NoteError {
  return new NoteError(
    "input_refused",
    `A change needs the exact path: "${exact}", not ${JSON.stringify(name.slice(0, 200))}. Nothing was changed.`,
    { path: exact },
  );
}

/** The path of the one note that a reader would get, with the heading that was given; null where there is none. */
async function exactly(notebook: Notebook, name: string): Promise<string | null> {
  try {
    const { handle } = await resolveNote(notebook, name);
    return handle.path + (handle.heading === null ? "" : `#${handle.heading}`);
  } catch (error) {
    if (error instanceof NoteError) return null;
    throw error;
  }
}
