/** The note that a person names on the terminal: by its path in the vault, by its file from where they are, or by its name, as a link would. */

import { realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { NoteError } from "../markdown/errors.ts";
import { escaped } from "../markdown/label.ts";
import { parseHandle, type Handle } from "../notebook/handle.ts";
import type { Note } from "../notebook/note.ts";
import { withoutEnding, type NotePath } from "../notebook/paths.ts";
import { say, type Opened } from "./opened-vault.ts";
import { progressOn } from "./progress.ts";
import type { Environment } from "./settings.ts";
import { currentFolder } from "./which-vault.ts";

/** A file of the vault as a shell completes it, as a path of the vault; anything else as it was written. */
export function insideVault(written: string, root: string, cwd: string | null = currentFolder()): string {
  const [, name = written, rest = ""] = /^(.*?\.md)(#.*)?$/s.exec(written) ?? [];
  if (cwd === null) return written;
  try {
    const file = resolve(cwd, name);
    if (!statSync(file).isFile()) return written;
    const path = relative(realpathSync(root), join(realpathSync(dirname(file)), basename(file)));
    return path.startsWith("..") ? written : path.split(sep).join("/") + rest;
  } catch {
    return written;
  }
}

/** The note as it is now, with what the words say of a section. One that was moved is followed. */
export async function presentNote(
  { notebook, vault }: Opened,
  written: string,
  environment: Environment,
): Promise<{ handle: Handle; note: Note }> {
  const handle = parseHandle(insideVault(written, vault.root));
  const read = async (path: NotePath) => ({ handle: { ...handle, path }, note: await notebook.read(path) });
  try {
    return await read(handle.path);
  } catch (error) {
    if (!(error instanceof NoteError) || error.code !== "note_missing") throw error;
    const movedTo = error.details["movedTo"] as NotePath | undefined;
    if (movedTo) {
      say(escaped(error.message));
      return read(movedTo);
    }
    await notebook.refresh(progressOn(process.stderr, environment));
    return read(await notebook.locate(withoutEnding(handle.path)));
  }
}
