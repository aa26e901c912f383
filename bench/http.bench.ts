/** HTTP beside a server of the same protocol library that only reads a file, and beside stdio, in turn in one run: `npm run bench -- http [--size N] [--minutes M]`. */

import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { connect as connectSocket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { execFileSync } from "node:child_process";
import { closeServers, startServer } from "./client.ts";
import {
  connect,
  endHttpServers,
  modernParts,
  startFloor,
  startOurs,
  type Asker,
  type Era,
  type HttpServer,
  type Target,
} from "./http-client.ts";
import { median, p95, pause, right, timed } from "./measure.ts";
import { makeVault, notePathOf } from "./vault.ts";

const { values } = parseArgs({
  options: { size: { type: "string", default: "10000" }, minutes: { type: "string", default: "0" } },
});
const [size, minutes] = [Number(values.size), Number(values.minutes)];
const home = mkdtempSync(join(tmpdir(), "notewright-bench-"));
const vault = join(home, "vault");
const rows: string[] = [];
const row = (
  what: string,
  ours: string,
  beside: string,
  ratio: number,
  bar: number,
  atLeast = false,
): void => {
  const held = atLeast ? ratio >= bar : ratio <= bar;
  const line = `| ${what} | ${ours} | ${beside} | ${ratio.toFixed(2)} | ${atLeast ? "≥" : "≤"} ${bar}: ${held ? "met" : "**missed**"} |`;
  rows.push(line);
  console.log(line);
};
const one = (): Agent => new Agent({ keepAlive: true, maxSockets: 1 });
const read = (ask: Asker, at: number): Promise<string> =>
  ask("read_notes", { notes: [notePathOf(at % size)] });

/** Milliseconds of the server's processor time for a read, in blocks that take turns. */
const readCost = async (ours: HttpServer, floor: HttpServer, era: Era): Promise<void> => {
  const asks = [await connect(ours, era, "bench", one()), await connect(floor, era, "bench", one())] as const;
  const costs: [number[], number[]] = [[], []];
  for (let block = 0; block < 12; block++)
    for (const [which, server] of [ours, floor].entries()) {
      const before = server.cpu();
      for (let at = 0; at < 300; at++) await read(asks[which]!, block * 300 + at);
      if (block > 1) costs[which]!.push(((server.cpu() - before) * 1000) / 300);
    }
  const [mine, theirs] = [median(costs[0]), median(costs[1])];
  row(
    `read, processor time, ${era} era`,
    `${mine.toFixed(2)} ms`,
    `${theirs.toFixed(2)} ms`,
    mine / theirs,
    1.5,
  );
};

/** Search and append over HTTP against the same over stdio and a round trip to the floor. */
const againstStdio = async (ours: HttpServer, floor: HttpServer): Promise<void> => {
  const ask = await connect(ours, "newer", "bench", one());
  const nothing = await connect(floor, "newer", "bench", one());
  const stdio = await startServer(vault, join(home, "cache"), "native");
  const works: Record<string, (at: number) => [string, object]> = {
    search: (at) => ["search_notes", { query: `unique${at % size}x` }],
    append: (at) => [
      "edit_notes",
      { edits: [{ note: notePathOf(at % size), do: "append", text: `line ${at}` }] },
    ],
  };
  for (const [what, work] of Object.entries(works)) {
    const times = { http: [] as number[], stdio: [] as number[], trip: [] as number[] };
    for (let at = 0; at < 230; at++) {
      const [http, over, trip] = [
        await timed(() => ask(...work(at * 2))),
        await timed(() => stdio.call(...work(at * 2 + 1))),
        await timed(() => nothing("nothing", {})),
      ];
      if (at < 30) continue;
      times.http.push(http.ms);
      times.stdio.push(over.ms);
      times.trip.push(trip.ms);
    }
    const [mine, other] = [median(times.http), median(times.stdio) + median(times.trip)];
    row(
      `${what}, beside stdio and a round trip`,
      `${mine.toFixed(2)} ms`,
      `${other.toFixed(2)} ms`,
      mine / other,
      1,
    );
  }
  await stdio.close();
};

const firstAnswer = async (token: string): Promise<void> => {
  const times = { ours: [] as number[], floor: [] as number[] };
  for (let round = 0; round < 7; round++) {
    const mine = await timed(async () => {
      const server = await startOurs(vault, home, token);
      await read(await connect(server, "newer", "bench", one()), 1);
      return server;
    });
    await mine.result.end();
    const theirs = await timed(async () => {
      const server = await startFloor(vault);
      await read(await connect(server, "newer", "bench", one()), 1);
      return server;
    });
    await theirs.result.end();
    times.ours.push(mine.ms);
    times.floor.push(theirs.ms);
  }
  const [mine, theirs] = [median(times.ours), median(times.floor)];
  row("first answer after the start", `${mine.toFixed(0)} ms`, `${theirs.toFixed(0)} ms`, mine / theirs, 2);
};

const tokensOf = (count: number): string[] =>
  Array.from({ length: count }, (_, at) =>
    execFileSync(
      process.execPath,
      [join(process.cwd(), "bin/notewright.mjs"), "token", "add", `bench ${at}`, "--rights", "write"],
      { env: { ...process.env, XDG_CONFIG_HOME: join(home, "config") }, encoding: "utf8", stdio: "pipe" },
    ).trim(),
  );

/** A stream of `subscriptions/listen` that stays open. */
const listening = (target: Target, client: string): Promise<() => void> =>
  new Promise((done, failed) => {
    const { headers, message } = modernParts("subscriptions/listen", client);
    const params = { ...message.params, notifications: { resourcesListChanged: true } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, ...message, params });
    const socket = connectSocket(target.port, "127.0.0.1");
    const lines = Object.entries({
      host: `127.0.0.1:${target.port}`,
      authorization: `Bearer ${target.token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "content-length": Buffer.byteLength(body),
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`POST ${target.path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
    socket.once("data", (chunk) => {
      if (!String(chunk).startsWith("HTTP/1.1 200")) failed(new Error(String(chunk).slice(0, 200)));
      socket.resume();
      done(() => socket.destroy());
    });
    socket.on("error", failed);
  });

const memory = async (token: string, tokens: string[]): Promise<void> => {
  const stdio = await startServer(vault, join(home, "cache"), "native");
  await stdio.call("search_notes", { query: "unique1x" });
  await pause(3000);
  const beside = stdio.memory().now;
  await stdio.close();
  const ours = await startOurs(vault, home, token);
  await (
    await connect(ours, "newer", "bench", one())
  )("search_notes", { query: "unique1x" });
  await pause(3000);
  const say = (what: string, bar: number): void => {
    const now = ours.memory();
    row(what, `${now.toFixed(0)} MB`, `${beside.toFixed(0)} MB`, now / beside, bar);
  };
  say("memory, idle, beside stdio", 1.3);
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  for (let at = 0; at < 1000; at++) {
    const target = { ...ours, token: tokens[at % tokens.length]! };
    const ask = await connect(target, at % 2 === 0 ? "older" : "newer", `client ${at}`, agent);
    await read(ask, at);
  }
  await pause(3000);
  say("memory, 1,000 sessions of ten identities", 2);
  const closers: (() => void)[] = [];
  for (let at = 0; at < 1000; at++)
    closers.push(await listening({ ...ours, token: tokens[at % tokens.length]! }, `listener ${at}`));
  await pause(3000);
  say("memory, 1,000 listening streams as well", 2);
  for (const close of closers) close();
  await ours.end();
};

/** Calls a second of 1,000 clients at once, five calls each. */
const crowd = async (server: HttpServer, tokens: string[]): Promise<{ rate: number; errors: number }> => {
  let errors = 0;
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: 1000 }, async (_, at) => {
      const agent = one();
      const target = { ...server, token: tokens[at % tokens.length]! };
      try {
        const ask = await connect(target, "newer", `client ${at}`, agent);
        for (let call = 0; call < 5; call++) await read(ask, at * 5 + call);
      } catch {
        errors++;
      }
      agent.destroy();
    }),
  );
  return { rate: 5000 / ((performance.now() - begun) / 1000), errors };
};

