/** Work in slices: a first index over a bucket that others filled, its bounds, and what an hourly comparison finds. */

import { expect, test } from "vitest";
import { bucketWith, memoryBucket, oncePerSecond } from "../../test/workerd/buckets.ts";
import { engineOn } from "../../test/workerd/edge-engine.ts";
import { dumpOf } from "../../test/index-dump.ts";
import { atOnce } from "../markdown/steps.ts";
import type { NotePath } from "../notebook/paths.ts";
import { openSql } from "../sqlite/node.ts";
import type { Sql } from "../sqlite/sql.ts";
import { forgetIndex } from "./engine.ts";
import type { Engine } from "./engine.ts";
import { LIMITS, workSlice } from "./work.ts";

const HOUR = 3_600_000;
/** A clock that a test moves on. */
const clockAt = (start = 1_700_000_000_000) => {
  let time = start;
  return { now: () => new Date(time), pass: (milliseconds: number) => void (time += milliseconds) };
};
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
  const { engine, calls } = engineOn(bucket, sql, clockAt(Date.now() + HOUR).now);
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
  const { now, pass } = clockAt();
  const { engine, calls } = engineOn(bucket, sql, now);
  expect(await workSlice(engine, calls)).toBe(HOUR);
  const before = calls();
  pass(HOUR - 1);
  expect([await workSlice(engine, calls), calls()]).toEqual([1, before]);
  pass(1);
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

/** The same engine, which tells what is read for each slice. */
const watchedSlices = (engine: Engine, bytesOf: (path: string) => number) => {
  const slices: { notes: number; bytes: number }[] = [];
  const refreshPaths: Engine["notebook"]["refreshPaths"] = async (paths, soFar) => {
    slices.push({ notes: paths.length, bytes: paths.reduce((sum, path) => sum + bytesOf(path), 0) });
    await engine.notebook.refreshPaths(paths, soFar);
  };
  return { slices, engine: { ...engine, notebook: { ...engine.notebook, refreshPaths } } };
};

test("a slice is of 64 notes and 1 MB at most", async () => {
  const bucket = await filled(200);
  for (let at = 0; at < 5; at++) await put(bucket, `long/n${at}.md`, `${"word ".repeat(80_000)}\n`);
  const { engine, calls } = engineOn(bucket, await openSql(":memory:"));
  const { slices, engine: watched } = watchedSlices(
    engine,
    (path) => bucket.objects.get(`w/notes/${path}`)!.bytes.length,
  );
  await workSlice(watched, calls);
  expect(engine.index.count()).toBe(205);
  expect(Math.max(...slices.map(({ notes }) => notes))).toBe(64);
  expect(
    slices.filter(({ bytes }) => bytes > 400_000).map(({ bytes }) => Math.floor(bytes / 400_000)),
  ).toEqual([2, 2, 1]);
  expect(Math.max(...slices.map(({ bytes }) => bytes))).toBeLessThanOrEqual(1024 * 1024);
  await engine.close();
});

test("an alarm ends after ten seconds, and after as many calls as it may make", async () => {
  const bucket = await filled(500);
  const sql = await openSql(":memory:");
  const { engine, calls } = engineOn(bucket, sql);
  let time = 0;
  const { slices, engine: watched } = watchedSlices(engine, () => 0);
  const refreshPaths: Engine["notebook"]["refreshPaths"] = async (paths, soFar) => {
    await watched.notebook.refreshPaths(paths, soFar);
    time += 4000;
  };
  const slow = { ...engine, notebook: { ...engine.notebook, refreshPaths } };
  expect(await workSlice(slow, calls, { ...LIMITS, clock: () => time })).toBe(0);
  expect(slices.map(({ notes }) => notes)).toEqual([64, 64, 64]);
  const before = calls();
  expect(await workSlice(engine, calls, { ...LIMITS, calls: 100 })).toBe(0);
  expect(calls() - before).toBe(64);
  await engine.close();
});

test("what waits for the bucket and what is not in the index yet share the calls of an alarm", async () => {
  const bucket = await filled(700);
  const sql = await openSql(":memory:");
  const first = engineOn(bucket, sql);
  await first.engine.store.alone(() =>
    first.engine.store.apply(
      Array.from({ length: 700 }, (_, at) => ({
        path: `more/m${at}.md` as NotePath,
        bytes: new TextEncoder().encode(`# More ${at}\n`),
      })),
    ),
  );
  expect(first.woken).toEqual([0]);
  await first.engine.close();
  const { engine, calls } = engineOn(bucket, sql);
  for (let last = calls(), next = 0; next === 0; last = calls()) {
    next = await workSlice(engine, calls);
    expect(calls() - last).toBeLessThanOrEqual(500);
  }
  expect([engine.index.count(), bucket.objects.size, engine.ledger.whole()]).toEqual([1400, 1400, true]);
  await engine.close();
});

