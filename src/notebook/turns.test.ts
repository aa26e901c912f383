import { expect, test, vi } from "vitest";
import { givingWay } from "./turns.ts";

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
