/** An append through a real client, durable, indexed and versioned, beside the bare calls that make a write durable and a round trip that does nothing, in turn in one run. */

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { closeServers, start, startServer, type Served } from "./client.ts";
import { median, right, stopwatch, until, type Watch } from "./measure.ts";
import { durableWrite } from "./raw.ts";
import { makeVault, notePathOf } from "./vault.ts";

const { values } = parseArgs({
  options: { size: { type: "string", default: "1000" }, rounds: { type: "string", default: "300" } },
});
const [size, rounds] = [Number(values.size), Number(values.rounds)];
const home = mkdtempSync(join(tmpdir(), "notewright-bench-"));
const vault = join(home, "vault");
/** How many times the bare write an append may take, beside one round trip. */
const BAR = 5;
/** Rounds before those that count: a session is longer than its first calls. */
const WARMING = 30;

const DIALECTS: Record<string, (server: Served, path: string, text: string) => Promise<unknown>> = {
  native: (server, note, text) => server.call("edit_notes", { edits: [{ note, do: "append", text }] }),
  obsidian: (server, path, text) =>
    server.call("append_note", { name: path.slice(path.lastIndexOf("/") + 1, -3), text }),
};

/** Rounds of one measurement, warm-up left out. Servers that are asked in turn each find what the other wrote. */
async function measure(
  name: string,
  surfaces: readonly string[],
  floor: Served,
  watch: Watch,
): Promise<void> {
  const servers = new Map<string, Served>();
  for (const surface of surfaces)
    servers.set(surface, await startServer(vault, join(home, "cache"), surface));
  // A first indexing and a first recording that go on beside it would be measured too.
  await until(async () => existsSync(join(vault, ".notewright/history.git/refs/heads/main")), 50);
  for (let round = -WARMING; round < rounds; round++) {
    const path = notePathOf((round + WARMING) % size);
    const file = join(vault, path);
    const warm = round < 0 ? "warm-up " : "";
    await watch.time(`${warm}trip`, () => floor.call("nothing", {}));
    await watch.time(`${warm}raw`, () => durableWrite(join(home, "raw.md"), readFileSync(file, "utf8")));
    for (const [surface, server] of servers) {
      const line = `appended ${name} ${surface} ${round}`;
      await watch.time(`${warm}${name} ${surface}`, () => DIALECTS[surface]!(server, path, line));
      right(readFileSync(file, "utf8").includes(line), `${surface} appended to ${path}`);
    }
  }
  await Promise.all([...servers.values()].map((server) => server.close()));
}

try {
  makeVault(vault, size);
  const floor = await start({ args: [join(process.cwd(), "bench/floor-server.mjs"), vault] });
  const watch = stopwatch();
  const surfaces = Object.keys(DIALECTS);
  for (const surface of surfaces) await measure("alone", [surface], floor, watch);
  await measure("in turn", surfaces, floor, watch);
  const [raw, trip] = [median(watch.of("raw")), median(watch.of("trip"))];
  const high = (name: string) =>
    watch.of(name).toSorted((a, b) => a - b)[Math.floor(watch.of(name).length * 0.95)]!;
  const row = (what: string, name: string, bar: string) =>
    `| ${what} | ${median(watch.of(name)).toFixed(2)} | ${high(name).toFixed(2)} | ${bar} |`;
  const most = BAR * raw + trip;
  const against = (name: string) => {
    const ours = median(watch.of(name));
    return `${((ours - trip) / raw).toFixed(1)} × raw + trip: ${ours <= most ? "held" : "missed"} (${most.toFixed(2)} ms)`;
  };
  console.log(`${size} notes, ${rounds} rounds; Node ${process.version}\n`);
  console.log("| what | median ms | p95 ms | bar: 5 × raw + trip |\n| --- | ---: | ---: | --- |");
  console.log(row("round trip to a server that does nothing", "trip", ""));
  console.log(row("raw: write, fsync, rename, fsync of the folder", "raw", ""));
  for (const surface of surfaces)
    console.log(row(`append, ${surface}`, `alone ${surface}`, against(`alone ${surface}`)));
  for (const surface of surfaces)
    console.log(row(`append, ${surface}, in turn with another server`, `in turn ${surface}`, ""));
} finally {
  await closeServers();
  rmSync(home, { recursive: true, force: true });
}
