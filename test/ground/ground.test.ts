/** Hostile ground: every file of ours × whatever may stand there × every moment of a session. A tenth of it for each commit, another one each time; all of it in the soak. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { commitSeed, dice } from "../faults/dice.ts";
import { share } from "../soak-size.ts";
import { makeGround, playAll, type Case, type Ground } from "./play.ts";

const SEED = commitSeed();
/** One of so many is also served again once the odd thing is gone. */
const AFTERWARDS = 5;
/** Cases that went wrong once. */
const KNOWN: Case[] = [{ place: "a guarded file", kind: "sparse", moment: "start" }];
let ground: Ground;
beforeAll(async () => {
  ground = await makeGround();
}, 60_000);
afterAll(() => ground.remove());

test(`some of all cases (seed ${SEED})`, { timeout: 600_000 }, async () => {
  const chosen = dice(SEED)
    .shuffle(ground.cases)
    .slice(0, share(Math.ceil(ground.cases.length / 10)));
  expect(
    await playAll(ground, [...KNOWN, ...chosen], { afterwards: (number) => number % AFTERWARDS === 0 }),
  ).toEqual([]);
});
