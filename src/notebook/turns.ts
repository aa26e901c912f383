/** Turns: long work done a little at a time, so that whoever else is waiting is served in between. */

import type { Steps } from "../markdown/steps.ts";

/** Milliseconds that one piece of work may keep all others waiting. */
const TURN = 20;

/** Reading and asking the index never leave the turn they are in; this does. */
export const turnOfOthers = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Milliseconds that work in the background may keep a call waiting that comes meanwhile. */
export const BACKGROUND_TURN = 4;

/** To be called often: it waits only where the turn has gone on for long enough. */
export function breather(turn = TURN): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < turn) return;
    await turnOfOthers();
    since = performance.now();
  };
}

/** So long after a call another is likely. */
const CALLS_MS = 100;
/** How many times as long as its own turn work that nobody waits for leaves to calls then. */
const CALLS_SHARE = 3;

/** Gives others their turn, as `breather` does, in work that nobody waits for: its own turns are short, and far apart while calls come. `asked`: when the last one came. */
export function givingWay(asked: () => number): () => Promise<void> {
  let since = performance.now();
  return async () => {
    const now = performance.now();
    if (now - since < BACKGROUND_TURN) return;
    const rest = now - asked() < CALLS_MS ? CALLS_SHARE * BACKGROUND_TURN : 0;
    await new Promise((resolve) => setTimeout(resolve, rest));
    since = performance.now();
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
