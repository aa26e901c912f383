/** One note by its name: read it, or change it. */

import type { Edit } from "../../../markdown/edits.ts";
import { NoteError } from "../../../markdown/errors.ts";
import type { Change, How } from "../../../notebook/change.ts";
import type { Note } from "../../../notebook/note.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { locateNote } from "../address.ts";
import { checkTags } from "../tag-policy.ts";

export const readNamed = async (notebook: Notebook, name: string): Promise<Note> =>
  notebook.read(await locateNote(notebook, name));

/** One edit of one note. Whatever tool makes it, a tag that it brings in must be a known one. */
export async function editNote(
  notebook: Notebook,
  name: string,
  edit: Edit,
  guard?: How["guard"],
): Promise<Change> {
  const edits = [{ path: await locateNote(notebook, name), edits: [withDetails({ name }, edit)] }];
  const { changes } = await notebook.edit(edits, { guard: guard ?? checkTags(notebook) });
  return changes[0]!;
}

/** An edit knows a text, and not its note: a refusal gets the name that the caller gave to the note or the section. */
export const withDetails =
  (details: { name: string } | { section: string }, edit: Edit): Edit =>
  (text, headings) => {
    try {
      return edit(text, headings);
    } catch (error) {
      if (!(error instanceof NoteError)) throw error;
      throw new NoteError(error.code, error.message, { ...error.details, ...details });
    }
  };
