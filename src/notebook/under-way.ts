/** Work that is under way, and a way to wait until what goes on now has ended, well or not. */

export type UnderWay = {
  counted<T>(work: Promise<T>): Promise<T>;
  ended(): Promise<void>;
};

export function underWay(): UnderWay {
  const running = new Set<Promise<unknown>>();
  return {
    counted(work) {
      running.add(work);
      const forget = () => void running.delete(work);
      work.then(forget, forget);
      return work;
    },
    ended: async () => void (await Promise.allSettled(running)),
  };
}

/** Looks at what other programs did to the vault. */
export type Looks = {
  /** Gives `otherwise` where the notebook has closed before the look could begin. */
  begin<T>(look: () => Promise<T>, otherwise: T): Promise<T>;
  /** Begins no more, and waits for those that have begun: the index is not closed under them. */
  close(): Promise<void>;
};

/** A change of ours is in the index a moment after it is on disk. A look in between would take it for another program's, so each look waits for the changes that are under way. */
export function looksAfter(writing: UnderWay): Looks {
  const { counted, ended } = underWay();
  let closed = false;
  return {
    begin: (look, otherwise) =>
      counted(writing.ended().then(() => (closed ? Promise.resolve(otherwise) : look()))),
    close() {
      closed = true;
      return ended();
    },
  };
}
