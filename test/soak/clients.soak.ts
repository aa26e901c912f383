/** T4 in full: fifty thousand calls of clients on several servers, against what one copy of the notes could have answered. */

import { expect, test } from "vitest";
import { askAndRecord } from "../faults/clients.ts";
import { anomalies } from "../faults/recorded.ts";
import { scaled, SEED, tell } from "./figures.ts";

test("fifty thousand calls", async () => {
  const started = performance.now();
  const plan = { servers: 4, operations: scaled(50_000), atOnce: 4, notes: 100, seed: SEED };
  const { calls, final } = await askAndRecord(plan);
  const count = (kind: string) => calls.filter((call) => call.kind === kind).length;
  const stale = calls.filter(({ kind, acknowledged }) => kind === "replace" && !acknowledged).length;
  const found = anomalies(calls, final);
  tell("T4", {
    calls: calls.length,
    servers: plan.servers,
    appends: count("append"),
    reads: count("read"),
    replacements: count("replace"),
    stale,
    anomalies: found,
    seconds: (performance.now() - started) / 1000,
    seed: SEED,
  });
  expect(found).toEqual([]);
});
