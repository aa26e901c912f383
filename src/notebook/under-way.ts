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
