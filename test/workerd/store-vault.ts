/** A store over a bucket that takes one write a second to a key, can be made to fail, and has a clock that a test sets. */

import { notePath } from "../../src/notebook/paths.ts";
import { openSql } from "../../src/sqlite/node.ts";
import { keyOf } from "../../src/stores/bucket.ts";
import { openR2, type R2Store } from "../../src/stores/r2.ts";
import { failingBucket, memoryBucket, oncePerSecond } from "./buckets.ts";

/** What a bucket does that is down. */
export const down = (): never => {
  throw new Error("internal error (10001)");
};

/** A store with its bucket, the calls it made, and what it was told of. */
export const vault = async () => {
  const bucket = memoryBucket();
  const seen: string[] = [];
  const later: number[] = [];
  let time = 1_700_000_000_000;
  const { bucket: watched, calls, failing } = failingBucket(oncePerSecond(bucket, () => time));
  const sql = await openSql(":memory:");
  const open = () =>
    openR2(watched, sql, {
      workspace: "w",
      now: () => new Date(time),
      seen: async (paths) => {
        seen.push(...paths);
        return true;
      },
      later: (milliseconds) => void later.push(milliseconds),
    });
  const store = open();
  const outside = (path: string, text: string) =>
    bucket.put(keyOf("w", path), new TextEncoder().encode(text), {
      onlyIf: { etagMatches: bucket.objects.get(keyOf("w", path))?.etag ?? "" },
      customMetadata: {},
    });
  const textIn = (key: string) => {
    const bytes = bucket.objects.get(key)?.bytes;
    return bytes ? new TextDecoder().decode(bytes) : null;
  };
  return {
    bucket,
    calls,
    seen,
    failing,
    sql,
    open,
    store,
    outside,
    textIn,
    later,
    pass: (ms: number) => void (time += ms),
    apply: (...puts: Parameters<R2Store["apply"]>[0][number][]) => store.alone(() => store.apply(puts)),
    text: async (path: string, from = store) =>
      new TextDecoder().decode((await from.read(notePath(path)))?.bytes),
    /** Until nothing waits: how many times it took. */
    flushAll: async (from = store) => {
      for (let times = 1; ; times++) {
        if (await from.flush()) return times;
        if (times > 100) throw new Error("it never ends");
        time += 1100;
      }
    },
  };
};
