/** Hostile ground in full: every file of ours × whatever may stand there × every moment of a session. `NOTEWRIGHT_SOAK_PART=1/2` runs half of it. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { dice } from "../faults/dice.ts";
import { makeGround, playAll, type Ground } from "../ground/play.ts";
import { partOf, scaled, SEED, tell } from "./figures.ts";

let ground: Ground;
beforeAll(async () => {
  ground = await makeGround();
});
afterAll(() => ground.remove());

test("every case", async () => {
  const started = performance.now();
  const all = dice(SEED).shuffle(ground.cases);
  const chosen = partOf(all.slice(0, scaled(all.length)));
  const failed = await playAll(ground, chosen, { afterwards: () => true });
  const seconds = (performance.now() - started) / 1000;
  tell("Ground", { cases: chosen.length, all: all.length, failed, seconds, seed: SEED });
  expect(failed).toEqual([]);
});
