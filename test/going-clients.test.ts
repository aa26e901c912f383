/** Clients that go away, in every order in which the three streams can close, while a server indexes, records, looks at edits or has nothing to do: no process is left, and none spins. */

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commitSeed, dice } from "./faults/dice.ts";
import { HELLO } from "./hostile/session.ts";
import { isAlive, ORDERS, startOnPipes, type Stream } from "./pipes.ts";
import { command } from "./process.ts";
import { line } from "./wire.ts";

const NOTES = 1500;
/** Ten times the two seconds that it may take. */
const PATIENCE = 20_000;

let home: string;
let vault: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), "notewright-going-"));
  vault = join(home, "vault");
  mkdirSync(vault);
  for (let number = 0; number < NOTES; number++)
    writeFileSync(
      join(vault, `Note ${number}.md`),
      `# Note ${number}\n\n${`word${number} clove `.repeat(60)}[[Note ${number + 1}]]\n`,
    );
});
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 10 }));

let homes = 0;
/** `indexed: false`: a cache of its own, so that the vault is indexed anew. */
const environment = ({ indexed }: { indexed: boolean }): Record<string, string> => ({
  PATH: process.env.PATH ?? "",
  HOME: home,
  XDG_CONFIG_HOME: join(home, "config"),
  XDG_CACHE_HOME: join(home, indexed ? "cache" : `cache-${homes++}`),
});
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const soon = <T>(what: Promise<T>): Promise<T | "never"> =>
  Promise.race([what, pause(PATIENCE).then(() => "never" as const)]);

type Server = ReturnType<typeof startOnPipes>;
const servers: Server[] = [];
const start = (indexed: boolean): Server => {
  const server = startOnPipes(["serve", vault, "--durability", "fast"], environment({ indexed }));
  servers.push(server);
  return server;
};
afterAll(() => {
  for (const server of servers) if (isAlive(server.pid)) server.kill();
});
/** Reads answers until one holds these words. */
const until = async (server: Server, words: string): Promise<void> => {
  let said = "";
  for (const end = performance.now() + PATIENCE; !said.includes(words); await pause(2)) {
    if (performance.now() > end) throw new Error(`no answer with ${words}: ${said.slice(-300)}`);
    said += server.read("stdout");
  }
};
/** An answer that nobody asked for, before the first request: the server writes a line about it to its log. */
const TO_BE_LOGGED = line({ id: "nobody", result: {} });
/** It is answered, and is no request. */
const NO_JSON = "no JSON\n";
const isUp = async (server: Server): Promise<void> => {
  server.write(NO_JSON);
  await until(server, "Parse error");
};

describe("after stderr alone has closed", () => {
  test("the server goes on, however much it has to report", async () => {
    const server = start(true);
    await isUp(server);
    server.close("stderr");
    server.write(TO_BE_LOGGED.repeat(50));
    await isUp(server);
    server.write(line({ id: "hello", method: "initialize", params: HELLO }));
    await until(server, '"id":"hello"');
    server.close("stdin");
    expect(await soon(server.ended)).toBe(0);
  });

  test("and one whose stderr is never read is not held up", async () => {
    const server = start(true);
    await isUp(server);
    for (let round = 0; round < 20; round++) {
      server.write(TO_BE_LOGGED.repeat(200));
      await isUp(server);
    }
    server.close("stdin");
    expect(await soon(server.ended)).toBe(0);
  });
});

test("a server whose answers nobody can read ends", async () => {
  const server = start(true);
  await isUp(server);
  server.close("stdout");
  server.write(NO_JSON);
  expect(await soon(server.ended)).toBe(0);
});

test("the end of the input is seen although more answers wait than may wait", async () => {
  const server = start(true);
  await isUp(server);
  for (let number = 0; number < 30; number++)
    server.write(line({ id: number, method: "tools/list" }).repeat(20));
  server.close("stdin");
  expect(await soon(server.ended)).toBe(0);
});

describe.each([
  ["while the vault is first indexed and recorded", false],
  ["of a vault that is indexed", true],
])("%s", (_, indexed) => {
  test.each(ORDERS.map((order) => [order.join(", ")] as const))(
    "closing %s ends the server",
    async (order) => {
      const seed = commitSeed();
      const roll = dice(seed + order.length + Number(indexed));
      const server = start(indexed);
      if (indexed) await isUp(server);
      else await pause(roll.below(1500));
      for (const stream of order.split(", ") as Stream[]) {
        server.close(stream);
        // Something to report and something to answer, while some of the streams are gone.
        server.write(TO_BE_LOGGED + NO_JSON);
        await pause(roll.below(50));
      }
      expect({ seed, code: await soon(server.ended) }).toEqual({ seed, code: 0 });
    },
  );
});

/** A client of its own: it starts a server, says its number, and asks and writes for ever. */
const CLIENT = `
const { spawn } = require("node:child_process");
const [command, vault, order, gap] = process.argv.slice(1);
const server = spawn(process.execPath, [command, "serve", vault, "--durability", "fast"], { stdio: "pipe" });
process.stdout.write(server.pid + "\\n");
server.stdin.on("error", () => undefined);
const say = (message) => server.stdin.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
let id = 1;
setTimeout(() => say({ id: 0, method: "initialize", params: ${JSON.stringify(HELLO)} }), 2 * gap);
setInterval(() => {
  if (server.stdin.destroyed) return;
  if (id++ < (gap * 2) / 5) return server.stdin.write("no JSON\\n" + JSON.stringify({ jsonrpc: "2.0", id: "nobody", result: {} }) + "\\n");
  say({ id: id++, method: "tools/call", params: { name: "search_notes", arguments: { query: "clove" } } });
  say({ id: id++, method: "tools/call", params: { name: "edit_notes", arguments: { edits: [{ note: "Note 1.md", op: "append", text: "x" }] } } });
}, 5);
server.stdout.resume();
server.stderr.resume();
order.split(",").forEach((stream, at) => setTimeout(() => server[stream].destroy(), gap * (at + 1)));
`;

test(
  "ten servers whose clients are killed at random moments, with every order of closing streams, leave no process",
  { timeout: 120_000 },
  async () => {
    const seed = commitSeed();
    const roll = dice(seed);
    const pids = await Promise.all(
      Array.from({ length: 10 }, async (_, number) => {
        const order = ORDERS[number % ORDERS.length]!.join(",");
        const life = 300 + roll.below(2500);
        const gap = String(200 + roll.below(1500));
        const client = spawn(process.execPath, ["-e", CLIENT, command("notewright"), vault, order, gap], {
          env: environment({ indexed: number % 2 === 0 }),
          stdio: ["ignore", "pipe", "ignore"],
        });
        const said = await new Promise<string>((resolve) =>
          client.stdout.once("data", (it) => resolve(String(it))),
        );
        await pause(life);
        client.kill("SIGKILL");
        return Number(said);
      }),
    );
    // Edits by another program go on, so that there is always something to look at.
    const left = () => pids.filter(isAlive);
    for (
      const end = performance.now() + PATIENCE;
      left().length > 0 && performance.now() < end;
      await pause(50)
    )
      writeFileSync(join(vault, `Note ${roll.below(NOTES)}.md`), `edited ${roll.below(1000)}\n`);
    const orphans = left();
    for (const pid of orphans) process.kill(pid, "SIGKILL");
    expect({ seed, orphans }).toEqual({ seed, orphans: [] });
  },
);
