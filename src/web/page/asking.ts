/** Asking again for what is shown, one call at a time: whatever happens while one is under way, or soon after it began, is one more question and not one each. */

/** Milliseconds between the beginnings of two calls that events ask for. */
export const PAUSE = 250;

export type Asking = {
  /** Asks as soon as nothing is under way; ends when that is answered. */
  again(): Promise<void>;
  /** Something happened that may change the answer. `besides`: what is asked for besides then. */
  heard(besides: object): void;
  stop(): void;
};

/** `ask` takes its own refusals. */
export const openAsking = (ask: (besides: object) => Promise<void>): Asking => {
  let next: { besides: object; waiting: (() => void)[] } | null = null;
  let isUnderWay = false;
  let isOver = false;
  let begun = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const begin = async (): Promise<void> => {
    const { besides, waiting } = next!;
    next = null;
    isUnderWay = true;
    begun = performance.now();
    await ask(besides);
    isUnderWay = false;
    for (const go of waiting) go();
    plan();
  };
  const plan = (): void => {
    clearTimeout(timer);
    if (!next || isUnderWay || isOver) return;
    const wait = next.waiting.length > 0 ? 0 : begun + PAUSE - performance.now();
    if (wait > 0) timer = setTimeout(() => void begin(), wait);
    else void begin();
  };
  return {
    again: () =>
      new Promise((go) => {
        if (isOver) return go();
        next = { besides: {}, waiting: [...(next?.waiting ?? []), go] };
        plan();
      }),
    heard(besides) {
      next ??= { besides, waiting: [] };
      plan();
    },
    stop() {
      isOver = true;
      clearTimeout(timer);
      for (const go of next?.waiting ?? []) go();
      next = null;
    },
  };
};
