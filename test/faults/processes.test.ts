/** T3, the short form of each commit: processes on one vault that are killed at any moment. The long one is in the soak. */

import { expect, test } from "vitest";
import { share } from "../soak-size.ts";
import { commitSeed } from "./dice.ts";
import { quickPlace } from "./faulty.ts";
import { killTest } from "./processes/kills.ts";

const KILLS = share(60);

test("processes are killed while they write: nothing promised is lost, nothing is torn, nothing is left", async () => {
  const { seconds, longestWait, acknowledged, revisions, ...found } = await killTest({
    processes: 4,
    writes: share(250),
    notes: 40,
    kills: KILLS,
    durability: "fast",
    seed: commitSeed(),
    place: quickPlace,
  });
  console.log(
    `${found.kills} kills, ${acknowledged} writes, ${revisions} revisions, longest wait for the lock ${longestWait.toFixed(0)} ms, ${seconds.toFixed(1)} s (seed ${commitSeed()})`,
  );
  expect(found).toEqual({
    kills: KILLS,
    lost: [],
    twice: [],
    halfDone: [],
    torn: [],
    backwards: [],
    indexDiffers: [],
    fsck: "",
    merges: 0,
    unrecorded: [],
    strays: [],
  });
  expect(acknowledged).toBeGreaterThan(share(500));
  expect(revisions).toBeGreaterThanOrEqual(acknowledged);
}, 300_000);
