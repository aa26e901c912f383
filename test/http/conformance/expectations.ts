/** What must pass where, and what is expected to fail: lists that are compared whole, so that an entry which is out of date fails too. */

import { expect } from "vitest";
import { requirementsOf, runSuite, wrongIn, type Run, type Target } from "./suite.ts";

/** Extensions that we have not, and what only the library's other server checks; none of them is scored. */
const EXPECTED_FAILURES = [
  "http-custom-header-server-validation",
  "tasks-capability-negotiation",
  "tasks-dispatch-and-envelope",
  "tasks-lifecycle",
  "tasks-mrtr-composition",
  "tasks-mrtr-input",
  "tasks-request-headers",
  "tasks-request-state-removal",
  "tasks-required-task-error",
  "tasks-wire-fields",
];

/** Checks that are skipped, because neither tools nor prompts of the server change while it runs. */
const SKIPPED = [
  "sep-2575-server-sends-prompts-list-changed-on-subscription: ",
  "sep-2575-server-sends-tools-list-changed-on-subscription: ",
];

/** The fixtures pass whatever is scored, without a warning. */
export const fixturesConform = async (run: Run, target: Target): Promise<void> => {
  const { checks, output } = await runSuite(run, target, "/mcp");
  const { scored, others } =
    run.line === "next" ? requirementsOf(run.revision) : { scored: [...checks.keys()], others: [] };
  expect(scored.length, output).toBeGreaterThanOrEqual(30);
  expect([...checks.keys()].toSorted()).toEqual([...scored, ...others].toSorted());
  for (const scenario of scored) {
    const all = checks.get(scenario)!;
    expect([scenario, wrongIn(all, ["FAILURE", "WARNING"])]).toEqual([scenario, []]);
    expect([scenario, wrongIn(all, ["SUCCESS"]).length]).not.toEqual([scenario, 0]);
    expect([scenario, wrongIn(all, ["SKIPPED"])]).toEqual([
      scenario,
      scenario === "server-stateless" ? SKIPPED : [],
    ]);
  }
  const failing = others.filter((scenario) => wrongIn(checks.get(scenario)!, ["FAILURE"]).length > 0);
  expect(failing.toSorted()).toEqual(
    run.line === "next" && run.revision === "2026-07-28" ? EXPECTED_FAILURES : [],
  );
};

/** Scenarios that call nothing by its name, so that every surface must pass them. */
const OLDER = [
  "dns-rebinding-protection",
  "logging-set-level",
  "ping",
  "server-initialize",
  "server-sse-multiple-streams",
  "tools-list",
];
const FREE: Record<string, readonly string[]> = {
  released: OLDER,
  "2025-11-25": [...OLDER, "server-session-lifecycle"],
  "2026-07-28": [
    "dns-rebinding-protection",
    "http-header-validation",
    "input-required-result-unsupported-methods",
    "input-required-result-validate-input",
    "server-sse-multiple-streams",
    "tools-list",
  ],
};
/** Scenarios that ask for resources and prompts, which native alone has. */
const OF_NATIVE: Record<string, readonly string[]> = {
  released: ["prompts-list", "resources-list"],
  "2025-11-25": ["prompts-list", "resources-list"],
  "2026-07-28": ["caching", "prompts-list", "resources-list", "sep-2164-resource-not-found"],
};
/** The checks of a scenario with many that call a tool of the fixtures. */
const BY_NAME = [
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
  "sep-2575-http-server-no-independent-requests-on-stream",
  "sep-2575-server-no-log-without-loglevel",
];

/** A real surface passes every scenario that needs no fixtures. */
export const surfaceConforms = async (run: Run, target: Target, surface: string): Promise<void> => {
  const { checks, output } = await runSuite(run, target, `/mcp/${surface}`);
  const which = run.line === "next" ? run.revision : run.line;
  for (const scenario of [...FREE[which]!, ...(surface === "native" ? OF_NATIVE[which]! : [])]) {
    const all = checks.get(scenario);
    expect(all, `${scenario} did not run: ${output}`).toBeDefined();
    expect([scenario, wrongIn(all!, ["FAILURE", "WARNING"])]).toEqual([scenario, []]);
  }
  if (which !== "2026-07-28") return;
  const failing = wrongIn(checks.get("server-stateless")!, ["FAILURE", "WARNING"]);
  expect(failing.map((line) => line.split(":")[0])).toEqual(BY_NAME);
};
