/** Turns: long work done a little at a time, so that whoever else is waiting is served in between. */

import type { Steps } from "../markdown/steps.ts";

/** Milliseconds that one piece of work may keep all others waiting. */
const TURN = 20;

/** A timer that fires so many milliseconds after it was set was due while other work had its turn. */
const LATE = 3;

/**
 * Reading and asking the index never leave the turn they are in; this does. A timer that fires late is followed by another: while two pieces of long work take turns,
 * the timer of the one is due when the turn of the other ends, and Node runs all timers that are due before it looks at its input.
 */
export const turnOfOthers = (): Promise<void> =>
  new Promise((resolve) => {
    const since = performance.now();
    setTimeout(() => (performance.now() - since < LATE ? resolve() : void setTimeout(resolve)));
  });

/** Milliseconds that work in the background may keep a call waiting that comes meanwhile. */
export const BACKGROUND_TURN = 4;

/** Steps that end a turn where the clock stands still, as it does on Cloudflare while code runs. A step takes about a millisecond at most. */
const STEPS = 64;

/** One turn after another of some work. `isOver` is asked after each step. Steps count only while the clock stands still: where it runs, many of them are done in a millisecond. */
function openTurns(milliseconds: number, steps: number): { isOver(): boolean; begin(): void } {
  let since = performance.now();
  let last = since;
  let done = 0;
  return {
    isOver() {
      const now = performance.now();
      done = now === last ? done + 1 : 0;
      last = now;
      return done >= steps || now - since >= milliseconds;
    },
    begin() {
      since = performance.now();
      last = since;
      done = 0;
    },
  };
}

/** To be called after each step of long work: it waits only where the turn has gone on for long enough, by the clock or by its steps. Who takes smaller steps gives more of them. */
export function breather(milliseconds = TURN, steps = STEPS): () => Promise<void> {
  const turn = openTurns(milliseconds, steps);
  return async () => {
    if (!turn.isOver()) return;
    await turnOfOthers();
    turn.begin();
  };
}

/** So long after a call another is likely. */
const CALLS_MS = 100;
/** How many times as long as its own turn work that nobody waits for leaves to calls then. */
const CALLS_SHARE = 3;

/** Gives others their turn, as `breather` does, in work that nobody waits for: its own turns are short, and far apart while calls come. `asked`: when the last one came. */
export function givingWay(asked: () => number): () => Promise<void> {
  const turn = openTurns(BACKGROUND_TURN, STEPS);
  return async () => {
    if (!turn.isOver()) return;
    const rest = performance.now() - asked() < CALLS_MS ? CALLS_SHARE * BACKGROUND_TURN : 0;
    await new Promise((resolve) => setTimeout(resolve, rest));
    turn.begin();
  };
}

export async function inTurns<T>(steps: Steps<T>): Promise<T> {
  const breathe = breather();
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await breathe();
  }
}
