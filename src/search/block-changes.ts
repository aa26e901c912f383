/** Which blocks of notes changed lately. Each change has a mark of its own: a cache that remembers a mark reads again only the blocks that changed after it. */

import type { Sql } from "../sqlite/sql.ts";

/** The newest change comes first. */
export type BlockChanges = readonly { mark: string; block: number }[];

const KEPT = 64;
const NAME = "changed blocks";

/** Called inside the transaction that changes the blocks. */
export function recordBlocks(sql: Sql, changed: readonly number[]): void {
  if (changed.length === 0) return;
  // A mark is random and no counter, because another index may be put in the place of this one.
  const { mark } = sql.get<{ mark: string }>("SELECT hex(randomblob(6)) AS mark")!;
  const newest = changed.map((block, at) => ({ mark: `${mark}${at}`, block }));
  const all = [...newest, ...blockChanges(sql)].slice(0, KEPT);
  // Where more blocks change at once than are kept, no older mark may be found: the blocks left out would seem unchanged.
  const kept = changed.length > KEPT ? all.slice(0, 1) : all;
  sql.run(
    "INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    NAME,
    JSON.stringify(kept),
  );
}

export function blockChanges(sql: Sql): BlockChanges {
  const row = sql.get<{ value: string }>("SELECT value FROM meta WHERE name = ?", NAME);
  return row ? (JSON.parse(row.value) as BlockChanges) : [];
}

export const newestMark = (changes: BlockChanges): string => changes[0]?.mark ?? "";

/** The blocks that changed after a mark; null where the mark is not known any more, so that everything may have changed. */
export function changedSince(changes: BlockChanges, mark: string): number[] | null {
  const at = changes.findIndex((each) => each.mark === mark);
  return at === -1 ? null : [...new Set(changes.slice(0, at).map(({ block }) => block))];
}
