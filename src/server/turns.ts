/** Turns: the writing calls of one connection, one after another in the order they came, and a bound on how many calls wait. */

import { NoteError } from "../markdown/errors.ts";

export type Turns = {
  /** Runs at once. */
  aside<T>(work: () => Promise<T>): Promise<T>;
  /** Runs when all that were given before have ended, however they ended. */
  inOrder<T>(work: () => Promise<T>): Promise<T>;
};

export const turns = (limit: number): Turns => {
  let open = 0;
  let last: Promise<unknown> = Promise.resolve();
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
    inOrder: (work) =>
      counted(() => {
        const turn = last.then(work);
        last = turn.catch(() => undefined);
        return turn;
      }),
  };
};
