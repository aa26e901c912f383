/** A folder that never stands still: calls beside a loop that renames, makes and removes, or appends to notes without a pause, and the same calls in a quiet vault. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { markdown, rowOf, type Row } from "./bars.ts";
import { closeServers, startServer, type Served } from "./client.ts";
import { p95, pause, right, stopwatch, timed, type Watch } from "./measure.ts";
import { makeVault, noteName, notePathOf } from "./vault.ts";

const { values } = parseArgs({ options: { size: { type: "string", default: "1000" } } });
const size = Number(values.size);
const home = mkdtempSync(join(tmpdir(), "notewright-bench-"));
const vault = join(home, "vault");
const cache = join(home, "cache");
const ROUNDS = 100;
const KINDS = ["rename", "create", "append"];

/** In turn, so that a slow moment of the machine falls on all of them. */
async function calls(server: Served): Promise<Watch> {
  const watch = stopwatch();
  for (let round = 0; round < ROUNDS; round++) {
    const number = (round * 7) % size;
    const path = notePathOf(number);
    const asked: [what: string, tool: string, input: object][] = [
      ["read", "read_notes", { notes: [path] }],
      ["search", "search_notes", { query: `unique${number}x` }],
      ["name", "read_notes", { notes: [noteName(number)] }],
    ];
    for (const [what, tool, input] of asked) {
      const answer = await watch.time(what, () => server.call(tool, input));
      right(answer.includes(path), `${what} of ${path}`);
      await pause(5);
    }
  }
  return watch;
}

try {
  makeVault(vault, size);
  const server = await startServer(vault, cache, "native");
  await server.call("get_history", {});
  await pause(3000);
  const quiet = await calls(server);
  const rows: Row[] = [];
  for (const kind of KINDS) {
    const churner = spawn(process.execPath, [join(process.cwd(), "bench/churn-loop.mjs"), kind, vault], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(churner.stdout, "data");
    await pause(500);
    const churned = await calls(server);
    const { ms: start, result: other } = await timed(() => startServer(vault, cache, "native"));
    await other.close();
    churner.kill("SIGKILL");
    await once(churner, "exit");
    const figures = {
      read: { ours: p95(churned.of("read")), raw: p95(quiet.of("read")), of: "quiet", runs: ROUNDS },
      search: { ours: p95(churned.of("search")), raw: p95(quiet.of("search")), of: "quiet", runs: ROUNDS },
      name: { ours: p95(churned.of("name")), runs: ROUNDS },
      start: { ours: start, runs: 1 },
    };
    for (const [what, figure] of Object.entries(figures))
      rows.push(rowOf(`churn-${kind}-${what}`, size, figure));
    await pause(2000);
  }
  console.log(markdown(rows));
} finally {
  await closeServers();
  rmSync(home, { recursive: true, force: true });
}
