import { expect, test } from "vitest";
import { turns } from "./write-queue.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("work in order begins when what came before has ended, also by failing", async () => {
  const { inOrder } = turns(10);
  const log: string[] = [];
  let release!: () => void;
  const first = inOrder(async () => {
    await new Promise<void>((resolve) => (release = resolve));
    log.push("first");
    throw new Error("no");
  });
  const second = inOrder(async () => log.push("second"));
  await settled();
  expect(log).toEqual([]);
  release();
  await expect(first).rejects.toThrow("no");
  await second;
  expect(log).toEqual(["first", "second"]);
});

test("work that is cancelled before its turn is let go at once, and the next still waits for those before", async () => {
  const { inOrder } = turns(3);
  const log: string[] = [];
  let release!: () => void;
  const first = inOrder(() => new Promise<void>((resolve) => (release = resolve)));
  const controller = new AbortController();
  const second = inOrder(async () => log.push("second"), controller.signal);
  const third = inOrder(async () => log.push("third"));
  await settled();
  controller.abort(new Error("no"));
  await expect(second).rejects.toThrow("no");
  await settled();
  expect(log).toEqual([]);
  release();
  await Promise.all([first, third]);
  expect(log).toEqual(["third"]);
});

test("work aside does not wait", async () => {
  const { aside, inOrder } = turns(10);
  let release!: () => void;
  const slow = inOrder(() => new Promise<void>((resolve) => (release = resolve)));
  expect(await aside(async () => "read")).toBe("read");
  await settled();
  release();
  await slow;
});

test("above the limit calls are refused as busy, and taken again afterwards", async () => {
  const { aside } = turns(1);
  let release!: () => void;
  const slow = aside(() => new Promise<void>((resolve) => (release = resolve)));
  await expect(aside(async () => 1)).rejects.toMatchObject({ code: "busy" });
  release();
  await slow;
  expect(await aside(async () => 1)).toBe(1);
});
