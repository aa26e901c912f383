/** Questions that name one note, by its path, name, alias or id: whoever proposes is answered as if their open text were in the vault. */

import type { Who } from "../change.ts";
import type { Filter, Found, FoundNote } from "../filter.ts";
import type { Note } from "../note.ts";
import type { Parts } from "../parts.ts";
import { isNote, nameOf, type NotePath } from "../paths.ts";
import { load } from "../load.ts";
import { fold, foldKey } from "../resolve.ts";
import { openPaths } from "./proposing.ts";

type Naming = Extract<Filter, { path: NotePath } | { name: string } | { alias: string } | { id: string }>;

export const namesOne = (filter: Filter): filter is Naming =>
  "path" in filter || "alias" in filter || "id" in filter || ("name" in filter && !filter.part);

/** `parts` are those of the caller's view. */
export async function withProposed(parts: Parts, who: Who, filter: Naming, found: Found): Promise<Found> {
  const paths = openPaths(parts, who);
  if (paths.size === 0) return found;
  const more: FoundNote[] = [];
  for (const path of [...paths].filter((open) => isNote(open) && mayFit(filter, open))) {
    const note = await load(parts, path);
    if (note && fits(filter, note)) more.push(foundOf(note));
  }
  const notes = [...found.notes.filter(({ path }) => !paths.has(path)), ...more];
  return { ...found, notes, total: found.total - found.notes.length + notes.length };
}

/** The path alone may tell that it is another note, which then need not be read. */
const mayFit = (filter: Naming, path: NotePath): boolean =>
  "path" in filter ? path === filter.path : !("name" in filter) || fold(nameOf(path)) === fold(filter.name);

function fits(filter: Naming, note: Note): boolean {
  if ("path" in filter) return note.path === filter.path;
  if ("id" in filter) return note.id === filter.id;
  if ("alias" in filter) return note.aliases.some((alias) => foldKey(alias) === foldKey(filter.alias));
  return fold(note.name) === fold(filter.name);
}

const textIn = (value: unknown): string | null => (typeof value === "string" ? value : null);

const foundOf = (note: Note): FoundNote => ({
  path: note.path,
  name: note.name,
  title: note.title,
  id: note.id,
  tags: note.tags,
  type: textIn(note.fields["type"]),
  created: note.created ?? note.modified,
  modified: note.lastModified,
  updated: textIn(note.fields["updated"]) ?? textIn(note.fields["modified"]),
  size: note.bytes.length,
  snippet: null,
  section: null,
  bodyLine: null,
  score: null,
});
