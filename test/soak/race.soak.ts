/** Attack 5 in full: a folder is swapped for a link for a minute. */

import { expect, test } from "vitest";
import { raceTest } from "../faults/race.ts";
import { scaled, SEED, tell } from "./figures.ts";

test("a minute of swaps", async () => {
  const figures = await raceTest(scaled(60), SEED);
  tell("Attack 5", { ...figures, seconds: scaled(60), seed: SEED });
  expect(figures.escapes).toEqual([]);
});
