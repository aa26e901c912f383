/** What the index keeps of a note's tags: a row for each, and one for whatever they lie below (decision 20). */

import type { Note } from "../notebook/note.ts";
import { fold } from "../notebook/resolve.ts";
import type { SqlValue } from "../sqlite/sql.ts";

/** Nobody writes more tags by hand; a note made to choke the index stops here. */
export const TAG_LIMIT = 5_000;
/** Nobody nests tags deeper. */
const LEVELS = 32;

/** How a note has a key, added up: it has a tag there or below, there, there in its fields, there or below in its fields. */
export const WAYS = { below: 1, own: 2, inFields: 4, belowInFields: 8 };

/** Rows of tag, key, path, ways, in_fields, in_body. Where a tag is written in two ways, the first row has the ways of both, the other has none. */
export function tagRows(path: string, { fields, inline }: Note["tags"]): SqlValue[][] {
  const [inFields, inBody] = [new Set(fields.slice(0, TAG_LIMIT)), new Set(inline.slice(0, TAG_LIMIT))];
  const tags = new Map(Array.from(new Set([...inFields, ...inBody]), (tag) => [tag, fold(tag)]));
  const ways = new Map<string, number>();
  const add = (key: string, way: number) => ways.set(key, (ways.get(key) ?? 0) | way);
  for (const [tag, key] of tags) {
    const here = inFields.has(tag);
    add(key, WAYS.below | WAYS.own | (here ? WAYS.inFields | WAYS.belowInFields : 0));
  }
  const most = ways.size + TAG_LIMIT;
  for (const [tag, key] of tags)
    for (const above of keysAbove(key))
      if (ways.size < most || ways.has(above))
        add(above, WAYS.below | (inFields.has(tag) ? WAYS.belowInFields : 0));
  const rows = [...tags].map(([tag, key]): SqlValue[] => {
    const way = ways.get(key) ?? 0;
    ways.delete(key);
    return [tag, key, path, way, Number(inFields.has(tag)), Number(inBody.has(tag))];
  });
  for (const [key, way] of ways) if (!tags.has(key)) rows.push([key, key, path, way, 0, 0]);
  return rows;
}

/** `a/b/c` lies below `a` and `a/b`. */
function keysAbove(key: string): string[] {
  const above: string[] = [];
  for (let at = key.indexOf("/"); at !== -1 && above.length < LEVELS; at = key.indexOf("/", at + 1))
    above.push(key.slice(0, at));
  return above;
}
