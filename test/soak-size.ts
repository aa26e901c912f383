/** How much more than its share of each commit a test does: NOTEWRIGHT_SOAK=50 is fifty times as much. */

export const soak = Math.max(1, Math.floor(Number(process.env.NOTEWRIGHT_SOAK) || 1));

/** For fast-check. A failure prints its seed, which repeats it. */
export const runs = (each: number): { numRuns: number } => ({ numRuns: each * soak });
