/** Troubles of a vault that a person can act on, kept for clients that want log lines. A trouble is a sentence of ours: it names no note and holds no text of one. */

export type Trouble = { what: string; at: Date };
export type Troubles = {
  add(what: string): void;
  /** Each sentence once, with the time it was last true. */
  list(): Iterable<Trouble>;
};

/** How many are kept; there are fewer sentences than that. */
const KEPT = 50;

export const openTroubles = (now: () => Date): Troubles => {
  const known = new Map<string, Trouble>();
  return {
    add(what) {
      known.delete(what);
      known.set(what, { what, at: now() });
      if (known.size > KEPT) known.delete(known.keys().next().value!);
    },
    list: () => known.values(),
  };
};