const crowds = async (ours: HttpServer, floor: HttpServer, tokens: string[]): Promise<void> => {
  const [mine, theirs] = [[] as number[], [] as number[]];
  for (let round = 0; round < 4; round++) {
    const [us, them] = [await crowd(ours, tokens), await crowd(floor, ["none"])];
    right(us.errors === 0, `${us.errors} of 1,000 clients had errors`);
    if (round === 0) continue;
    mine.push(us.rate);
    theirs.push(them.rate);
  }
  const [a, b] = [median(mine), median(theirs)];
  row("1,000 clients at once, calls a second, 0 errors", a.toFixed(0), b.toFixed(0), a / b, 0.7, true);
};

/** Sockets that send a byte a second: how long the last of them lives, and what others notice. */
const drips = async (ours: HttpServer): Promise<void> => {
  const ask = await connect(ours, "newer", "bench", one());
  const times = async (count: number): Promise<number[]> => {
    const found: number[] = [];
    for (let at = 0; at < count; at++) {
      found.push((await timed(() => read(ask, at))).ms);
      await pause(10);
    }
    return found;
  };
  const quiet = p95(await times(400));
  const begun = performance.now();
  let last = 0;
  const sockets = Array.from({ length: 1000 }, (_, at) => {
    const socket = connectSocket(ours.port, "127.0.0.1");
    const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${ours.token}\r\n`;
    // Half of them drip headers, half a body.
    socket.write(
      at % 2 === 0 ? head : `${head}Content-Type: application/json\r\nContent-Length: 100000\r\n\r\n`,
    );
    const drip = setInterval(() => socket.write(at % 2 === 0 ? "x" : " "), 1000);
    socket.on("error", () => undefined);
    socket.on("close", () => {
      clearInterval(drip);
      last = performance.now() - begun;
    });
    socket.resume();
    return socket;
  });
  const busy = p95(await times(400));
  while (sockets.some((socket) => !socket.destroyed) && performance.now() - begun < 60_000) await pause(50);
  row(
    "1,000 dripping sockets: the last is cut after",
    `${(last / 1000).toFixed(1)} s`,
    "15 s",
    last / 15_000,
    1,
  );
  row("others meanwhile, read, p95", `${busy.toFixed(2)} ms`, `${quiet.toFixed(2)} ms`, busy / quiet, 3);
};

/** Mixed calls for some minutes: memory at the end beside that after one. */
const endurance = async (ours: HttpServer, tokens: string[]): Promise<void> => {
  const end = performance.now() + minutes * 60_000;
  const begun = performance.now();
  let after = 0;
  let calls = 0;
  await Promise.all(
    tokens.map(async (token, which) => {
      const ask = await connect(
        { ...ours, token },
        which % 2 === 0 ? "older" : "newer",
        `mixed ${which}`,
        one(),
      );
      for (let at = which; performance.now() < end; at++, calls++) {
        if (after === 0 && performance.now() - begun > 60_000) after = ours.memory();
        if (at % 20 === 0)
          await ask("edit_notes", {
            edits: [{ note: notePathOf(at % size), do: "append", text: `mixed ${at}` }],
          });
        else if (at % 3 === 0) await ask("search_notes", { query: `unique${at % size}x` });
        else await read(ask, at);
      }
    }),
  );
  const now = ours.memory();
  row(
    `memory after ${minutes} minutes of ${calls} calls`,
    `${now.toFixed(0)} MB`,
    `${after.toFixed(0)} MB`,
    now / after,
    1.1,
  );
};

try {
  makeVault(vault, size);
  console.log(
    `${size} notes; Node ${process.version}\n\n| what | Notewright | beside | × | bar |\n| --- | ---: | ---: | ---: | --- |`,
  );
  const ours = await startOurs(vault, home, null);
  await (
    await connect(ours, "newer", "bench", one())
  )("search_notes", { query: "unique1x" });
  const floor = await startFloor(vault);
  const tokens = tokensOf(10);
  await readCost(ours, floor, "newer");
  await readCost(ours, floor, "older");
  await againstStdio(ours, floor);
  await crowds(ours, floor, tokens);
  await drips(ours);
  if (minutes > 0) await endurance(ours, tokens);
  await Promise.all([ours.end(), floor.end()]);
  await firstAnswer(ours.token);
  await memory(ours.token, tokens);
} finally {
  await closeServers();
  endHttpServers();
  rmSync(home, { recursive: true, force: true });
}
