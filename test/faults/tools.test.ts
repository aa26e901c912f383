/** T1: a fault at a mutating system call of a writing tool; then the same process goes on, or another takes over. A sample of all points, another one each commit; every point in the soak. */

import { afterAll, beforeAll, expect, test } from "vitest";
import { share } from "../soak-size.ts";
import { surfaces } from "../surfaces.ts";
import { commitSeed, dice } from "./dice.ts";
import { FAULTS } from "./faulty.ts";
import { makeGrounds, runPoints, type Grounds } from "./grounds.ts";
import type { Point } from "./point.ts";
import { CALLS } from "./tools.ts";

const WANTED = share(1000);
let grounds: Grounds;

beforeAll(async () => {
  grounds = await makeGrounds();
});
afterAll(() => grounds.remove());

test("every writing tool of every surface is among the calls", () => {
  const writing = surfaces.flatMap(({ name, tools }) =>
    tools.filter((tool) => !tool.annotations.readOnlyHint).map((tool) => `${name} ${tool.name}`),
  );
  expect(CALLS.map(([surface, tool]) => `${surface} ${tool}`)).toEqual(expect.arrayContaining(writing));
});

const SEED = commitSeed();
const EACH = Math.ceil(WANTED / CALLS.length);
let run = 0;

test.each(CALLS.map((call, number) => ({ call, number, title: `${call[0]} ${call[1]}` })))(
  `$title (seed ${SEED})`,
  async ({ call, number }) => {
    const { ground, count } = await grounds.of(call);
    const points = Array.from({ length: count }, (_, at) =>
      FAULTS.map((fault): Point => ({ call, at, fault, peer: (at + number) % 2 === 0 })),
    ).flat();
    const chosen = dice(SEED + number)
      .shuffle(points)
      .slice(0, EACH);
    await runPoints(ground, chosen);
    run += chosen.length;
  },
);

test(`at least ${WANTED} points were run`, () => {
  expect(run).toBeGreaterThanOrEqual(WANTED);
});