test("the next alarm is for what waits for the bucket, where that comes before the next comparison", async () => {
  const { now } = clockAt();
  const bucket = oncePerSecond(await filled(3), () => now().getTime());
  const { engine, calls } = engineOn(bucket, await openSql(":memory:"), now);
  expect(await workSlice(engine, calls)).toBe(HOUR);
  for (const text of ["one", "two"])
    await engine.store.alone(() =>
      engine.store.apply([{ path: "a.md" as NotePath, bytes: new TextEncoder().encode(text) }]),
    );
  expect(await workSlice(engine, calls)).toBe(1100);
  await engine.close();
});

test("texts that the history does not hold yet are read for the first recording a part at a time", async () => {
  const bucket = await filled(1000);
  const sql = await openSql(":memory:");
  const { engine, calls } = engineOn(bucket, sql);
  const forgetful = { ...engine, history: { ...engine.history, holdAll: async () => undefined } };
  while (!engine.index.complete()) await workSlice(forgetful, calls);
  await engine.close();
  const again = engineOn(bucket, sql);
  let alarms = 0;
  for (let [last, next] = [again.calls(), 0]; next === 0; last = again.calls(), alarms++) {
    next = await workSlice(again.engine, again.calls);
    expect(again.calls() - last).toBeLessThanOrEqual(500);
  }
  expect([alarms > 1, again.engine.ledger.whole()]).toEqual([true, true]);
  expect((await again.engine.history.log({ limit: 3 })).map(({ message }) => message)).toEqual([
    "Record 1000 notes as found",
  ]);
  await again.engine.close();
});

test("where much is left after all was looked at, that begins anew, a minute later", async () => {
  const bucket = await filled(300);
  const sql = await openSql(":memory:");
  const { engine, calls } = engineOn(bucket, sql);
  for (let place = await engine.store.compare(null); place;) place = await engine.store.compare(place);
  engine.settings.set("place", { after: "zzz" });
  const before = calls();
  expect([await workSlice(engine, calls), calls() - before]).toEqual([60_000, 0]);
  await workSlice(engine, calls);
  expect([engine.index.complete(), engine.index.count()]).toEqual([true, 300]);
  await engine.close();
});

test("more notes than one request may read are looked at in alarms", async () => {
  const bucket = await filled(200);
  const sql = await openSql(":memory:");
  const { now, pass } = clockAt();
  const first = engineOn(bucket, sql, now);
  await workSlice(first.engine, first.calls);
  // The object is killed between the change and the index.
  await first.engine.store.alone(() =>
    first.engine.store.apply(
      Array.from({ length: 100 }, (_, at) => ({
        path: `new/n${at}.md` as NotePath,
        bytes: new TextEncoder().encode(`# New ${at}\n`),
      })),
    ),
  );
  await first.engine.close();
  const { engine, calls, woken } = engineOn(bucket, sql, now);
  await engine.store.flush();
  await engine.store.alone(async () => undefined);
  expect([engine.index.count(), woken, engine.settings.get("place")]).toEqual([200, [0], { after: "" }]);
  pass(1000);
  const before = calls();
  await workSlice(engine, calls);
  expect([engine.index.count(), calls() - before]).toEqual([300, 100]);
  await engine.close();
});

test("an index of another number drops what was made from the notes alone, and a comparison that was half-way begins anew", async () => {
  const bucket = await filled(80);
  const sql = await openSql(":memory:");
  const first = engineOn(bucket, sql);
  first.engine.settings.set("timeZone", "Europe/Berlin");
  await workSlice(first.engine, first.calls);
  const log = await first.engine.history.log({ limit: 9 });
  first.engine.settings.set("place", { after: "f5/n5.md" });
  await first.engine.close();
  const kept = () =>
    sql
      .all<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND (name LIKE 'r2!_%' ESCAPE '!' OR name LIKE 'git!_%' ESCAPE '!') ORDER BY name",
      )
      .map(({ name }) => [name, sql.all(`SELECT * FROM "${name}"`)]);
  const before = kept();
  expect(before.length).toBeGreaterThan(6);
  sql.run("UPDATE meta SET value = '1' WHERE name = 'schema'");
  const { engine, calls } = engineOn(bucket, sql);
  expect(kept()).toEqual(before);
  expect([engine.index.count(), engine.settings.get("timeZone")]).toEqual([0, "Europe/Berlin"]);
  expect([engine.settings.get("place"), engine.settings.get("compared")]).toEqual([null, null]);
  await workSlice(engine, calls);
  expect(engine.index.count()).toBe(80);
  expect((await engine.history.log({ limit: 9 })).map(({ id }) => id)).toEqual(log.map(({ id }) => id));
  await engine.close();
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
