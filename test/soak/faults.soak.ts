/** T1 in full: every fault at every mutating system call of every writing tool, each once taken over by a fresh process and once by a live peer. `NOTEWRIGHT_SOAK_PART=1/2` runs half of it. */

import { afterAll, beforeAll, test } from "vitest";
import { dice } from "../faults/dice.ts";
import { FAULTS } from "../faults/faulty.ts";
import { makeGrounds, runPoints, type Grounds } from "../faults/grounds.ts";
import type { Point } from "../faults/point.ts";
import { CALLS } from "../faults/tools.ts";
import { partOf, scaled, SEED, tell } from "./figures.ts";

let grounds: Grounds;
beforeAll(async () => {
  grounds = await makeGrounds();
});
afterAll(() => grounds.remove());

test("every point", async () => {
  let points = 0;
  let all = 0;
  const started = performance.now();
  for (const call of CALLS) {
    const { ground, count } = await grounds.of(call);
    const here = Array.from({ length: count }, (_, at) =>
      FAULTS.flatMap((fault) => [true, false].map((peer): Point => ({ call, at, fault, peer }))),
    ).flat();
    all += here.length;
    const chosen = partOf(dice(SEED).shuffle(here).slice(0, scaled(here.length)));
    await runPoints(ground, chosen);
    points += chosen.length;
  }
  const seconds = (performance.now() - started) / 1000;
  tell("T1", { points, all, torn: 0, halfDone: 0, acknowledgedLost: 0, strays: 0, seconds, seed: SEED });
});
