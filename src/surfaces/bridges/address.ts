/** How this surface names notes: a knowledge base, and a path with `.md` within its folder (or from the vault's root, if it begins with that folder). */

import { NoteError } from "../../markdown/errors.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { folderPath, notePath, type NotePath } from "../../notebook/paths.ts";
import { fold } from "../../notebook/resolve.ts";
import { baseNamed, type Base } from "../../notebook/rules.ts";
import { isNote } from "../naming.ts";

export const baseOf = async (notebook: Notebook, name: string): Promise<Base> =>
  baseNamed(await notebook.bases.book(), name);

/** A path that begins with the base's folder is taken from the vault's root, unless the folder really has such a note inside it. */
export async function toPath(notebook: Notebook, base: Base, written: string): Promise<NotePath> {
  if (!written.endsWith(".md"))
    throw new NoteError(
      "path_refused",
      `The path ${JSON.stringify(written.slice(0, 200))} does not end in .md. Give the note's path with it, such as "papers/attention.md".`,
      { path: written.slice(0, 200) },
    );
  const given = notePath(written);
  const inside = notePath(`${base.subfolder}/${given}`);
  const rest = within(base, given);
  if (rest === null || (await isNote(notebook, inside))) return inside;
  return notePath(`${base.subfolder}/${rest}`);
}

/** A folder that begins with the base's folder is taken from the vault's root in the same way. */
export async function toFolder(notebook: Notebook, base: Base, written: string): Promise<string> {
  const given = folderPath(written);
  if (given === "") return base.subfolder;
  const inside = `${base.subfolder}/${given}`;
  const rest = within(base, given);
  if (rest === null) return inside;
  const { total } = await notebook.find({ folder: inside, deep: true }, { limit: 1, sort: "path" });
  if (total > 0) return inside;
  return rest === "" ? base.subfolder : `${base.subfolder}/${rest}`;
}

/**
 * The folder that a constraint is for, from the vault's root. `./x/` and `x/` are `x`. One that is not written from the root lies in
 * the base's folder, unless it names a folder elsewhere: below the root that the base lies in, of another base, or with notes in it.
 */
export async function constrainedFolder(notebook: Notebook, name: string, written: string): Promise<string> {
  const book = await notebook.bases.book();
  const base = baseNamed(book, name);
  const given = folderPath(written.replace(/^(?:\.\/+)+/, ""));
  if (given === "" || within(base, given) !== null) return given;
  const [root] = given.split("/");
  const roots = book.bases.map(({ subfolder }) => fold(subfolder.split("/")[0]!));
  if (roots.includes(fold(root!))) return given;
  const { total } = await notebook.find({ folder: given, deep: true }, { limit: 1, sort: "path" });
  return total > 0 ? given : `${base.subfolder}/${given}`;
}

/** What follows the base's folder in a path, compared by whole segments; null where the path does not begin with it. */
function within(base: Base, path: string): string | null {
  const count = base.subfolder.split("/").length;
  const segments = path.split("/");
  if (fold(segments.slice(0, count).join("/")) !== fold(base.subfolder)) return null;
  return segments.slice(count).join("/");
}
