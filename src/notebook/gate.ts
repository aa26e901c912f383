/** A gate: lets in so many at once, the others in the order they came. */

export type Gate = {
  /** False where it is full. */
  tryEnter(): boolean;
  full(): boolean;
  /** Rejects where the signal says so before there is a place. */
  enter(signal?: AbortSignal): Promise<void>;
  /** The place is handed on, so that nobody who comes now is let in before those who wait. */
  leave(): void;
};

export const gate = (places: number): Gate => {
  let free = places;
  const waiting = new Set<() => void>();
  const tryEnter = (): boolean => {
    if (free === 0) return false;
    free--;
    return true;
  };
  return {
    tryEnter,
    full: () => free === 0,
    async enter(signal?: AbortSignal): Promise<void> {
      signal?.throwIfAborted();
      if (tryEnter()) return;
      let cancel = (): void => undefined;
      await new Promise<void>((resolve, reject) => {
        waiting.add(resolve);
        cancel = () => {
          // Where it was let in meanwhile it is too late.
          if (waiting.delete(resolve)) reject(signal!.reason);
        };
        signal?.addEventListener("abort", cancel);
      }).finally(() => signal?.removeEventListener("abort", cancel));
    },
    leave(): void {
      const [next] = waiting;
      if (!next) return void free++;
      waiting.delete(next);
      next();
    },
  };
};
