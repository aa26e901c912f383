/** Similar names: the names most like a given one, by the letters and pairs of letters they share, so that a slip, a swap or a missing word still finds the note. */

import type { NotePath } from "../notebook/paths.ts";
import { linkKey } from "../notebook/resolve.ts";
import type { Sql } from "../sqlite/sql.ts";

/** This many names are compared: the answer to a mistake must not cost more than an answer. */
const LOOKED_AT = 50_000;
/** Two names that share less have nothing to do with each other. */
const LIKE = 0.5;
const LONGEST = 200;

export function similarNames(sql: Sql, name: string, limit: number): NotePath[] {
  const key = linkKey(name).slice(0, LONGEST);
  const wanted = featuresOf(key);
  const rows = sql.all<{ path: NotePath; name_key: string }>(
    "SELECT path, name_key FROM notes ORDER BY name_key, path LIMIT ?",
    LOOKED_AT,
  );
  return rows
    .map(({ path, name_key }) => ({ path, like: likeness(wanted, featuresOf(name_key.slice(0, LONGEST))) }))
    .filter(({ like }) => like >= LIKE)
    .toSorted((a, b) => b.like - a.like || (a.path < b.path ? -1 : 1))
    .slice(0, limit)
    .map(({ path }) => path);
}

/** A mark at either end makes the first and last letter count; single letters make short names comparable. */
function featuresOf(name: string): Set<string> {
  const marked = `^${name}$`;
  const features = new Set(name);
  for (let at = 0; at < marked.length - 1; at++) features.add(marked.slice(at, at + 2));
  return features;
}

/** It is 1 for equal names, 0 for names that have nothing in common. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let common = 0;
  for (const feature of a) if (b.has(feature)) common++;
  return (2 * common) / (a.size + b.size);
}
