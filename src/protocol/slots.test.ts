import { expect, test } from "vitest";
import { openSlots } from "./slots.ts";

const settled = () => new Promise((resolve) => setImmediate(resolve));
const now = () => null;
/** Work that ends when it is told to. */
const work = () => {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const it = { begun: false, end, run: async () => ((it.begun = true), ended) };
  return it;
};

test("so many run at once, the rest in the order they came", async () => {
  const slots = openSlots({ calls: 2, bytes: 10 }, now);
  const all = [work(), work(), work(), work()];
  const done = all.map((one) => slots.open().run(one.run));
  await settled();
  expect(all.map((one) => one.begun)).toEqual([true, true, false, false]);
  all[1]!.end();
  await settled();
  expect(all.map((one) => one.begun)).toEqual([true, true, true, false]);
  for (const one of all) one.end();
  await Promise.all(done);
});

test("a call that waits for something else holds no slot, and has one again afterwards", async () => {
  const slots = openSlots({ calls: 1, bytes: 10 }, now);
  const [index, other, after] = [work(), work(), work()];
  const waiting = slots.open();
  const done = waiting.run(async () => {
    await waiting.resting(index.run);
    await after.run();
  });
  const beside = slots.open().run(other.run);
  await settled();
  expect([index.begun, other.begun]).toEqual([true, true]);
  index.end();
  await settled();
  expect(after.begun).toBe(false);
  other.end();
  await settled();
  expect(after.begun).toBe(true);
  after.end();
  await Promise.all([done, beside]);
});

test("one call at a time holds more than its share of memory; the others wait without a slot", async () => {
  const slots = openSlots({ calls: 2, bytes: 10 }, now);
  const held: string[] = [];
  const reader = (name: string, bytes: number, end: Promise<void>) => {
    const slot = slots.open();
    return slot.run(async () => {
      await slot.memory.take(bytes);
      held.push(name);
      await end;
    });
  };
  const [first, second] = [work(), work()];
  const nothing = Promise.resolve();
  const done = [
    reader("large", 11, first.run()),
    reader("also large", 11, second.run()),
    reader("small", 10, nothing),
    reader("small too", 10, nothing),
  ];
  await settled();
  expect(held).toEqual(["large", "small", "small too"]);
  first.end();
  await settled();
  expect(held.at(-1)).toBe("also large");
  second.end();
  await Promise.all(done);
});

test("what was dropped counts no more", async () => {
  const slots = openSlots({ calls: 2, bytes: 10 }, now);
  const [one, other] = [slots.open(), slots.open()];
  const never = one.run(() => new Promise<void>(() => undefined));
  void never;
  expect(one.memory.take(11)).toBeNull();
  one.memory.drop();
  expect(other.memory.take(11)).toBeNull();
});

test("nothing begins while answers wait to be read", async () => {
  let room!: () => void;
  const slots = openSlots({ calls: 2, bytes: 10 }, () => new Promise<void>((resolve) => (room = resolve)));
  const one = work();
  const done = slots.open().run(one.run);
  await settled();
  expect(one.begun).toBe(false);
  room();
  await settled();
  expect(one.begun).toBe(true);
  one.end();
  await done;
});

test("a call that is cancelled while it waits is let go, and takes no slot", async () => {
  const slots = openSlots({ calls: 1, bytes: 10 }, now);
  const [first, second, third] = [work(), work(), work()];
  const controller = new AbortController();
  const done = slots.open().run(first.run);
  const cancelled = slots.open(controller.signal).run(second.run);
  const last = slots.open().run(third.run);
  await settled();
  controller.abort(new Error("no"));
  await expect(cancelled).rejects.toThrow("no");
  first.end();
  await settled();
  expect([second.begun, third.begun]).toEqual([false, true]);
  third.end();
  await Promise.all([done, last]);
});

test("one that is cancelled while it rests leaves the slot to others", async () => {
  const slots = openSlots({ calls: 1, bytes: 10 }, now);
  const controller = new AbortController();
  const resting = slots.open(controller.signal);
  const index = work();
  const done = resting.run(() => resting.resting(index.run));
  await settled();
  const other = work();
  const beside = slots.open().run(other.run);
  await settled();
  controller.abort(new Error("no"));
  index.end();
  await expect(done).rejects.toThrow("no");
  other.end();
  await beside;
  const next = work();
  const last = slots.open().run(next.run);
  await settled();
  expect(next.begun).toBe(true);
  next.end();
  await last;
});
