/** One note by its name: read it, or change it. */

import type { Edit } from "../../../markdown/edits.ts";
import { NoteError } from "../../../markdown/errors.ts";
import type { Change, How } from "../../../notebook/change.ts";
import type { Note } from "../../../notebook/note.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { located } from "../address.ts";
import { checkTags } from "../tag-policy.ts";

export const noteNamed = async (notebook: Notebook, name: string): Promise<Note> =>
  notebook.read(await located(notebook, name));

/** One edit of one note. Whatever tool makes it, a tag that it brings in must be a known one. */
export async function changed(
  notebook: Notebook,
  name: string,
  edit: Edit,
  guard?: How["guard"],
): Promise<Change> {
  const edits = [{ path: await located(notebook, name), edits: [told({ name }, edit)] }];
  const { changes } = await notebook.edit(edits, { guard: guard ?? checkTags(notebook) });
  return changes[0]!;
}

/** Edits know texts, not notes: their refusals are told what they speak of, as the caller named it. */
export const told =
  (said: { name: string } | { section: string }, edit: Edit): Edit =>
  (text) => {
    try {
      return edit(text);
    } catch (error) {
      if (error instanceof NoteError) Object.assign(error.details, said);
      throw error;
    }
  };
