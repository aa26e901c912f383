/** Work in slices: a first index over a bucket that others filled, its bounds, and what an hourly comparison finds. */

import { expect, test } from "vitest";
import { bucketWith, memoryBucket } from "../../test/workerd/buckets.ts";
import { engineOn } from "../../test/workerd/edge-engine.ts";
import { dumpOf } from "../../test/index-dump.ts";
import { atOnce } from "../markdown/steps.ts";
import type { NotePath } from "../notebook/paths.ts";
import { openSql } from "../sqlite/node.ts";
import type { Sql } from "../sqlite/sql.ts";
import { forgetIndex } from "./engine.ts";
import { workSlice } from "./work.ts";

const HOUR = 3_600_000;
const put = (bucket: ReturnType<typeof memoryBucket>, path: string, text: string) => {
  bucket.objects.delete(`w/notes/${path}`);
  return bucket.put(`w/notes/${path}`, new TextEncoder().encode(text), {
    onlyIf: { etagDoesNotMatch: "*" },
    customMetadata: {},
  });
};
const filled = async (count: number) => {
  const bucket = memoryBucket();
  for (let at = 0; at < count; at++)
    await put(bucket, `f${at % 7}/n${at}.md`, `# Note ${at}\n\nword${at} [[n${(at * 3) % count}]]\n`);
  return bucket;
};

test("a first index is made in slices, each by another object, and every note is recorded once, read once", async () => {
  const bucket = await filled(1000);
  const sql: Sql = await openSql(":memory:");
  let [slices, all] = [0, 0];
  for (let next = 0; next === 0; slices++) {
    const { engine, calls } = engineOn(bucket, sql);
    if (slices === 1) {
      // Meanwhile answers are partial, and tell how far it has come.
      const found = atOnce(engine.index.find({ words: "note" }, { limit: 1, sort: "path" }));
      expect(found.partial).toBe(true);
      expect(engine.index.count()).toBeGreaterThan(300);
    }
    next = await workSlice(engine, calls);
    expect(calls()).toBeLessThanOrEqual(500);
    all += calls();
    await engine.close();
  }
  expect(slices).toBeGreaterThan(2);
  expect(all).toBeLessThan(1020);
  const { engine, calls } = engineOn(bucket, sql);
  expect([engine.index.complete(), engine.index.count(), engine.ledger.whole()]).toEqual([true, 1000, true]);
  expect((await engine.history.log({ limit: 10 })).map(({ message }) => message)).toEqual([
    "Record 1000 notes as found",
  ]);
  expect(await workSlice(engine, calls)).toBe(HOUR);
  expect(calls()).toBeLessThan(10);
});

test("canvases are read in slices, too, and other files not at all", async () => {
  const bucket = await filled(10);
  const texts = Array.from({ length: 900 }, (_, at) => [`c/${at}.canvas`, '{"nodes":[{"file":"f1/n1.md"}]}']);
  await bucketWith(bucket, "w", { ...Object.fromEntries(texts), "c/pic.png": "no note" });
  const sql: Sql = await openSql(":memory:");
  let all = 0;
  for (let next = 0; next === 0;) {
    const { engine, calls } = engineOn(bucket, sql);
    next = await workSlice(engine, calls);
    expect(calls()).toBeLessThanOrEqual(500);
    all += calls();
    await engine.close();
  }
  expect(all).toBeLessThan(930);
  const { engine } = engineOn(bucket, sql);
  expect(engine.index.attachments.canvases("unread")).toEqual([]);
  expect(engine.index.attachments.stamps().size).toBe(901);
  await engine.close();
});

test("an hourly comparison finds what came, changed and went, and records it", async () => {
  const bucket = await filled(50);
  const sql = await openSql(":memory:");
  const { engine, calls } = engineOn(bucket, sql);
  expect(await workSlice(engine, calls)).toBe(HOUR);
  await put(bucket, "f1/n1.md", "# Changed outside\n");
  await put(bucket, "new.md", "# New outside\n");
  bucket.objects.delete("w/notes/f2/n2.md");
  expect(await workSlice(engine, calls)).toBe(HOUR);
  const found = (words: string) =>
    atOnce(engine.index.find({ words }, { limit: 9, sort: "path" })).notes.map(({ path }) => path);
  expect(found("outside")).toEqual(["f1/n1.md", "new.md"]);
  expect(engine.index.stamp("f2/n2.md" as NotePath)).toBe(null);
  const log = await engine.history.log({ limit: 10 });
  expect(log.length).toBeGreaterThan(1);
  expect(log.every(({ author }) => author === "someone")).toBe(true);
  expect((await engine.history.blob((await engine.store.stat("new.md" as NotePath))!.stamp))?.length).toBe(
    14,
  );
});

test("an index that is made anew is the one there was; what is kept stays", async () => {
  const bucket = await filled(80);
  const sql = await openSql(":memory:");
  const first = engineOn(bucket, sql);
  await workSlice(first.engine, first.calls);
  const native = { client: "x", surface: "native", tool: "t", connection: "c" };
  await first.engine.notebook.as(native).write("f1/n1.md" as NotePath, "# Another\n");
  await first.engine.close();
  const [before, log] = [dumpOf(sql), await first.engine.history.log({ limit: 9 })];
  forgetIndex(sql);
  const again = engineOn(bucket, sql);
  expect(again.engine.index.complete()).toBe(false);
  await workSlice(again.engine, again.calls);
  expect(dumpOf(sql)).toEqual(before);
  expect((await again.engine.history.log({ limit: 9 })).map(({ id }) => id)).toEqual(log.map(({ id }) => id));
});
