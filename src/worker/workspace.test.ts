/** The object of a workspace, as a class: when its alarm rings, what it does then, and when it is set again. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { bucketWith, failingBucket, memoryBucket, oncePerSecond } from "../../test/workerd/buckets.ts";
import { objectState, workspaceOn, type OpenWorkspace } from "../../test/workerd/object-state.ts";
import { atOnce } from "../markdown/steps.ts";
import { notePath } from "../notebook/paths.ts";
import { openSettings } from "./settings.ts";
import { durableSql } from "../sqlite/durable.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NATIVE = { client: "x", surface: "native", tool: "t", connection: "c" };

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_700_000_000_000 }));
afterEach(() => void vi.useRealTimers());
const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);

/** A workspace of a hundred notes and more, in the index and recorded. */
const opened = async () => {
  const texts = Array.from({ length: 100 }, (_, at) => [`f/n${at}.md`, `# Note ${at}\n`]);
  const memory = await bucketWith(memoryBucket(), "w", Object.fromEntries(texts));
  const { bucket, calls, failing } = failingBucket(oncePerSecond(memory));
  const { state, alarms, quiet } = await objectState();
  openSettings(durableSql(state.storage)).set("workspace", "w");
  const open = () => workspaceOn(state, bucket);
  let workspace = open();
  const engine = () => workspace.engineOf("w");
  /** The alarm rings, if it is due; gives the milliseconds until the next. */
  const ring = async (): Promise<number> => {
    if (alarms.at! <= Date.now()) {
      alarms.at = null;
      await workspace.alarm();
    }
    await quiet();
    return alarms.at! - Date.now();
  };
  engine();
  await quiet();
  // The alarm from the beginning of the first index finds nothing to do.
  pass(MINUTE);
  await ring();
  const compared = Date.now() - MINUTE;
  calls.length = 0;
  return {
    /** Milliseconds until the bucket is to be compared. */
    left: () => compared + HOUR - Date.now(),
    memory,
    calls,
    failing,
    state,
    alarms,
    quiet,
    ring,
    engine,
    it: (): OpenWorkspace => workspace,
    anew: () => void (workspace = open()),
    append: (line: string) =>
      engine()
        .notebook.as(NATIVE)
        .edit([{ path: notePath("f/n1.md"), edits: [(text) => `${text}${line}\n`] }]),
    found: (words: string) =>
      atOnce(engine().index.find({ words }, { limit: 9, sort: "path" })).notes.map(({ path }) => path),
  };
};

test("two appends in a second are brought in by one alarm, which does not compare the bucket; the next compares it an hour after the last", async () => {
  const { append, alarms, calls, ring, memory, quiet, left } = await opened();
  expect(alarms.at! - Date.now()).toBe(left());
  await append("one");
  await append("two");
  await quiet();
  expect(alarms.at! - Date.now()).toBe(1100);
  calls.length = 0;
  pass(1100);
  expect(await ring()).toBe(left());
  expect(calls).toEqual(["put w/notes/f/n1.md"]);
  expect(new TextDecoder().decode(memory.objects.get("w/notes/f/n1.md")!.bytes)).toBe("# Note 1\none\ntwo\n");
  pass(left());
  calls.length = 0;
  expect(await ring()).toBe(HOUR);
  expect(calls.filter((call) => call === "list")).toHaveLength(4);
});

test("a key that the bucket refuses lets the object sleep longer each time", async () => {
  const { append, failing, ring, calls, it, alarms } = await opened();
  await append("one");
  failing.set("put", () => {
    throw new Error("internal error (10001)");
  });
  await append("two");
  const waits: number[] = [];
  for (let times = 0; times < 12; times++) {
    pass(alarms.at! - Date.now());
    calls.length = 0;
    waits.push(await ring());
    // Whoever is idle for a minute is shut.
    if (waits.at(-1)! > MINUTE) await it().end();
  }
  expect(waits.slice(0, 4)).toEqual([2200, 4400, 8800, 17_600]);
  expect(waits.at(-1)).toBe(10 * MINUTE);
  expect(calls.length).toBeLessThanOrEqual(2);
});

test("a text that begins to wait while a slice is at work is brought in a second later, and not in an hour", async () => {
  const { append, failing, ring } = await opened();
  let appended = false;
  // The store is busy while it compares, so what comes then waits for its turn: two at once do not hold each other up.
  failing.set("list", (done) => {
    if (!appended) void Promise.all([append("one"), append("two")]);
    appended = true;
    return done();
  });
  pass(HOUR);
  expect(await ring()).toBeLessThanOrEqual(1100);
  pass(1100);
  expect(await ring()).toBe(HOUR - 1100);
});

test("whoever opens a workspace finds its alarm set, or sets it", async () => {
  const { it, anew, alarms, engine, quiet, state, left } = await opened();
  await it().end();
  pass(10 * MINUTE);
  const before = alarms.set;
  anew();
  engine();
  await quiet();
  expect(alarms.set).toBe(before);
  await it().end();
  alarms.at = null;
  anew();
  engine();
  await quiet();
  expect(alarms.at! - Date.now()).toBe(left());
  await it().end();
  // One that is late is not put off.
  alarms.at = Date.now() - 5;
  anew();
  engine();
  await quiet();
  expect(await state.storage.getAlarm()).toBe(Date.now() - 5);
});

test("a first index has an alarm from its beginning, and goes on at once", async () => {
  const texts = Array.from({ length: 700 }, (_, at) => [`n${at}.md`, `# Note ${at}\n`]);
  const bucket = await bucketWith(memoryBucket(), "w", Object.fromEntries(texts));
  const { state, alarms, quiet } = await objectState();
  const engine = workspaceOn(state, bucket).engineOf("w");
  await Promise.resolve();
  await new Promise((done) => setTimeout(done, 5));
  expect([engine.index.complete(), alarms.at! - Date.now()]).toEqual([false, MINUTE]);
  await quiet();
  expect([engine.index.complete(), alarms.at! - Date.now()]).toEqual([false, 0]);
});

test("what fails is tried again in a minute", async () => {
  const { failing, ring, append, found } = await opened();
  vi.spyOn(console, "error").mockImplementationOnce(() => undefined);
  failing.set("list", () => {
    throw new Error("internal error (10001)");
  });
  pass(HOUR);
  expect(await ring()).toBe(MINUTE);
  failing.clear();
  await append("oasis");
  pass(MINUTE);
  expect(await ring()).toBe(HOUR);
  expect(found("oasis")).toEqual(["f/n1.md"]);
});

test("an index that is made anew finds at once what another program put into the bucket", async () => {
  const { it, memory, ring, found, engine, quiet, left } = await opened();
  await bucketWith(memory, "w", { "theirs.md": "# Oasis\n" });
  pass(MINUTE);
  expect([await ring(), found("oasis")]).toEqual([left(), []]);
  await it().rebuildIndex();
  engine();
  await quiet();
  while ((await ring()) === 0);
  expect([found("oasis"), engine().index.count()]).toEqual([["theirs.md"], 101]);
});

test("a first recording that an earlier life of the object has begun goes on as soon as somebody opens it", async () => {
  const { it, anew, engine, state, quiet } = await opened();
  await it().end();
  durableSql(state.storage).run("UPDATE recorded SET whole = 0");
  anew();
  expect(engine().ledger.whole()).toBe(false);
  await quiet();
  expect(engine().ledger.whole()).toBe(true);
});
