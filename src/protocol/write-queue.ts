/** The write queue of a session: its writing calls run one after another, in the order they came, and only so many calls are under way at once. */

import { NoteError } from "../markdown/errors.ts";

export type WriteQueue = {
  /** Runs at once. */
  read<T>(work: () => Promise<T>): Promise<T>;
  /** Runs when every write before it has ended, however it ended. A write that is cancelled while it waits is let go at once. */
  write<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
};

/** `limit` is how many calls may be under way, those that wait among them. */
export const openWriteQueue = (limit: number): WriteQueue => {
  let underWay = 0;
  let last: Promise<void> = Promise.resolve();
  const counted = async <T>(start: () => Promise<T>): Promise<T> => {
    if (underWay >= limit)
      throw new NoteError(
        "busy",
        `${limit} calls of this connection are still under way. Wait for some answers, then ask again.`,
      );
    underWay++;
    try {
      return await start();
    } finally {
      underWay--;
    }
  };
  return {
    read: counted,
    write: (work, signal) =>
      counted(async () => {
        const before = last;
        let end!: () => void;
        last = new Promise<void>((resolve) => (end = resolve));
        try {
          await unlessAborted(before, signal);
          return await work();
        } finally {
          // After a cancelled write, too, the next one waits for those before it.
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
