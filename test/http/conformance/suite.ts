/** The official conformance suite, as a process of its own, against a server that wants a token. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { runToEnd } from "../../process.ts";
import { openTokenProxy } from "../token-proxy.ts";

/** The two lines of the suite: the one that is released, and the one that knows the newer protocol. */
const PACKAGES = { released: "@modelcontextprotocol/conformance", next: "conformance-alpha" };

/** What is run: all active scenarios of the released line, or what a revision of the protocol requires. */
export type Run = { line: "released" } | { line: "next"; revision: "2025-11-25" | "2026-07-28" };
export const RUNS: readonly Run[] = [
  { line: "released" },
  { line: "next", revision: "2025-11-25" },
  { line: "next", revision: "2026-07-28" },
];

export type Check = { id: string; status: string; errorMessage?: string };
export type Outcome = {
  /** Every scenario that ran, with its checks. */
  checks: Map<string, Check[]>;
  /** What the suite wrote. */
  output: string;
};

/** A server at `http://127.0.0.1:PORT`, a token for it, and what stands before its routes. */
export type Target = { port: number; token: string; root?: string };

/** What Node is given to run a line of the suite. */
export const program = (line: Run["line"]): string[] => [
  "--import",
  resolve("test/http/conformance/loader.mjs"),
  resolve("node_modules", PACKAGES[line], "dist/index.js"),
];
export const environmentIn = (results: string): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: results,
  NO_COLOR: "1",
});

export const runSuite = async (run: Run, target: Target, path: string): Promise<Outcome> => {
  const results = mkdtempSync(join(tmpdir(), "notewright-conformance-"));
  const proxy = await openTokenProxy(target.port, target.token);
  try {
    const which = run.line === "next" ? ["--requirements", run.revision] : ["--suite", "active"];
    const { stdout, stderr } = await runToEnd(
      [
        ...program(run.line),
        "server",
        "--url",
        proxy.base + (target.root ?? "") + path,
        "-o",
        results,
        ...which,
      ],
      { environment: environmentIn(results) },
    );
    return { checks: checksIn(results, "server"), output: stdout + stderr };
  } finally {
    proxy.close();
    rmSync(results, { recursive: true, force: true });
  }
};

/** What went wrong in a scenario, as far as the status says so. */
export const wrongIn = (checks: readonly Check[], statuses: readonly string[]): string[] =>
  checks
    .filter(({ status }) => statuses.includes(status))
    .map(({ id, errorMessage = "" }) => `${id}: ${errorMessage}`);

/** The suite leaves a folder for each scenario: `KIND-NAME-TIME`, with its checks as JSON. */
export const checksIn = (results: string, kind: "server" | "authorization-server"): Map<string, Check[]> =>
  new Map(
    readdirSync(results)
      .toSorted()
      .flatMap((folder) => {
        const name = new RegExp(`^${kind}-(.+)-\\d{4}-\\d\\d-\\d\\dT[\\d-]+Z$`).exec(folder)?.[1];
        if (name === undefined) return [];
        return [[name, JSON.parse(readFileSync(join(results, folder, "checks.json"), "utf8")) as Check[]]];
      }),
  );

/** What a revision requires of a server, in the suite's own words: the scenarios that count, and those that only run. */
export const requirementsOf = (revision: string): { scored: string[]; others: string[] } => {
  const file = resolve("node_modules/conformance-alpha/requirements", `${revision}.yaml`);
  const { server, not_scored: others } = parse(readFileSync(file, "utf8")) as {
    server: string[];
    not_scored: { scenario: string; leg: string }[];
  };
  return {
    scored: server,
    others: others.filter(({ leg }) => leg === "server").map(({ scenario }) => scenario),
  };
};
