/** Headings as they are found: plain numbers, since a hostile note has a million, made into values when somebody asks for them. */

import { isBlank, nextLine } from "./line-bounds.ts";
import type { Heading } from "./sections.ts";

export type HeadingList = {
  text: string;
  /** Four numbers for each: where it starts, where its words begin and end, and its line with the rest. In several lists, since one of millions would be copied again and again as it grows. */
  blocks: number[][];
  /** What of a setext heading the text alone does not show, by where it starts. */
  setext: Map<number, { end: number; words: string }> | null;
};

const SIZE = 4;
const BLOCK = SIZE * 4096;
/** The line is multiplied by this; then comes whether it is nested, and its level. */
const MARKS = 16;
const NESTED = 8;

export const headingList = (text: string): HeadingList => ({ text, blocks: [[]], setext: null });

/** What both kinds have. */
type Found = { level: number; nested: boolean; line: number; start: number };

/** `from` and `to`: where its words stand. */
export function addAtx({ blocks }: HeadingList, found: Found, from: number, to: number): void {
  let block = blocks.at(-1)!;
  if (block.length === BLOCK) blocks.push((block = []));
  block.push(found.start, from, to, found.line * MARKS + (found.nested ? NESTED : 0) + found.level);
}

export function addSetext(list: HeadingList, found: Found, end: number, words: string): void {
  (list.setext ??= new Map()).set(found.start, { end, words });
  addAtx(list, found, found.start, found.start + words.length);
}

type Visit = (block: readonly number[], at: number) => boolean;

/** From one of them on, until `visit` says that it is enough; gives how many there are before that. */
function walk({ blocks }: HeadingList, from: number, visit: Visit): number {
  for (let number = from; ; number++) {
    const block = blocks[Math.floor((number * SIZE) / BLOCK)];
    const at = (number * SIZE) % BLOCK;
    if (!block || at >= block.length || visit(block, at)) return number;
  }
}

const isOwn: Visit = (block, at) => block[at + 3]! % MARKS < NESTED;

function headingAt({ text, setext }: HeadingList, block: readonly number[], at: number): Heading {
  const [start, to, marks] = [block[at]!, block[at + 2]!, block[at + 3]!];
  const other = setext?.get(start);
  return {
    level: marks % NESTED,
    text: other ? other.words : text.slice(block[at + 1], to),
    kind: other ? "setext" : "atx",
    nested: !isOwn(block, at),
    line: Math.floor(marks / MARKS),
    start,
    end: other ? other.end : nextLine(text, to),
  };
}

export function allHeadings(list: HeadingList): Heading[] {
  const headings: Heading[] = [];
  walk(list, 0, (block, at) => {
    headings.push(headingAt(list, block, at));
    return false;
  });
  return headings;
}

/** How many are not inside quotes and lists: those rule sections. */
export function countOwn(list: HeadingList): number {
  let count = 0;
  walk(list, 0, (block, at) => {
    if (isOwn(block, at)) count++;
    return false;
  });
  return count;
}

/** As many of those from the first; and where, behind them, the next of a level or a higher one begins. */
export function firstOwn(
  list: HeadingList,
  count: number,
): { headings: Heading[]; nextStart(level: number): number | null } {
  const headings: Heading[] = [];
  const end = walk(list, 0, (block, at) => {
    if (headings.length === count) return true;
    if (isOwn(block, at)) headings.push(headingAt(list, block, at));
    return false;
  });
  const nextStart = (level: number): number | null => {
    let start: number | null = null;
    walk(list, end, (block, at) => {
      const found = isOwn(block, at) && block[at + 3]! % NESTED <= level;
      if (found) start = block[at]!;
      return found;
    });
    return start;
  };
  return { headings, nextStart };
}

/** The words of the heading that begins the body: of level 1, with nothing but blank lines before it. */
export function leadingWords(list: HeadingList, bodyStart: number): string | null {
  const block = list.blocks[0]!;
  if (block.length === 0 || !isOwn(block, 0) || block[3]! % NESTED !== 1) return null;
  if (!isBlank(list.text, bodyStart, block[0]!)) return null;
  return headingAt(list, block, 0).text || null;
}
