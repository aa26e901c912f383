/** T7 in full: another program saves the note two hundred times a second during five thousand edits of ours. */

import { expect, test } from "vitest";
import { editorTest } from "../faults/external.ts";
import { quickPlace } from "../faults/faulty.ts";
import { scaled, tell } from "./figures.ts";

test.each(["in place", "rename"] as const)("by %s", async (way) => {
  const started = performance.now();
  const { window, ...figures } = await editorTest({ way, edits: scaled(5000), every: 5, place: quickPlace });
  tell(`T7, ${way}`, {
    ...figures,
    "window (µs, median)": window.median,
    "window (µs, most)": window.most,
    seconds: (performance.now() - started) / 1000,
  });
  if (way === "in place") expect(figures.lost).toEqual([]);
});
