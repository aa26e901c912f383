/** What tests import from vitest, as far as ours need it, in one small process: any test can be run alone, and is known by what it reaches. */

import { JestAsymmetricMatchers, JestChaiExpect, JestExtend, chai } from "@vitest/expect";

type Work = (context?: unknown) => unknown;
type Scope = { name: string; parent: Scope | null; hooks: Record<Hook, Work[]>; begun: boolean };
type Hook = "beforeAll" | "afterAll" | "beforeEach" | "afterEach";
type Test = { name: string; file: string; work: Work; scope: Scope };

/** Of one test: where it stands, how long it took, whether it passed, and the numbers of the mutants it came by. */
export type Ran = { file: string; milliseconds: number; failed: string | null; mutants: number[] };

const scopeIn = (parent: Scope | null, name: string): Scope => ({
  name,
  parent,
  hooks: { beforeAll: [], afterAll: [], beforeEach: [], afterEach: [] },
  begun: false,
});
let scope = scopeIn(null, "");
const tests: Test[] = [];

const hook = (name: Hook) => (work: Work) => void scope.hooks[name].push(work);
export const beforeAll = hook("beforeAll");
export const afterAll = hook("afterAll");
export const beforeEach = hook("beforeEach");
export const afterEach = hook("afterEach");

/** Options may come before or after the work, and stand for nothing here. */
const workOf = (given: unknown[]): Work => given.find((each) => typeof each === "function") as Work;

function declareTest(name: string, ...given: unknown[]): void {
  tests.push({ name, file: $measure.file, work: workOf(given), scope });
}
function declareScope(name: string, ...given: unknown[]): void {
  scope = scopeIn(scope, name);
  workOf(given)();
  scope = scope.parent!;
}
const each =
  (declare: typeof declareTest) =>
  (rows: readonly unknown[]) =>
  (name: string, ...given: unknown[]): void =>
    rows.forEach((row, at) => {
      const values = Array.isArray(row) ? row : [row];
      declare(`${name} ${at}`, () => workOf(given)(...(values as [])));
    });
const withEach = (declare: typeof declareTest) =>
  Object.assign((...given: Parameters<typeof declareTest>) => declare(...given), { each: each(declare) });
export const test = Object.assign(withEach(declareTest), {
  runIf: (really: unknown) => withEach(really ? declareTest : () => undefined),
});
export const describe = Object.assign(declareScope, {
  each: each(declareScope),
  concurrent: declareScope,
});

chai.use(JestExtend);
chai.use(JestChaiExpect);
chai.use(JestAsymmetricMatchers);
export const expect = Object.assign(
  (value: unknown, message?: string) => chai.expect(value, message),
  chai.expect,
);

const outside = (of: Scope | null): Scope[] => (of === null ? [] : [...outside(of.parent), of]);

async function runOne({ work, scope: own }: Test): Promise<void> {
  const scopes = outside(own);
  for (const one of scopes) {
    if (!one.begun) for (const each of one.hooks.beforeAll) await each();
    one.begun = true;
  }
  for (const one of scopes) for (const each of one.hooks.beforeEach) await each();
  try {
    await work({});
  } finally {
    for (const one of scopes.toReversed()) for (const each of one.hooks.afterEach) await each();
  }
}

/** Runs the tests of these numbers, all where none are given; with `stop` up to the first that fails. */
export async function runTests(
  wanted: readonly number[] | null,
  { stop }: { stop: boolean },
): Promise<Map<number, Ran>> {
  const ran = new Map<number, Ran>();
  const begun = new Set<Scope>();
  for (const number of wanted ?? tests.keys()) {
    const one = tests[number]!;
    outside(one.scope).forEach((each) => begun.add(each));
    $measure.forget();
    const started = performance.now();
    let failed: string | null = null;
    try {
      await runOne(one);
    } catch (error) {
      failed = `${one.scope.name} ${one.name}: ${String(error).slice(0, 300)}`;
    }
    ran.set(number, {
      file: one.file,
      milliseconds: performance.now() - started,
      failed,
      mutants: $measure.reached(),
    });
    if (failed !== null && stop) break;
  }
  for (const one of begun) for (const each of one.hooks.afterAll) await each();
  return ran;
}
