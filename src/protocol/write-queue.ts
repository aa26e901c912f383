/** Turns: the writing calls of one connection, one after another in the order they came, and a bound on how many calls wait. */

import { NoteError } from "../markdown/errors.ts";

export type Turns = {
  /** Runs at once. */
  aside<T>(work: () => Promise<T>): Promise<T>;
  /** Runs when all that were given before have ended, however they ended. One that is cancelled before is let go at once. */
  inOrder<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
};

export const turns = (limit: number): Turns => {
  let open = 0;
  let last: Promise<void> = Promise.resolve();
  const counted = async <T>(start: () => Promise<T>): Promise<T> => {
    if (open >= limit)
      throw new NoteError(
        "busy",
        `${limit} calls of this connection are still under way. Wait for some answers, then ask again.`,
      );
    open++;
    try {
      return await start();
    } finally {
      open--;
    }
  };
  return {
    aside: counted,
    inOrder: (work, signal) =>
      counted(async () => {
        const before = last;
        let end!: () => void;
        last = new Promise<void>((resolve) => (end = resolve));
        try {
          await unlessAborted(before, signal);
          return await work();
        } finally {
          // After a cancelled call, too, the next waits for those before it.
          void before.then(end);
        }
      }),
  };
};

const unlessAborted = async (wait: Promise<void>, signal?: AbortSignal): Promise<void> => {
  if (!signal) return wait;
  signal.throwIfAborted();
  let cancel = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => (cancel = () => reject(signal.reason as Error)));
  signal.addEventListener("abort", cancel);
  await Promise.race([wait, aborted]).finally(() => signal.removeEventListener("abort", cancel));
  signal.throwIfAborted();
};
