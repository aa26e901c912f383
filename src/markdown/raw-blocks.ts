/** Obsidian's own blocks, which CommonMark does not know: `%%` comments and `$$` formulas that run over lines. */

import { seeker } from "./characters.ts";

export type RawMark = "%%" | "$$";

/**
 * Tells whether the line from `at` to `end` opens such a block: it begins with the mark, and the next one stands on a later
 * line. In a paragraph (of that extent) where one is still open, it is the end of that instead.
 */
export function rawBlockReader(
  text: string,
): (mark: RawMark, at: number, end: number, paragraph: { start: number; end: number } | null) => boolean {
  const next = { "%%": seeker(text, "%%"), $$: seeker(text, "$$") };
  // Counted on from the last time: a paragraph with many such lines must not be counted from its beginning for each.
  const tallies = { "%%": { paragraph: -1, at: 0, count: 0 }, $$: { paragraph: -1, at: 0, count: 0 } };
  return (mark, at, end, paragraph) => {
    if (!text.startsWith(mark, at)) return false;
    const following = next[mark](at + 2);
    if (following < end || following === Infinity) return false;
    if (!paragraph) return true;
    const tally = tallies[mark];
    if (tally.paragraph !== paragraph.start) {
      tally.paragraph = tally.at = paragraph.start;
      tally.count = 0;
    }
    for (let i = text.indexOf(mark, tally.at); i < paragraph.end; i = text.indexOf(mark, tally.at)) {
      tally.count++;
      tally.at = i + 2;
    }
    return tally.count % 2 === 0;
  };
}
