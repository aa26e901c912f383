/**
 * How much a test does of what it could repeat without end. `npm test` does a quarter of a commit's share, so that it can be run often; with
 * NOTEWRIGHT_SOAK=1, as a release calls it, it does the whole share, with 50 fifty times as much.
 */

import { commitSeed, dice } from "./faults/dice.ts";

const asked = Math.floor(Number(process.env.NOTEWRIGHT_SOAK) || 0);
const QUARTER = 4;

/** How much more than its share of a commit a test does. */
export const soak = Math.max(1, asked);

/** So much of a commit's share as is asked for. */
export const share = (all: number): number => (asked > 0 ? all * soak : Math.ceil(all / QUARTER));

/** For fast-check. A failure prints its seed, which repeats it. */
export const runs = (each: number): { numRuns: number } => ({ numRuns: share(each) });

/** A quarter of these, others for each commit, or all of them. */
export const some = <T>(all: readonly T[]): T[] =>
  asked > 0
    ? [...all]
    : dice(commitSeed())
        .shuffle([...all])
        .slice(0, share(all.length));
