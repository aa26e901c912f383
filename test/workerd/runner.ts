/** What stands inside workerd for the test runner: it gathers the tests that a suite declares, and runs them where the object's storage is. */

import * as chai from "chai";
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
} from "@vitest/expect";

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);

/** The matchers of the runner itself. */
const matchers = (globalThis as unknown as Record<symbol, object>)[ASYMMETRIC_MATCHERS_OBJECT] ?? {};
export const expect = Object.assign(
  (value: unknown, message?: string) => chai.expect(value, message),
  chai.expect,
  matchers,
  {
    unreachable: (message = "unreachable") => {
      throw new Error(message);
    },
  },
);

type Work = (...given: unknown[]) => unknown;
type Scope = { name: string; before: Work[]; after: Work[] };
export type Case = { name: string; run(): Promise<void> };

const scopes: Scope[] = [];
export const cases: Case[] = [];

export const describe = (name: string, body: () => void): void => {
  scopes.push({ name, before: [], after: [] });
  body();
  scopes.pop();
};
export const beforeEach = (work: Work): void => void scopes.at(-1)!.before.push(work);
export const afterEach = (work: Work): void => void scopes.at(-1)!.after.push(work);

const add = (name: string, work: () => unknown): void => {
  // Hooks of a scope may be declared after its tests.
  const within = [...scopes];
  cases.push({
    name: [...within.map((scope) => scope.name), name].join(" > "),
    async run() {
      for (const { before } of within) for (const hook of before) await hook();
      try {
        await work();
      } finally {
        for (const { after } of within.toReversed()) for (const hook of after) await hook();
      }
    },
  });
};

/** Between the name and the work there may be options. */
const workIn = (rest: readonly unknown[]): Work =>
  rest.find((each): each is Work => typeof each === "function")!;

export const test = Object.assign((name: string, ...rest: unknown[]) => add(name, workIn(rest)), {
  each:
    (table: readonly unknown[]) =>
    (name: string, ...rest: unknown[]) =>
      table.forEach((row, at) =>
        add(`${name} #${at}`, () => workIn(rest)(...(Array.isArray(row) ? (row as unknown[]) : [row]))),
      ),
});
