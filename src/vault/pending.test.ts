import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { notePath } from "../notebook/paths.ts";
import { pendingChanges } from "./pending.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A look takes so many milliseconds, and is written down when it begins. */
const opened = (milliseconds: number) => {
  const looks: { at: number; folders: string[]; notes: string[] }[] = [];
  const pending = pendingChanges(async (folders, notes) => {
    looks.push({ at: performance.now(), folders, notes });
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  });
  return { pending, looks };
};

test("what comes together is looked at together, a moment later", async () => {
  const { pending, looks } = opened(1);
  expect(pending.flush()).toBe(null);
  pending.folder("a");
  pending.folder("b");
  pending.folder("a");
  pending.note(notePath("c.md"));
  await vi.advanceTimersByTimeAsync(19);
  expect(looks).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(looks).toMatchObject([{ folders: ["a", "b"], notes: ["c.md"] }]);
});

test("a folder that never stands still is looked at for a fifth of the time at most", async () => {
  const { pending, looks } = opened(100);
  const churn = setInterval(() => pending.folder("a"), 1);
  await vi.advanceTimersByTimeAsync(10_000);
  clearInterval(churn);
  expect(looks.length).toBeGreaterThan(15);
  expect(looks.length).toBeLessThanOrEqual(20);
});

test("a look that takes very long is still followed by another soon", async () => {
  const { pending, looks } = opened(5000);
  const churn = setInterval(() => pending.folder("a"), 1);
  await vi.advanceTimersByTimeAsync(15_000);
  clearInterval(churn);
  expect(looks.map(({ at }) => Math.round((at - looks[0]!.at) / 1000))).toEqual([0, 7, 14]);
});

test("whoever waits learns when what was pending then has been looked at, whatever comes later", async () => {
  const { pending, looks } = opened(100);
  const churn = setInterval(() => pending.folder("later"), 1);
  pending.folder("known");
  let done = false;
  void pending.flush()!.then(() => (done = true));
  await vi.advanceTimersByTimeAsync(101);
  expect(done).toBe(true);
  expect(looks[0]!.folders).toContain("known");
  // The next one waits for a rest as long as the look was, not for four.
  await vi.advanceTimersByTimeAsync(10);
  done = false;
  void pending.flush()!.then(() => (done = true));
  await vi.advanceTimersByTimeAsync(200);
  expect(done).toBe(true);
  clearInterval(churn);
});

test("many notes become their folders, so that what is pending stays small", async () => {
  const { pending, looks } = opened(1);
  for (let number = 0; number < 10_000; number++) pending.note(notePath(`f${number % 3}/n${number}.md`));
  await vi.advanceTimersByTimeAsync(50);
  const [{ folders, notes }] = looks as [(typeof looks)[0]];
  expect(folders.toSorted()).toEqual(["f0", "f1", "f2"]);
  expect(notes.length).toBeLessThanOrEqual(1000);
});

test("the notes of one change that rewrites many links are looked at one by one, not with all that their folders hold", async () => {
  const { pending, looks } = opened(1);
  const changed = Array.from({ length: 200 }, (_, number) => notePath(`f${number}/n.md`));
  for (const path of changed) pending.note(path);
  await vi.advanceTimersByTimeAsync(50);
  expect(looks).toMatchObject([{ folders: [], notes: changed }]);
});

test("closing ends what waits, and begins nothing more", async () => {
  const { pending, looks } = opened(100);
  pending.folder("a");
  const waiting = pending.flush();
  const closed = pending.close();
  await waiting;
  await closed;
  pending.folder("b");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(looks).toEqual([]);
});
