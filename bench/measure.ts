/** Times of one thing, measured again and again, and what they come to. */

export const median = (times: readonly number[]): number => {
  const sorted = times.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
};

export const p95 = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!;

export async function timed<T>(work: () => Promise<T> | T): Promise<{ ms: number; result: T }> {
  const start = performance.now();
  const result = await work();
  return { ms: performance.now() - start, result };
}

export type Watch = {
  /** Does it, takes its time down under this name, and gives its result. */
  time<T>(name: string, work: () => Promise<T> | T): Promise<T>;
  of(name: string): number[];
};

export function stopwatch(): Watch {
  const times = new Map<string, number[]>();
  const of = (name: string): number[] => {
    if (!times.has(name)) times.set(name, []);
    return times.get(name)!;
  };
  return {
    of,
    async time(name, work) {
      const { ms, result } = await timed(work);
      of(name).push(ms);
      return result;
    },
  };
}

/** An answer that is wrong has no speed. */
export function right(holds: boolean, what: string): void {
  if (!holds) throw new Error(`wrong answer: ${what}`);
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks until it is so; gives up after an hour, which is what a first index of a million notes may take. */
export async function until(holds: () => Promise<boolean>, every: number, most = 3_600_000): Promise<void> {
  const end = performance.now() + most;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error("waited in vain");
    await pause(every);
  }
}
