/** What a workspace in workerd costs: rows written, calls to the bucket, sizes, heap, growth, and its speed beside HTTP on Node, in one run: `npm run bench -- edge [--size N]`. */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { rpc } from "../test/workerd/asking.ts";
import { freePort, watchHeap } from "../test/workerd/heap.ts";
import { ISOLATE_MEGABYTES, SHIPPED, startWorker } from "../test/workerd/start.ts";
import type { Counts } from "../test/workerd/watched.ts";
import { connect, endHttpServers, startOurs, type Asker, type Target } from "./http-client.ts";
import { median, pause, right, timed, until } from "./measure.ts";
import { makeVault, notePathOf, noteText, word } from "./vault.ts";

const { values } = parseArgs({ options: { size: { type: "string", default: "10000" } } });
const size = Number(values.size);
const few = Math.max(100, size / 10);
const home = mkdtempSync(join(tmpdir(), "notewright-bench-"));
/** Pending words go in after a tenth of a second. */
const QUIET_MS = 250;

const row = (what: string, figure: number, bar: number, unit = ""): void =>
  console.log(
    `| ${what} | ${figure.toFixed(2)}${unit} | ≤ ${bar}${unit}: ${figure <= bar ? "met" : "**missed**"} |`,
  );

const inspectorPort = await freePort();
const worker = await startWorker("bench/edge-worker.ts", {
  miniflare: { inspectorPort },
  heap: ISOLATE_MEGABYTES,
});
const heap = watchHeap(inspectorPort);

type Workspace = { name: string; ask: Asker; rpc<T>(method: string, ...args: unknown[]): Promise<T> };
const workspace = async (name: string): Promise<Workspace> => {
  const target: Target = { port: Number(worker.address.port), path: `/${name}/mcp`, token: "none" };
  const ask = await connect(target, "newer", "bench", new Agent({ keepAlive: true, maxSockets: 1 }));
  return {
    name,
    async ask(tool, input) {
      const said = await ask(tool, input);
      right(!said.includes('"isError":true'), `${tool}: ${said.slice(0, 300)}`);
      return said;
    },
    rpc: (method, ...args) => rpc(worker, name, method, ...args),
  };
};

/** Fills a part of the bucket, and waits until all of it is indexed and recorded; gives the bytes of its notes. */
const filled = async ({ name, ask, rpc }: Workspace, count: number): Promise<number> => {
  let bytes = 0;
  for (let from = 0; from < count; from += 500)
    bytes += await rpc<number>("seed", name, from, Math.min(count, from + 500), count);
  await heap.most();
  await ask("list_notes", { limit: 1 });
  await until(() => rpc<boolean>("isWhole"), 200);
  return bytes;
};

/** What one call costs, in the mean of so many, each alone. */
const costOf = async ({ rpc }: Workspace, times: number, work: (at: number) => Promise<unknown>) => {
  await pause(QUIET_MS);
  const before = await rpc<Counts>("counts");
  for (let at = 0; at < times; at++) {
    await work(at);
    await pause(QUIET_MS);
  }
  const after = await rpc<Counts>("counts");
  return {
    written: (after.written - before.written) / times,
    bucket: (after.bucket - before.bucket) / times,
  };
};

const append = ({ ask }: Workspace, path: string, text: string) =>
  ask("edit_notes", { edits: [{ note: path, do: "append", text }] });
const create = ({ ask }: Workspace, at: number, count: number) =>
  ask("write_note", { path: `new/New ${at}.md`, text: noteText(count + at, count) });
const search = (ask: Asker, at: number) => ask("search_notes", { query: `${word(at % 2000)} ${word(40)}` });
const read = (ask: Asker, path: string) => ask("read_notes", { notes: [path] });

/** Seconds of processor time of workerd, which the runtime has started. */
const workerdCpu = (): number => {
  const stats = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        return [readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ")];
      } catch {
        return [];
      }
    });
  return stats
    .filter((fields) => fields[1] === String(worker.pid))
    .reduce((sum, fields) => sum + (Number(fields[11]) + Number(fields[12])) / 100, 0);
};

