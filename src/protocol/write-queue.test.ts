import { expect, test } from "vitest";
import { openWriteQueue } from "./write-queue.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));

test("work in order begins when what came before has ended, also by failing", async () => {
  const { write } = openWriteQueue(10);
  const log: string[] = [];
  let release!: () => void;
  const first = write(async () => {
    await new Promise<void>((resolve) => (release = resolve));
    log.push("first");
    throw new Error("no");
  });
  const second = write(async () => log.push("second"));
  await settled();
  expect(log).toEqual([]);
  release();
  await expect(first).rejects.toThrow("no");
  await second;
  expect(log).toEqual(["first", "second"]);
});

test("work that is cancelled before its turn is let go at once, and the next still waits for those before", async () => {
  const { write } = openWriteQueue(3);
  const log: string[] = [];
  let release!: () => void;
  const first = write(() => new Promise<void>((resolve) => (release = resolve)));
  const controller = new AbortController();
  const second = write(async () => log.push("second"), controller.signal);
  const third = write(async () => log.push("third"));
  await settled();
  controller.abort(new Error("no"));
  await expect(second).rejects.toThrow("no");
  await settled();
  expect(log).toEqual([]);
  release();
  await Promise.all([first, third]);
  expect(log).toEqual(["third"]);
});

test("a read does not wait", async () => {
  const { read, write } = openWriteQueue(10);
  let release!: () => void;
  const slow = write(() => new Promise<void>((resolve) => (release = resolve)));
  expect(await read(async () => "read")).toBe("read");
  await settled();
  release();
  await slow;
});

test("above the limit calls are refused as busy, and taken again afterwards", async () => {
  const { read } = openWriteQueue(1);
  let release!: () => void;
  const slow = read(() => new Promise<void>((resolve) => (release = resolve)));
  await expect(read(async () => 1)).rejects.toMatchObject({ code: "busy" });
  release();
  await slow;
  expect(await read(async () => 1)).toBe(1);
});
