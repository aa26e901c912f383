/** T2 in full: ten thousand disks that a power cut may leave. */

import { expect, test } from "vitest";
import { powerTest } from "../faults/power.ts";
import { scaled, SEED, tell } from "./figures.ts";

test.each([
  ["full", 10_000],
  ["fast", 2000],
] as const)("durability %s", async (durability, states) => {
  const started = performance.now();
  const figures = await powerTest({ durability, wanted: scaled(states * 3), seed: SEED, wholeEvery: 10 });
  tell(`T2, durability ${durability}`, {
    ...figures,
    seconds: (performance.now() - started) / 1000,
    seed: SEED,
  });
  expect(figures.wrong).toEqual([]);
});
