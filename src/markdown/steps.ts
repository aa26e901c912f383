/** Steps: long work that stops now and then, so that whoever does it may give others a turn. Each `yield` is a place to stop at; what comes of the work is what it returns. */

export type Steps<T> = Generator<void, T, void>;

/** All of it in one turn. */
export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
