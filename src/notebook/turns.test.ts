import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Steps } from "../markdown/steps.ts";
import { breather, givingWay, inTurns } from "./turns.ts";

const work = (milliseconds: number): void => {
  for (const end = performance.now() + milliseconds; performance.now() < end;);
};

test.each([
  ["calls come", () => performance.now()],
  ["nobody asks", () => Number.NEGATIVE_INFINITY],
])("work that nobody waits for lets others in every few milliseconds, also where %s", async (_, asked) => {
  let turns = 0;
  const others = setInterval(() => turns++, 1);
  const giveWay = givingWay(asked);
  for (let step = 0; step < 40; step++) {
    work(2);
    await giveWay();
  }
  clearInterval(others);
  expect(turns).toBeGreaterThanOrEqual(10);
});

test("two pieces of long work that take turns leave turns to what comes in", async () => {
  let looks = 0;
  let ended = false;
  // Node comes to this after it has looked at its input.
  const look = (): void => {
    looks++;
    if (!ended) setImmediate(look);
  };
  setImmediate(look);
  const long = async (): Promise<void> => {
    const breathe = breather();
    for (let step = 0; step < 20; step++) {
      work(21);
      await breathe();
    }
  };
  await Promise.all([long(), long()]);
  ended = true;
  expect(looks).toBeGreaterThanOrEqual(15);
});

test("it leaves most of the time to calls while they come", async () => {
  vi.useFakeTimers();
  try {
    const giveWay = givingWay(() => performance.now());
    const begun = performance.now();
    for (let turn = 0; turn < 10; turn++) {
      vi.advanceTimersByTime(4);
      const given = giveWay();
      await vi.runAllTimersAsync();
      await given;
    }
    expect(performance.now() - begun).toBeGreaterThanOrEqual(10 * 4 * 4);
  } finally {
    vi.useRealTimers();
  }
});

describe("where the clock stands still while code runs, others have a turn all the same", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["performance"] }));
  afterEach(() => void vi.useRealTimers());

  /** Turns that others have while 1,000 steps are taken. */
  async function turnsMeanwhile(work: (step: () => void) => Promise<unknown>): Promise<number> {
    let steps = 0;
    const turns = new Set<number>();
    const others = setInterval(() => turns.add(steps), 0);
    await work(() => steps++);
    clearInterval(others);
    expect(steps).toBe(1000);
    return turns.size;
  }
  const stepping = (breathe: () => Promise<void>) => async (step: () => void) => {
    for (let at = 0; at < 1000; at++) {
      step();
      await breathe();
    }
  };

  test.each([
    ["whoever waits for the work", () => stepping(breather())],
    ["nobody waits for it", () => stepping(givingWay(() => 0))],
    [
      "it is a generator",
      () => (step: () => void) =>
        inTurns(
          (function* (): Steps<void> {
            for (let at = 0; at < 1000; at++) yield step();
          })(),
        ),
    ],
  ])("%s", async (_, work) => {
    expect(await turnsMeanwhile(work())).toBeGreaterThanOrEqual(8);
  });
});
