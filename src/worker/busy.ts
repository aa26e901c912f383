/** Who is at work in an object: counted, so that what has been idle for a while is shut, and nothing is shut under anybody's hands (decision 31). */

export type Busy = {
  /** Somebody is at work until the function that it gives is called. */
  begin(): () => void;
  /** Resolves when nobody is at work any more, or has had so many milliseconds to end. */
  quiet(limit: number): Promise<void>;
};

/** `idle` is called when nobody has been at work for so many milliseconds. */
export const openBusy = (idle: () => void, milliseconds: number): Busy => {
  let count = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waiting = new Set<() => void>();
  return {
    begin() {
      count++;
      clearTimeout(timer);
      return () => {
        if (--count > 0) return;
        for (const done of waiting) done();
        timer = setTimeout(idle, milliseconds);
      };
    },
    quiet: (limit) =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(late);
          waiting.delete(done);
          resolve();
        };
        const late = setTimeout(done, limit);
        if (count === 0) done();
        else waiting.add(done);
      }),
  };
};
