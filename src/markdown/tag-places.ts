/** Where tags stand in a note's text: the lines of those that are asked for, counted from 1 in the whole note. */

import { readFront } from "./frontmatter.ts";
import { readInline } from "./inline.ts";
import { readProse } from "./prose.ts";
import type { Steps } from "./steps.ts";

/** `isWanted` is asked of each tag as it is written; of each, at most so many lines are given. */
export function* tagLines(
  text: string,
  isWanted: (tag: string) => boolean,
  most: number,
): Steps<Map<string, number[]>> {
  const { front } = readFront(text);
  const places: { tag: string; at: number }[] = [];
  const counts = new Map<string, number>();
  const prose = yield* readProse(text, front.bodyStart, front.bodyLine);
  yield* readInline(prose, (tag, at) => {
    if (!isWanted(tag)) return;
    const count = counts.get(tag) ?? 0;
    counts.set(tag, count + 1);
    if (count < most) places.push({ tag, at });
  });
  const lines = new Map<string, number[]>();
  let line = 1;
  let newline = text.indexOf("\n");
  for (const { tag, at } of places.toSorted((a, b) => a.at - b.at)) {
    for (; newline >= 0 && newline < at; newline = text.indexOf("\n", newline + 1)) line++;
    const known = lines.get(tag) ?? [];
    if (known.at(-1) !== line) lines.set(tag, [...known, line]);
  }
  return lines;
}