/** How much more processor time each kind of call takes in the larger workspace; blocks take turns. */
const growth = async (small: Workspace, large: Workspace): Promise<void> => {
  const kinds: Record<string, (space: Workspace, at: number, count: number) => Promise<unknown>> = {
    search: ({ ask }, at) => search(ask, at),
    append: (space, at, count) => append(space, notePathOf((at * 7) % count), `line ${at}`),
    create: (space, at, count) => create(space, 1000 + at, count),
  };
  for (const [kind, work] of Object.entries(kinds)) {
    const costs: [number[], number[]] = [[], []];
    for (let block = 0; block < 5; block++)
      for (const [which, [space, count]] of (
        [
          [small, few],
          [large, size],
        ] as const
      ).entries()) {
        const before = workerdCpu();
        for (let at = 0; at < 50; at++) await work(space, block * 50 + at, count);
        await pause(QUIET_MS);
        if (block > 0) costs[which]!.push(workerdCpu() - before);
      }
    const [little, much] = [median(costs[0]), median(costs[1])];
    row(
      `${kind}: processor time at ${size} notes, beside ${few} (${(much * 20).toFixed(1)} and ${(little * 20).toFixed(1)} ms)`,
      much / little,
      2,
      " ×",
    );
  }
};

/** The same calls over HTTP on Node and in workerd, in turn. */
const besideNode = async (large: Workspace): Promise<void> => {
  const vault = join(home, "vault");
  makeVault(vault, size);
  const node = await startOurs(vault, home, null);
  const asks = [
    large.ask,
    await connect(node, "newer", "bench", new Agent({ keepAlive: true, maxSockets: 1 })),
  ];
  await until(async () => !(await asks[1]!("list_notes", { limit: 1 })).includes("so far"), 500);
  const kinds = {
    search,
    read: (ask: Asker, at: number) => read(ask, notePathOf((at * 13) % size)),
  };
  for (const [kind, work] of Object.entries(kinds)) {
    const times: [number[], number[]] = [[], []];
    for (let at = 0; at < 230; at++)
      for (const [which, ask] of asks.entries()) {
        const { ms } = await timed(() => work(ask, at));
        if (at >= 30) times[which]!.push(ms);
      }
    const [edge, here] = [median(times[0]), median(times[1])];
    row(
      `${kind} in workerd, beside Node (${edge.toFixed(2)} and ${here.toFixed(2)} ms)`,
      edge / here,
      3,
      " ×",
    );
  }
  await node.end();
};

/** A thousand calls as clients mix them. */
const mixed = async (space: Workspace): Promise<void> => {
  for (let at = 0; at < 1000; at++) {
    const path = notePathOf((at * 31) % size);
    if (at % 10 < 4) await search(space.ask, at);
    else if (at % 10 < 7) await read(space.ask, path);
    else if (at % 10 < 9) await append(space, path, `line ${at}`);
    else if (at % 20 === 9) await create(space, 5000 + at, size);
    else await space.ask("list_notes", { limit: 20 });
  }
};

try {
  console.log(
    `${size} notes of 3 kB; Node ${process.version}\n\n| what | figure | bar |\n| --- | ---: | --- |`,
  );
  const small = await workspace("small");
  const large = await workspace("large");
  await filled(small, few);
  const bytes = await filled(large, size);
  row(`heap at most, first index of ${size} notes`, await heap.most(), 96, " MB");
  const { size: sql } = await large.rpc<Counts & { size: number }>("counts");
  row(`SQL beside the notes, ${size} notes`, sql / bytes, 3, " ×");

  const appended = await costOf(large, 40, (at) =>
    append(large, notePathOf((at * 17) % size), "one more line"),
  );
  row("rows written for an append, alone", appended.written, 25);
  row("calls to the bucket for an append", appended.bucket, 2);
  const created = await costOf(large, 130, (at) => create(large, at, size));
  row("rows written for a create of 3 kB", created.written, 60);
  const looked = await costOf(large, 10, (at) => read(large.ask, notePathOf((at * 19) % size)));
  row("calls to the bucket for a read", looked.bucket, 1);
  const sought = await costOf(large, 10, (at) => search(large.ask, at));
  row("calls to the bucket for a search", sought.bucket, 0);
  row("rows written for a search", sought.written, 0);

  await heap.most();
  await mixed(large);
  row("heap at most, serving 1,000 mixed calls", await heap.most(), 64, " MB");
  await growth(small, large);
  await besideNode(large);
  const { outputFiles } = await build(SHIPPED);
  row(
    "the Worker, minified and gzipped",
    gzipSync(outputFiles![0]!.contents, { level: 9 }).length / 1000,
    500,
    " kB",
  );
} finally {
  heap.close();
  endHttpServers();
  await worker.stop();
  rmSync(home, { recursive: true, force: true });
}
