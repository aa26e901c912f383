/** What the page remembers of its vault: in the browser; where that has no room, on this page alone, until it is closed. */

export type Memory = {
  remember(name: string, value: string): void;
  remembered(name: string): string | null;
  forget(name: string): void;
  /** What follows, of all names that begin so. */
  rememberedBelow(begins: string): string[];
  /** Whether something of that beginning is on this page alone. */
  isHereAlone(begins: string): boolean;
};

/** `place`: what stands before each name in the store, which other pages share. */
export const openMemory = (store: Storage, place: () => string): Memory => {
  const hereAlone = new Map<string, string>();
  const keysBelow = (start: string): string[] =>
    [...new Set([...Object.keys(store), ...hereAlone.keys()])].filter((key) => key.startsWith(start));
  return {
    remember(name, value) {
      const key = place() + name;
      try {
        store.setItem(key, value);
        hereAlone.delete(key);
      } catch {
        hereAlone.set(key, value);
      }
    },
    remembered: (name) => hereAlone.get(place() + name) ?? store.getItem(place() + name),
    forget(name) {
      hereAlone.delete(place() + name);
      store.removeItem(place() + name);
    },
    rememberedBelow(begins) {
      const start = place() + begins;
      return keysBelow(start).map((key) => key.slice(start.length));
    },
    isHereAlone: (begins) => [...hereAlone.keys()].some((key) => key.startsWith(place() + begins)),
  };
};
