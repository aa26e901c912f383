/** T7, the short form of each commit: another program saves the note that we edit. */

import { expect, test } from "vitest";
import { editorTest } from "./external.ts";
import { quickPlace } from "./faulty.ts";

// At the same time: most of it is waiting for what was replaced to be looked at again.
test.concurrent.each([
  ["in place", 0],
  ["rename", 0.2],
] as const)(
  "a program that saves by %s, 200 times a second, during 300 edits of ours",
  async (way, mayLose) => {
    const figures = await editorTest({ way, edits: 300, every: 5, place: quickPlace });
    const { median, most } = figures.window;
    console.log(
      `${way}: ${figures.saves} saves, ${figures.kept} met an edit and are kept, ${figures.lost.length} lost, ${figures.refused} edits refused, ${figures.copies} copies; window ${median.toFixed(0)} µs, at most ${most.toFixed(0)} µs`,
    );
    // A program that replaces the file in the window between our last look and our rename can lose its text; see the docs.
    expect(figures.lost.length).toBeLessThanOrEqual(mayLose * figures.saves);
    expect(figures.saves).toBeGreaterThan(20);
  },
  120_000,
);
