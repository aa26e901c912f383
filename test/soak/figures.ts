/** How long a soak is, and the line of figures it ends with. */

import { afterAll, afterEach } from "vitest";

/** `whole` is what the guarantees ask for; `NOTEWRIGHT_SOAK_SCALE` makes it less, for a machine that has other things to do. */
export function scaled(whole: number): number {
  return Math.max(1, Math.round(whole * Number(process.env["NOTEWRIGHT_SOAK_SCALE"] ?? 1)));
}

/** `NOTEWRIGHT_SOAK_PART=2/3` is the second third of a test that can be run in parts. */
export function partOf<T>(whole: readonly T[]): T[] {
  const [number = 1, of = 1] = (process.env["NOTEWRIGHT_SOAK_PART"] ?? "1/1").split("/").map(Number);
  return whole.filter((_, at) => at % of === number - 1);
}

export const SEED = Number(process.env["NOTEWRIGHT_SEED"] ?? 20261115);

/** For tests that each commit runs too: how many passed here, at how many times their size, and how long it took. */
export function tellAtTheEnd(what: string): void {
  const started = performance.now();
  const count = { passed: 0, failed: 0 };
  afterEach(({ task }) => void count[task.result?.state === "fail" ? "failed" : "passed"]++);
  afterAll(() =>
    tell(what, {
      ...count,
      "times the size of a commit's": scaled(50),
      seconds: (performance.now() - started) / 1000,
    }),
  );
}

export function tell(what: string, figures: object): void {
  const said = Object.entries(figures).map(([name, value]) => {
    if (Array.isArray(value)) return `${name} ${value.length}`;
    return `${name} ${typeof value === "number" && !Number.isInteger(value) ? value.toFixed(1) : String(value)}`;
  });
  console.log(`\n${what}: ${said.join(", ")}`);
}
