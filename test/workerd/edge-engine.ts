/** An engine of a workspace over a bucket and a database that can be made to fail: after that nothing more is done, as if the object had been killed. */

import { openEngine, type Engine } from "../../src/worker/engine.ts";
import { countedBucket } from "../../src/stores/counted-bucket.ts";
import type { Bucket } from "../../src/stores/bucket.ts";
import type { Sql } from "../../src/sqlite/sql.ts";
import { boundTo } from "./buckets.ts";

/** A call fails before it is made, or after it was made and nobody hears of it. */
export type Fault = { at: number; how: "before" | "after" };

const killed = (): Error => new Error("the object was killed");

/** Counts the calls to both, and fails the one that is asked for and all after it. */
export const dying = (bucket: Bucket, sql: Sql, fault: Fault | null) => {
  let calls = 0;
  let dead = false;
  const around = <T>(work: () => T): T => {
    if (dead) throw killed();
    if (calls++ !== fault?.at) return work();
    dead = true;
    if (fault.how === "before") throw killed();
    const done = work();
    if (!(done instanceof Promise)) throw killed();
    return done.then(() => Promise.reject(killed())) as T;
  };
  const calling = boundTo(bucket);
  return {
    calls: () => calls,
    isDead: () => dead,
    bucket: {
      head: async (key) => around(() => calling.head(key)),
      get: async (key, how) => around(() => calling.get(key, how)),
      put: async (...args) => around(() => calling.put(...args)),
      delete: async (key) => around(() => calling.delete(key)),
      list: async (how) => around(() => calling.list(how)),
    } satisfies Bucket,
    sql: {
      ...sql,
      exec: (text) => around(() => sql.exec(text)),
      all: <T>(text: string, ...values: Parameters<Sql["all"]>[1][]) =>
        around(() => sql.all<T>(text, ...values)),
      get: <T>(text: string, ...values: Parameters<Sql["get"]>[1][]) =>
        around(() => sql.get<T>(text, ...values)),
      run: (text, ...values) => around(() => sql.run(text, ...values)),
      close: () => undefined,
    } satisfies Sql,
  };
};

export const engineOn = (
  bucket: Bucket,
  sql: Sql,
  now = () => new Date(),
): { engine: Engine; calls(): number; woken: number[] } => {
  const counted = countedBucket(bucket);
  const woken: number[] = [];
  const engine = openEngine({
    sql: { ...sql, close: () => undefined },
    bucket: counted.bucket,
    workspace: "w",
    now,
    wake: (milliseconds) => void woken.push(milliseconds),
    report: () => undefined,
  });
  return { engine, calls: counted.calls, woken };
};
