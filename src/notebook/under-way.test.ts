import { expect, test } from "vitest";
import { looksAfter, underWay } from "./under-way.ts";

/** A promise, and what ends it. */
function pending<T>(): { promise: Promise<T>; end(value: T): void } {
  let end!: (value: T) => void;
  const promise = new Promise<T>((resolve) => (end = resolve));
  return { promise, end };
}

test("what is under way is waited for, also where it fails", async () => {
  const work = underWay();
  const failing = pending<void>();
  const failed = work.counted(failing.promise.then(() => Promise.reject(new Error("it failed"))));
  let ended = false;
  const waiting = work.ended().then(() => (ended = true));
  await Promise.resolve();
  expect(ended).toBe(false);
  failing.end();
  await expect(failed).rejects.toThrow("it failed");
  await waiting;
});

test("a look waits for a change that is under way; one that still waits when the notebook closes never begins", async () => {
  const writing = underWay();
  const change = pending<void>();
  void writing.counted(change.promise);
  const looks = looksAfter(writing);
  let begun = 0;
  const look = looks.begin(() => Promise.resolve(++begun), 0);
  const closed = looks.close();
  change.end();
  expect(await look).toBe(0);
  await closed;
  expect(begun).toBe(0);
});

test("closing waits for a look that has begun", async () => {
  const looks = looksAfter(underWay());
  const reading = pending<string>();
  const begun = pending<void>();
  const look = looks.begin(() => {
    begun.end();
    return reading.promise;
  }, "closed");
  await begun.promise;
  let closed = false;
  const closing = looks.close().then(() => (closed = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(closed).toBe(false);
  reading.end("read");
  expect(await look).toBe("read");
  await closing;
});
