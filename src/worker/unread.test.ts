/** A bucket that fails to give a note: in the first index, in the hourly comparison, and while an index is made anew. The note is read again, and answers say meanwhile that not all could be read. */

import { expect, test } from "vitest";
import { bucketWith, boundTo, memoryBucket } from "../../test/workerd/buckets.ts";
import { dumpOf } from "../../test/index-dump.ts";
import { engineOn } from "../../test/workerd/edge-engine.ts";
import type { NotePath } from "../notebook/paths.ts";
import { openSql } from "../sqlite/node.ts";
import type { Sql } from "../sqlite/sql.ts";
import type { Bucket } from "../stores/bucket.ts";
import { forgetIndex, type Engine } from "./engine.ts";
import { workSlice } from "./work.ts";

const LOST = "n7.md" as NotePath;
const KEY = `w/notes/${LOST}`;
const WHO = { client: "x", surface: "native", tool: "t", connection: "c" };

/** `fails` says of which keys a GET fails. */
const failingGets = async () => {
  const objects = memoryBucket();
  const texts = Array.from({ length: 60 }, (_, at) => [`n${at}.md`, `# Note ${at}\n\nword${at} [[n1]]\n`]);
  await bucketWith(objects, "w", Object.fromEntries(texts));
  const failing = new Set<string>();
  let gets = 0;
  const bucket: Bucket = {
    ...boundTo(objects),
    async get(key, how) {
      gets++;
      if (failing.has(key)) throw new Error("get: We encountered an internal error. (10001)");
      return objects.get(key, how);
    },
  };
  return { objects, bucket, failing, gets: () => gets, sql: await openSql(":memory:") };
};

/** By how much the clock is put forward: what could not be read is tried again five minutes later. */
let later = 0;
const openedOn = (bucket: Bucket, sql: Sql) => engineOn(bucket, sql, () => new Date(Date.now() + later));
const worked = async ({ engine, calls }: { engine: Engine; calls(): number }): Promise<void> => {
  later += engine.index.complete() && engine.index.unread() === 0 ? 3_600_000 : 300_000;
  while ((await workSlice(engine, calls)) === 0);
};
const found = async ({ notebook }: Engine, words: string) => {
  const { notes, partial, unread } = await notebook.find({ words }, { limit: 9, sort: "path" });
  return [notes.map(({ path }) => path), partial, unread ?? 0];
};

test("in a first index: it is found after the next comparison, and in the history", async () => {
  const { bucket, failing, gets, sql } = await failingGets();
  const it = openedOn(bucket, sql);
  failing.add(KEY);
  await worked(it);
  expect([it.engine.index.complete(), it.engine.index.count(), it.engine.ledger.whole()]).toEqual([
    true,
    60,
    true,
  ]);
  expect(await found(it.engine, "word7")).toEqual([[], true, 1]);
  await worked(it);
  expect(await found(it.engine, "word7")).toEqual([[], true, 1]);
  failing.clear();
  const before = gets();
  await worked(it);
  // What could be read is not read again.
  expect(gets() - before).toBe(1);
  expect(await found(it.engine, "word7")).toEqual([[LOST], false, 0]);
  const [last] = await it.engine.history.log({ path: LOST, limit: 2 });
  expect(last).toMatchObject({ author: "someone", changes: [{ path: LOST }] });
  await it.engine.close();
});

test("in an hourly comparison: what was last read is found, and the new text after the next", async () => {
  const { objects, bucket, failing, sql } = await failingGets();
  const it = openedOn(bucket, sql);
  await worked(it);
  objects.objects.delete(KEY);
  await bucketWith(objects, "w", { [LOST]: "# Another\n\nplums\n" });
  failing.add(KEY);
  await worked(it);
  expect(await found(it.engine, "word7")).toEqual([[LOST], true, 1]);
  failing.clear();
  await worked(it);
  expect(await found(it.engine, "plums")).toEqual([[LOST], false, 0]);
  expect(await found(it.engine, "word7")).toEqual([[], false, 0]);
  expect((await it.engine.history.log({ path: LOST, limit: 9 })).length).toBe(2);
  await it.engine.close();
});

test("while an index is made anew: whoever reads the note puts it in, else the next comparison does", async () => {
  for (const how of ["read", "comparison"]) {
    const { bucket, failing, sql } = await failingGets();
    const first = openedOn(bucket, sql);
    await worked(first);
    await first.engine.close();
    const whole = dumpOf(sql);
    forgetIndex(sql);
    const it = openedOn(bucket, sql);
    failing.add(KEY);
    await worked(it);
    expect(await found(it.engine, "word7")).toEqual([[], true, 1]);
    failing.clear();
    if (how === "read") await it.engine.notebook.as(WHO).read(LOST);
    else await worked(it);
    expect(await found(it.engine, "word7")).toEqual([[LOST], false, 0]);
    expect(dumpOf(sql)).toEqual(whole);
    await it.engine.close();
  }
});

test("a note that is never given is asked for once an hour, and holds nothing up", async () => {
  const { bucket, failing, gets, sql } = await failingGets();
  const it = openedOn(bucket, sql);
  await worked(it);
  await it.engine.close();
  failing.add(KEY);
  forgetIndex(sql);
  const again = openedOn(bucket, sql);
  await worked(again);
  const before = gets();
  for (let hour = 0; hour < 3; hour++) {
    await worked(again);
    for (let question = 0; question < 5; question++) await found(again.engine, "word7");
  }
  expect(gets() - before).toBeLessThanOrEqual(6);
  expect((await found(again.engine, "word8"))[0]).toEqual(["n8.md"]);
  await again.engine.close();
});
