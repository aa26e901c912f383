/** Mixing: the notes that have the words and the notes that are near in meaning are put in one order (decision 12). */

import type { Near } from "../notebook/vectors.ts";
import type { Ranking } from "./rank.ts";
import type { Sql } from "../sqlite/sql.ts";

/** These were measured with tests of retrieval (docs/SEARCH.md): words tell more than meaning, and the best hundred of each are enough. */
const BY_WORDS = 0.7;
const BY_MEANING = 0.3;
const MIXED = 100;

/** `mayCome` says whether a note that has none of the words may be listed. Gives how many of those are. */
export function mix(ranking: Ranking, near: readonly Near[], mayCome: (id: number) => boolean): number {
  const having = ranking.among(new Set(near.map(({ note }) => note)));
  const taken = near.filter(({ note }) => having.has(note) || mayCome(note)).slice(0, MIXED);
  const lexical = ranking.head.slice(0, MIXED);
  const scores = new Map<number, number>();
  const add = (ids: readonly number[], numbers: readonly number[], least: number, share: number): void => {
    const most = Math.max(...numbers);
    ids.forEach((id, at) => {
      const part = most > least ? (numbers[at]! - least) / (most - least) : 1;
      scores.set(id, (scores.get(id) ?? 0) + share * part);
    });
  };
  const fits = lexical.map((id) => ranking.best.get(id)!.score);
  // Where few have the words, all others have none: the last of the few is not the least of all.
  add(lexical, fits, lexical.length < MIXED ? 0 : Math.min(...fits), BY_WORDS);
  const likeness = taken.map((each) => each.likeness);
  add(
    taken.map(({ note }) => note),
    likeness,
    Math.min(...likeness),
    BY_MEANING,
  );
  for (const { note, chunk } of taken)
    if (!ranking.best.has(note)) ranking.best.set(note, { score: 0, chunk });
  // Where two scores are equal, the order of before stays, and notes with the words come first.
  const mixed = [...scores.keys()].toSorted((a, b) => scores.get(b)! - scores.get(a)!);
  ranking.head = [...mixed, ...ranking.head.filter((id) => !scores.has(id))];
  return taken.filter(({ note }) => !having.has(note)).length;
}

/** Leaves out what was near to a note that has changed since. */
export function unchanged(sql: Sql, near: readonly Near[]): Near[] {
  const versions = new Map(
    sql
      .all<{ id: number; version: string }>(
        "SELECT id, version FROM notes WHERE id IN (SELECT value FROM json_each(?))",
        JSON.stringify(near.map(({ note }) => note)),
      )
      .map(({ id, version }) => [id, version]),
  );
  return near.filter(({ note, version }) => versions.get(note) === version);
}
