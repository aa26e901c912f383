/** The titles of all notes, kept in memory: it takes no time to see whether any of them holds a piece of text. Only blocks that changed are read again. */

import { blockChanges, changedSince, newestMark } from "../search/block-changes.ts";
import { BLOCK } from "../search/postings.ts";
import type { Sql } from "../sqlite/sql.ts";

/** Longer titles are not kept: the index is asked whether they hold something. */
const KEPT = 200;
/** Where more notes are found, it is quicker to scan the index than to use a list of them. */
const MOST = 1000;

/** One block of notes: their titles with a NUL between, where each begins, and whose it is; and the notes of long ones. */
type Block = { text: string; starts: number[]; ids: number[]; long: number[] };
type Cache = { mark: string; blocks: Map<number, Block> };

/** The notes whose title holds it; null where they are very many. `part` is folded as titles are. */
export type Titled = (part: string) => number[] | null;

export function openTitles(sql: Sql): Titled {
  let known: Cache | null = null;
  return (part) => {
    known = broughtUpToDate(sql, known);
    return holding(sql, known, part);
  };
}

function holding(sql: Sql, cache: Cache, part: string): number[] | null {
  const found: number[] = [];
  const long: number[] = [];
  // The index holds no NUL either: it has U+FFFD in its place.
  const sought = part.replaceAll("\0", "\ufffd");
  for (const block of cache.blocks.values()) {
    for (const id of block.long) long.push(id);
    for (let at = block.text.indexOf(sought); at >= 0;) {
      const which = titleAt(block.starts, at);
      found.push(block.ids[which]!);
      const next = block.starts[which + 1];
      at = next === undefined ? -1 : block.text.indexOf(sought, next);
    }
    if (found.length > MOST) return null;
  }
  if (long.length > 0)
    for (const { id } of sql.all<{ id: number }>(AMONG, JSON.stringify(long), sought)) found.push(id);
  return found;
}

const AMONG =
  "SELECT n.id FROM json_each(?) j JOIN notes n ON n.id = j.value WHERE instr(n.title_key, ?) > 0";

function titleAt(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= at) low = middle;
    else high = middle;
  }
  return low;
}

function broughtUpToDate(sql: Sql, known: Cache | null): Cache {
  const changes = blockChanges(sql);
  const changed = known && changedSince(changes, known.mark);
  const cache: Cache = known && changed ? known : { mark: "", blocks: new Map() };
  cache.mark = newestMark(changes);
  for (const block of changed ?? allBlocks(sql)) cache.blocks.set(block, readBlock(sql, block));
  return cache;
}

function allBlocks(sql: Sql): number[] {
  const last = sql.get<{ id: number | null }>("SELECT max(id) AS id FROM notes")?.id ?? -1;
  return Array.from({ length: Math.floor(last / BLOCK) + 1 }, (_, block) => block);
}

const TITLES = `SELECT json_group_array(json_array(id, substr(title_key, 1, ${KEPT + 1}))) AS rows FROM notes WHERE id >= ? AND id < ?`;

function readBlock(sql: Sql, number: number): Block {
  const { rows } = sql.get<{ rows: string }>(TITLES, number * BLOCK, (number + 1) * BLOCK)!;
  const block: Block = { text: "", starts: [], ids: [], long: [] };
  const texts: string[] = [];
  let at = 0;
  for (const [id, title] of JSON.parse(rows) as [number, string][]) {
    if (title.length > KEPT) {
      block.long.push(id);
      continue;
    }
    block.starts.push(at);
    block.ids.push(id);
    texts.push(title);
    at += title.length + 1;
  }
  block.text = texts.join("\0");
  return block;
}
