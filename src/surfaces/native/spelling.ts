/** Other spellings of a path that callers use: a wikilink, the URI of a resource, a slash in front, the whole path on the machine. */

import { NoteError } from "../../markdown/errors.ts";
import type { Notebook } from "../../notebook/notebook.ts";

const URI = "note:///";

/** A name in plain spelling, as a path or handle; one that has no other spelling stays as it is. */
export function plainName(written: string, { places }: Pick<Notebook, "places">): string {
  const text = written.trim();
  const link = /^!?\[\[([^\]|]+)(?:\|[^\]]*)?\]\]$/.exec(text);
  if (link) return link[1]!.trim().replace(/\\$/, "");
  if (text.startsWith(URI)) return fromUri(text.slice(URI.length));
  const slashed = text.replaceAll("\\", "/");
  const place = places.find((one) => slashed.startsWith(`${one.replaceAll("\\", "/").replace(/\/$/, "")}/`));
  if (place !== undefined) return slashed.slice(place.replace(/[\\/]$/, "").length + 1);
  return text.replace(/^(?:\.?\/)+(?=[^/])/, "");
}

function fromUri(rest: string): string {
  try {
    return rest.split("#").map(decodeURIComponent).join("#");
  } catch {
    throw new NoteError("input_refused", "That URI is not well formed. Give the note's path.");
  }
}

/** A folder as a reader may write it: `/` and `.` are the vault itself. */
export function plainFolder(written: string, notebook: Pick<Notebook, "places">): string {
  if (/^\s*(?:\/|\.\/?)?\s*$/.test(written)) return "";
  const { places } = notebook;
  if (places.some((place) => written.replace(/\/$/, "") === place.replace(/\/$/, ""))) return "";
  return plainName(written, notebook);
}
