/** Which blocks of notes changed lately, each change with a mark of its own: who remembers a mark reads again only what came after it. */

import type { Sql } from "../sqlite/sql.ts";

/** The newest first. */
export type Marks = readonly { mark: string; block: number }[];

const KEPT = 64;
const NAME = "changed blocks";

/** Inside the transaction that changes them. */
export function markBlocks(sql: Sql, changed: readonly number[]): void {
  if (changed.length === 0) return;
  // By chance, not by counting: another index may be put in the place of this one.
  const { mark } = sql.get<{ mark: string }>("SELECT hex(randomblob(6)) AS mark")!;
  const fresh = changed.map((block, at) => ({ mark: `${mark}${at}`, block }));
  const marks = [...fresh, ...marksIn(sql)].slice(0, KEPT);
  // More at once than are kept: nobody may believe that the others are as they were.
  const kept = changed.length > KEPT ? marks.slice(0, 1) : marks;
  sql.run(
    "INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    NAME,
    JSON.stringify(kept),
  );
}

export function marksIn(sql: Sql): Marks {
  const row = sql.get<{ value: string }>("SELECT value FROM meta WHERE name = ?", NAME);
  return row ? (JSON.parse(row.value) as Marks) : [];
}

export const newestMark = (marks: Marks): string => marks[0]?.mark ?? "";

/** Null where the mark is not known any more, so that everything may have changed. */
export function changedSince(marks: Marks, mark: string): number[] | null {
  const at = marks.findIndex((each) => each.mark === mark);
  return at === -1 ? null : [...new Set(marks.slice(0, at).map(({ block }) => block))];
}
