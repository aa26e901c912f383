/** T14: which branches of the files that keep notes safe are tested, and which small faults in them the tests would notice. */

import { build } from "esbuild";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dice } from "../faults/dice.ts";
import { quickPlace } from "../faults/faulty.ts";
import { instrument, type Measures, type Place } from "../mutation/instrument.ts";
import type { Ran } from "../mutation/runner.ts";
import { scaled, SEED, tell } from "./figures.ts";

const FILES = [
  ...["files", "open-files", "calls", "lock", "journal", "guard", "segments"].map(
    (name) => `src/disk/${name}.ts`,
  ),
  "src/notebook/vault-path.ts",
  "src/markdown/frontmatter.ts",
].map((file) => resolve(file));
/** As long as the run may take; what is not reached by then is told as not tried. */
const MINUTES = 15;
const AT_ONCE = 2;
/** Of the tests that reach a mutant those beside its file are tried first, then the quickest; as many as take so long undisturbed. */
const TRIED_MS = 8000;

const MEASURE = `
globalThis.$measure = (() => {
  const active = Number(process.env.MUTANT ?? -1);
  let reached = new Set();
  const taken = new Set();
  return {
    file: "",
    mutant: (id) => (reached.add(id), id === active),
    branch: (id) => void taken.add(id),
    forget: () => void (reached = new Set()),
    reached: () => [...reached],
    taken: () => [...taken],
  };
})();`;

const measures: Measures = { mutants: [], branches: [] };
const folder = mkdtempSync(join(tmpdir(), "notewright-mutation-"));
const suite = join(folder, "suite.mjs");
let all: Map<number, Ran>;
let atStart: Set<number>;
let taken: Set<number>;

async function bundleSuite(): Promise<void> {
  const sqlite = resolve("node_modules/@photostructure/sqlite/dist/index.mjs");
  await build({
    entryPoints: ["test/mutation/suite.ts"],
    outfile: suite,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    alias: { "@photostructure/sqlite": sqlite, vitest: resolve("test/mutation/runner.ts") },
    external: [sqlite, "node:sqlite"],
    banner: {
      js: `import{createRequire as $require}from"node:module";const require=$require(import.meta.url);${MEASURE}`,
    },
    plugins: [
      {
        name: "instrument",
        setup: (it) =>
          it.onLoad({ filter: /\.ts$/ }, async ({ path }) =>
            FILES.includes(path)
              ? { contents: await instrument(path, measures), loader: "js" }
              : path.endsWith(".test.ts")
                ? {
                    contents: `$measure.file = ${JSON.stringify(path)};\n${await readFile(path, "utf8")}`,
                    loader: "ts",
                  }
                : undefined,
          ),
      },
    ],
    logLevel: "warning",
  });
}

type Told = { ran: [number, Ran][]; atStart: number[]; taken: number[]; failed: string[] };

/** Null where it did not end in time: it hangs. */
function run(
  args: string[],
  mutant: number,
  limit: number,
): Promise<{ code: number | null; told: Told | null }> {
  // A test that fails may leave its folder behind, and one that hangs does.
  const place = mkdtempSync(join(quickPlace, "notewright-mutant-"));
  return new Promise((done) => {
    const child = spawn(process.execPath, [suite, ...args], {
      env: { ...process.env, TMPDIR: place, MUTANT: String(mutant) },
      stdio: ["ignore", "pipe", mutant < 0 ? "inherit" : "ignore"],
    });
    let said = "";
    child.stdout!.on("data", (chunk) => (said += String(chunk)));
    const timer = setTimeout(() => child.kill("SIGKILL"), limit);
    child.on("close", (code) => {
      clearTimeout(timer);
      rmSync(place, { recursive: true, force: true });
      const line = said.trimEnd().split("\n").at(-1) ?? "";
      done({ code, told: line.startsWith("{") ? (JSON.parse(line) as Told) : null });
    });
  });
}

const named = ({ file, line, text }: Place): string => `${relative(".", file)}:${line}: ${text}`;

/** What is reached while files are loaded is reached by every test. */
function testsFor(id: number): { numbers: number[]; usual: number } {
  const { file } = measures.mutants[id]!;
  const near = (test: Ran) =>
    Number(test.file === file.replace(/\.ts$/, ".test.ts")) + Number(dirname(test.file) === dirname(file));
  const reaching = [...all]
    .filter(([, test]) => test.mutants.includes(id) || (atStart.has(id) && near(test) > 0))
    .toSorted(([, a], [, b]) => near(b) - near(a) || a.milliseconds - b.milliseconds);
  const numbers: number[] = [];
  let usual = 0;
  for (const [number, { milliseconds }] of reaching) {
    if (usual + milliseconds > TRIED_MS) break;
    numbers.push(number);
    usual += milliseconds;
  }
  return { numbers, usual };
}

beforeAll(async () => {
  await bundleSuite();
  const { told } = await run([], -1, 600_000);
  expect(told?.failed).toEqual([]);
  all = new Map(told!.ran);
  atStart = new Set(told!.atStart);
  taken = new Set(told!.taken);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("branches", () => {
  const figures = FILES.map((file) => {
    const own = measures.branches.flatMap((branch, id) => (branch.file === file ? [id] : []));
    return `${relative("src", file)} ${own.filter((id) => taken.has(id)).length}/${own.length}`;
  });
  const missed = measures.branches.filter((_, id) => !taken.has(id));
  for (const branch of missed) console.log(`never taken (${branch.arm}): ${named(branch)}`);
  const share = (100 * (measures.branches.length - missed.length)) / measures.branches.length;
  tell("T14, branches", { "per cent": share, missed, each: figures.join("; ") });
});

test("mutants", async () => {
  const started = performance.now();
  const count = { tried: 0, noticed: 0, hanging: 0, notTried: 0 };
  const survived: string[] = [];
  const ids = dice(SEED).shuffle([...measures.mutants.keys()]);
  const left = ids.slice(0, scaled(ids.length)).values();
  const lane = async (): Promise<void> => {
    for (const id of left) {
      if (performance.now() - started > MINUTES * 60_000) {
        count.notTried++;
        continue;
      }
      const { numbers, usual } = testsFor(id);
      count.tried++;
      const { code } =
        numbers.length === 0 ? { code: 0 } : await run([numbers.join(",")], id, 10_000 + usual * 10);
      if (code === null) count.hanging++;
      if (code === 0)
        survived.push(`${named(measures.mutants[id]!)}  →  ${measures.mutants[id]!.instead || "nothing"}`);
      else count.noticed++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  for (const line of survived.toSorted()) console.log(`not noticed: ${line}`);
  const share = (100 * count.noticed) / count.tried;
  const seconds = (performance.now() - started) / 1000;
  tell("T14, mutants", { "per cent": share, ...count, survived, all: ids.length, seconds, seed: SEED });
});
