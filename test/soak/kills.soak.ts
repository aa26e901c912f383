/** T3 in full: eight processes, two thousand writes each, a thousand kills; and the same from two pid namespaces (attack 41). */

import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { quickPlace } from "../faults/faulty.ts";
import { killTest, type Figures } from "../faults/processes/kills.ts";
import { scaled, SEED, tell } from "./figures.ts";

function judge(what: string, figures: Figures): void {
  tell(what, { ...figures, fsck: figures.fsck || "clean", seed: SEED });
  const { lost, twice, halfDone, torn, backwards, indexDiffers, fsck, merges, unrecorded, strays } = figures;
  expect({ lost, twice, halfDone, torn, backwards, indexDiffers, fsck, merges, unrecorded, strays }).toEqual({
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
}
const common = { notes: 200, durability: "fast", seed: SEED, place: quickPlace } as const;

test("a thousand kills", async () => {
  const plan = { ...common, processes: 8, writes: scaled(2000), kills: scaled(1000) };
  judge("T3", await killTest(plan));
});

const unshare = ["unshare", "--pid", "--fork", "--mount-proc", "--kill-child"];
function namespaces(): boolean {
  try {
    execFileSync(unshare[0]!, [...unshare.slice(1), "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

test("attack 41: from pid namespaces of their own, where every process has the same number", async (context) => {
  if (!namespaces()) context.skip("this machine does not let us make pid namespaces");
  const plan = { ...common, processes: 4, writes: scaled(500), kills: scaled(100), within: unshare };
  judge("T3 in pid namespaces", await killTest(plan));
});
