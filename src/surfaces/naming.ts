/** Names of notes as several surfaces give them: without `.md`, and whether a note of that path is there. */

import { NoteError } from "../markdown/errors.ts";
import type { Notebook } from "../notebook/notebook.ts";
import { namedNote, type NotePath } from "../notebook/paths.ts";

export const endsInMd = (written: string): boolean => /\.md$/i.test(written);

/** The note of a name that leaves `.md` out. An `.md` that is given is taken off, unless that very note exists (`new.md.md`). */
export async function noteNamed(notebook: Notebook, written: string): Promise<NotePath> {
  const whole = namedNote(written);
  if (!endsInMd(written) || (await isNote(notebook, whole))) return whole;
  return namedNote(written.slice(0, -".md".length));
}

export async function isNote(notebook: Notebook, path: NotePath): Promise<boolean> {
  try {
    await notebook.read(path);
    return true;
  } catch (error) {
    if (error instanceof NoteError) return error.code !== "note_missing";
    throw error;
  }
}

/** The message of a refusal, with the path as surfaces write it that leave `.md` out. */
export function withoutMd({ message, details }: NoteError): string {
  const { path } = details;
  if (typeof path !== "string" || !path.endsWith(".md")) return message;
  return message.replaceAll(`"${path}"`, `"${path.slice(0, -".md".length)}"`);
}
