/** Turns: long work done a little at a time, so that whoever else is waiting is served in between. */

import type { Steps } from "../markdown/steps.ts";

/** Milliseconds that one piece of work may keep all others waiting. */
const TURN = 20;

/** Reading and asking the index never leave the turn they are in; this does. */
export const turnOfOthers = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** To be called often: it waits only where the turn has gone on for long enough. */
export function breather(): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN) return;
    await turnOfOthers();
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
