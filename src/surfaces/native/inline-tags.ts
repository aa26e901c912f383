/** Tags that remove_tags leaves, because they stand in the text and not in the fields: which, and on which lines. */

import { tagLines } from "../../markdown/tag-places.ts";
import type { Change } from "../../notebook/change.ts";
import { fold } from "../../notebook/resolve.ts";
import { inTurns } from "../../notebook/turns.ts";
import { plural } from "./say.ts";

/** The most notes that are named, and the most lines of each tag. */
const SHOWN = 20;

export type TagsLeft = { sentences: string[]; data: { tags_in_text?: object[] } };

/** `removed`: the tags that were to go, for each change; as they were given, with or without `#`. */
export async function tagsLeft(
  changes: readonly Change[],
  removed: readonly (readonly string[])[],
): Promise<TagsLeft> {
  const found: { note: string; tag: string; lines: number[] }[] = [];
  let notes = 0;
  for (const [at, { path, after }] of changes.entries()) {
    const wanted = new Set((removed[at] ?? []).map((tag) => fold(tag.replace(/^#+/, ""))));
    const isWanted = (tag: string): boolean => wanted.has(fold(tag));
    if (!after?.text || !after.tags.inline.some(isWanted)) continue;
    if (++notes > SHOWN) continue;
    for (const [tag, lines] of await inTurns(tagLines(after.text, isWanted, SHOWN)))
      found.push({ note: path, tag, lines });
  }
  if (notes === 0) return { sentences: [], data: {} };
  const places = found.map(
    ({ note, tag, lines }) => `#${tag} in ${note}, line${lines.length > 1 ? "s" : ""} ${lines.join(", ")}`,
  );
  const more = notes > SHOWN ? `; and in ${plural(notes - SHOWN, "more note")}` : "";
  return {
    sentences: [
      `remove_tags takes tags out of the fields. These stand in the text and stay: ${places.join("; ")}${more}. replace_text changes the text.`,
    ],
    data: { tags_in_text: found },
  };
}
