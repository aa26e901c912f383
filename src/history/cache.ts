/** A cache bounded by the bytes of what it keeps, not by their number: the oldest goes first. */

export type Cache<T> = { get(key: string): T | undefined; set(key: string, value: T, bytes: number): void };

export function cacheOf<T>(limit: number): Cache<T> {
  const kept = new Map<string, { value: T; bytes: number }>();
  let total = 0;
  const drop = (key: string): void => {
    total -= kept.get(key)?.bytes ?? 0;
    kept.delete(key);
  };
  return {
    get: (key) => kept.get(key)?.value,
    set(key, value, bytes) {
      drop(key);
      kept.set(key, { value, bytes });
      total += bytes;
      for (const oldest of kept.keys()) {
        if (total <= limit) break;
        drop(oldest);
      }
    },
  };
}
