import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openAsking, PAUSE } from "./asking.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A server that takes its time, and a page that shows its last answer. */
const served = (takes: number) => {
  const state = { now: 0, shown: -1, calls: 0, atOnce: 0, besides: [] as object[] };
  let underWay = 0;
  const asking = openAsking(async (besides) => {
    state.calls++;
    state.besides.push(besides);
    state.atOnce = Math.max(state.atOnce, ++underWay);
    const answer = state.now;
    await new Promise((done) => setTimeout(done, takes));
    underWay--;
    state.shown = answer;
  });
  return { state, asking };
};

test.each([
  ["a quick server", 2],
  ["a slow server", 900],
])(
  "a burst of 200 changes is few calls, one at a time, and the last state is shown: %s",
  async (_, takes) => {
    const { state, asking } = served(takes);
    void asking.again();
    for (let change = 1; change <= 200; change++) {
      state.now = change;
      asking.heard({});
      await vi.advanceTimersByTimeAsync(5);
    }
    await vi.advanceTimersByTimeAsync(2 * takes + PAUSE);
    expect(state.shown).toBe(200);
    expect(state.atOnce).toBe(1);
    expect(state.calls).toBeLessThan(8);
  },
);

test("a change after a quiet time is asked for at once; what a person asks for waits for no pause", async () => {
  const { state, asking } = served(2);
  void asking.again();
  await vi.advanceTimersByTimeAsync(PAUSE);
  asking.heard({ again: true });
  expect(state.calls).toBe(2);
  await vi.advanceTimersByTimeAsync(2);
  asking.heard({ again: true });
  expect(state.calls).toBe(2);
  let isAnswered = false;
  void asking.again().then(() => (isAnswered = true));
  expect(state.calls).toBe(3);
  await vi.advanceTimersByTimeAsync(2);
  expect(isAnswered).toBe(true);
  expect(state.besides).toEqual([{}, { again: true }, {}]);
});

test("nothing is asked once it is over, and nobody waits for ever", async () => {
  const { state, asking } = served(2);
  void asking.again();
  const waits = asking.again();
  asking.stop();
  await waits;
  await asking.again();
  await vi.advanceTimersByTimeAsync(PAUSE);
  expect(state.calls).toBe(1);
});
