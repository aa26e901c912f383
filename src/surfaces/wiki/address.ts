/** How this surface names notes: by path, without `.md`. New paths are plain; notes made elsewhere may have odder ones and can still be named. */

import { NoteError } from "../../markdown/errors.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { withoutEnding, type NotePath } from "../../notebook/paths.ts";
import { noteNamed } from "../naming.ts";

const PLAIN = /^[\p{L}\p{M}\p{N}_-]+(?:\/[\p{L}\p{M}\p{N}_-]+)*$/u;
const TAG = /^[\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}-]+(?:\/[\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}-]+)*$/u;

export const toWiki = (path: NotePath): string => withoutEnding(path);

export async function toNewPath(notebook: Notebook, written: string): Promise<NotePath> {
  const path = await noteNamed(notebook, written);
  if (PLAIN.test(toWiki(path))) return path;
  const reason = "is made of other characters than letters, digits, - and _";
  throw new NoteError(
    "path_refused",
    `The path "${toWiki(path)}" ${reason}. Give one such as "projects/wiki-ai/ideas".`,
    { path, reason },
  );
}

/** A tag is lower case: letters, digits, `-` and `/`. The refusal names all invalid ones together. */
export function checkTags(tags: readonly string[]): string[] {
  const clean = tags.map((tag) => tag.trim().toLowerCase().normalize("NFC"));
  const bad = tags.filter((_, at) => !TAG.test(clean[at]!));
  if (bad.length === 0) return [...new Set(clean)];
  throw new NoteError(
    "input_refused",
    `Invalid tags: ${bad.map((tag) => `"${tag}"`).join(", ")}. A tag is made of lower-case letters, digits, - and /.`,
    { tags: bad },
  );
}
