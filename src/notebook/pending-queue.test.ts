/** The queue of pending edits by itself: what is tried again, what holds back nothing else, and what is told. */

import { expect, onTestFinished, test, vi } from "vitest";
import { openPendingEdits } from "../index/pending-edits.ts";
import { NoteError } from "../markdown/errors.ts";
import { openSql } from "../sqlite/node.ts";
import type { FilePath } from "./paths.ts";
import { openQueue, TIMINGS } from "./pending-edits.ts";
import { noteOf } from "./suites/scribe.ts";

const MINUTE = 60_000;

test("what cannot be recorded is tried again in a while, and not without a pause", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const edits = openPendingEdits(await openSql(":memory:"));
  edits.saw("a.md" as FilePath, null, false, new Date(Date.now() - MINUTE));
  const tried = { elsewhere: 0, refused: 0 };
  const common = {
    edits,
    timings: TIMINGS,
    now: () => new Date(),
    look: async () => null,
    held: async () => "0".repeat(40),
    recordedElsewhere: () => undefined,
  };
  const queues = [
    // The folder is not the one it was.
    openQueue({ ...common, record: async () => true, alone: async () => void tried.elsewhere++ }),
    openQueue({
      ...common,
      record: async () => (tried.refused++, false),
      alone: (work) => work(),
    }),
  ];
  for (const queue of queues) queue.look();
  await vi.advanceTimersByTimeAsync(10 * TIMINGS.look + 1);
  expect(tried).toEqual({ elsewhere: 10, refused: 10 });
  for (const queue of queues) await queue.close();
});

test("a note that the disk fails to give stays pending, and the others are recorded", async () => {
  const edits = openPendingEdits(await openSql(":memory:"));
  const [good, bad] = ["z.md", "a.md"] as FilePath[];
  for (const path of [bad!, good!]) edits.saw(path, null, true, new Date(Date.now() - 2 * MINUTE));
  const recorded: string[] = [];
  const { bytes, version, modified } = noteOf("z.md", "New.\n");
  const queue = openQueue({
    edits,
    timings: TIMINGS,
    now: () => new Date(),
    alone: (work) => work(),
    async look(path) {
      if (path === bad) throw new NoteError("disk_failed", "The disk failed.");
      return { bytes, version, modified };
    },
    held: async () => "0".repeat(40),
    async record(seen) {
      recorded.push(...seen.map(({ path }) => path));
      return true;
    },
    recordedElsewhere: () => undefined,
  });
  await expect(queue.flush("due")).rejects.toMatchObject({ code: "disk_failed" });
  expect([recorded, edits.all().map(({ path }) => path)]).toEqual([[good], [bad]]);
  await queue.close();
});

test("what another process has written and recorded before it was seen here is told of", async () => {
  const edits = openPendingEdits(await openSql(":memory:"));
  const { bytes, version, modified } = noteOf("a.md", "New.\n");
  let told = 0;
  const queue = openQueue({
    edits,
    timings: TIMINGS,
    now: () => new Date(),
    alone: (work) => work(),
    look: async () => null,
    held: async (path) => (path === "a.md" ? version : null),
    record: async () => true,
    recordedElsewhere: () => void told++,
  });
  const after = { bytes, version, modified };
  await queue.saw([{ path: "b.md" as FilePath, after }], new Date());
  expect([told, edits.all().length]).toEqual([0, 1]);
  await queue.saw([{ path: "a.md" as FilePath, after }], new Date());
  expect([told, edits.all().length]).toEqual([1, 1]);
  await queue.close();
});
