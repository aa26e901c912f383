/** Chance that repeats: the same throws for the same seed, so that a failure can be had again. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

export type Dice = {
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  shuffle<T>(list: readonly T[]): T[];
};

export function dice(seed: number): Dice {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    below,
    pick: (list) => list[below(list.length)]!,
    shuffle(list) {
      const mixed = [...list];
      for (let at = mixed.length - 1; at > 0; at--) {
        const other = below(at + 1);
        [mixed[at], mixed[other]] = [mixed[other]!, mixed[at]!];
      }
      return mixed;
    },
  };
}

/** Another for each commit, the same for all runs of one; `NOTEWRIGHT_SEED` repeats a run of another commit. */
export function commitSeed(): number {
  const given = process.env.NOTEWRIGHT_SEED;
  if (given) return Number(given);
  try {
    const head = readFileSync(".git/HEAD", "utf8").trim();
    const id = head.startsWith("ref: ") ? readFileSync(join(".git", head.slice(5)), "utf8") : head;
    return Number.parseInt(id.slice(0, 8), 16);
  } catch {
    return 1;
  }
}
