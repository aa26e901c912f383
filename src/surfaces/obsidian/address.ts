/** What the obsidian surface calls a note: its file name without `.md`, or `folder/name` where that is not enough. */

import { NoteError } from "../../markdown/errors.ts";
import type { SectionName } from "../../markdown/sections.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { folderOf, nameOf, notePath, withoutEnding, type NotePath } from "../../notebook/paths.ts";
import { endsInMd } from "../naming.ts";

/** The path a name would have at the vault's root; refused where it leads out of the vault or into a hidden folder. */
export function pathFor(name: string): NotePath {
  const bare = name.replace(/\.md$/i, "");
  if (bare.trim() === "") throw new NoteError("input_refused", "Note name cannot be empty");
  return notePath(`${bare}.md`);
}

/** The note of this name. A `.md` that is given does not count, unless that very note exists (`new.md.md`). */
export async function locateNote(notebook: Notebook, name: string): Promise<NotePath> {
  const path = pathFor(name);
  if (!endsInMd(name)) return notebook.locate(withoutEnding(path));
  try {
    return await notebook.locate(`${name}.md`);
  } catch (error) {
    if (!(error instanceof NoteError) || error.code !== "note_missing") throw error;
    return notebook.locate(endsInMd(withoutEnding(path)) ? path : withoutEnding(path));
  }
}

/** Where a renamed note goes: it stays in its folder, unless the new name says another. */
export function renamedPath(from: NotePath, name: string): NotePath {
  const to = pathFor(name);
  const folder = folderOf(from);
  return to.includes("/") || folder === "" ? to : notePath(`${folder}/${to}`);
}

/** A bare name must be new in every folder: a second note of that name would make it mean neither. */
export async function checkNameFree(notebook: Notebook, name: string, except?: NotePath): Promise<void> {
  const to = pathFor(name);
  if (to.includes("/")) return;
  const { notes } = await notebook.find({ name: nameOf(to) }, { limit: 2, sort: "path" });
  const taken = notes.find((note) => note.path !== except);
  if (taken)
    throw new NoteError("note_exists", `There is already a note "${taken.path}".`, {
      path: taken.path,
      name: nameOf(to),
    });
}

/** `Heading`, or `## Heading` for one of that level. */
export function sectionNamed(written: string): SectionName {
  const marked = /^(#{1,6})[ \t]+(.*)$/.exec(written.trim());
  return marked ? { text: marked[2]!.trim(), level: marked[1]!.length } : { text: written.trim() };
}
