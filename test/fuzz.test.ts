/** T13: broken, mutated, doubled and cancelled lines against the real process. It stays up, answers every sound request once, loses no append, and ends soon after its client. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { commitSeed, dice, type Dice } from "./faults/dice.ts";
import { hostileMessages } from "./hostile/messages.ts";
import { HELLO, startSession } from "./hostile/session.ts";
import { command, makeHome, type Home } from "./process.ts";
import { soak } from "./soak-size.ts";
import { call, line } from "./wire.ts";

let home: Home;
beforeAll(() => void (home = makeHome()));
afterAll(() => home.remove());

/** A request that anybody might send, under an id that only broken lines have. */
const sample = (roll: Dice, number: number): string => {
  const id = `x${number}`;
  return roll.pick([
    call(id, "read_note", { name: "Garlic" }),
    call(id, "search_notes", { query: "garlic" }),
    call(id, "append_note", { name: "Comfrey", text: "mutated" }),
    line({ id, method: "tools/list" }),
    line({ id, method: "ping" }),
    line({ method: "notifications/cancelled", params: { requestId: id } }),
    line({ id, result: {} }),
    line({ id, error: { code: 1, message: "no" } }),
  ]);
};

const PIECES = [
  "\0",
  "\\",
  '"',
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  "null",
  "1e999",
  "\u2028",
  "\ud800",
  "\r",
  "__proto__",
];
/** Bytes changed, cut, doubled, swapped for marks of JSON; never an id of a sound request, which begin with T. */
const mutated = (roll: Dice, text: string): string => {
  let broken = text.slice(0, -1);
  for (let times = 1 + roll.below(4); times > 0; times--) {
    const at = roll.below(broken.length + 1);
    const length = roll.below(12);
    const piece = roll.pick([
      () => "",
      () => roll.pick(PIECES),
      () => String.fromCharCode(roll.below(0x3000)),
      () => broken.slice(at, at + length).repeat(2),
      () => "[".repeat(roll.below(2000)),
    ])();
    broken = broken.slice(0, at) + piece + broken.slice(at + length);
  }
  return `${broken.replaceAll(/"T\d/g, '"x').replaceAll("\n", " ")}\n`;
};

/** `tracked`: the ids that must be answered once each; `words`: what the answered appends must have left behind, once each. */
type Sent = { lines: string[]; tracked: string[]; words: string[] };

const linesToSend = (roll: Dice, from: number, count: number): Sent => {
  const sent: Sent = { lines: [], tracked: [], words: [] };
  for (let number = from; number < from + count; number++) {
    const id = `T${number}`;
    const kind = roll.below(10);
    if (kind < 6) sent.lines.push(mutated(roll, sample(roll, number)));
    else if (kind === 6) {
      sent.words.push(`word${number}.`);
      sent.tracked.push(id);
      sent.lines.push(call(id, "append_note", { name: "Garlic", text: `word${number}.` }));
    } else if (kind === 7) {
      const cancel = line({ method: "notifications/cancelled", params: { requestId: `C${id}` } });
      sent.lines.push(call(`C${id}`, "append_note", { name: "Comfrey", text: "cancelled" }), cancel);
    } else {
      sent.tracked.push(id);
      sent.lines.push(call(id, roll.pick(["read_note", "get_links"]), { name: "Comfrey" }));
    }
  }
  return sent;
};

const start = () =>
  spawn(
    process.execPath,
    [command("notewright"), "serve", home.vault, "--tools", "obsidian", "--durability", "fast"],
    {
      env: home.environment,
      stdio: ["pipe", "pipe", "pipe"],
    },
  );

test("mutated lines among sound ones", { timeout: 60_000 * soak }, async () => {
  const seed = commitSeed();
  const roll = dice(seed);
  const total = 2000 * soak;
  const child = start();
  const ended = once(child, "close");
  let log = "";
  child.stderr.on("data", (chunk) => (log += String(chunk)));
  const answered = new Map<unknown, number>();
  const waiting = { open: 0, wake: (): void => undefined };
  let rest = "";
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const text of lines) {
      const { id } = JSON.parse(text) as { id: unknown };
      answered.set(id, (answered.get(id) ?? 0) + 1);
      if (typeof id === "string" && id.startsWith("T")) waiting.open--;
    }
    waiting.wake();
  });
  // A server that has ended answers nothing more, and must not be waited for.
  child.once("exit", () => waiting.wake());
  child.stdin.on("error", () => undefined);
  child.stdin.write(line({ id: "hello", method: "initialize", params: HELLO }));
  const all: Sent = { lines: [], tracked: [], words: [] };
  // In rounds, each answered before the next: below the number of calls at which the server says that it is busy.
  for (let from = 0; from < total; from += 500) {
    const sent = linesToSend(roll, from, 500);
    all.tracked.push(...sent.tracked);
    all.words.push(...sent.words);
    waiting.open += sent.tracked.length;
    const bytes = Buffer.from(sent.lines.join(""));
    for (let at = 0, length = 0; at < bytes.length; at += length) {
      length = 1 + roll.below(5000);
      if (!child.stdin.write(bytes.subarray(at, at + length)))
        await Promise.race([once(child.stdin, "drain"), ended]);
    }
    while (waiting.open > 0 && child.exitCode === null)
      await new Promise<void>((done) => (waiting.wake = done));
  }
  child.stdin.end();
  const [code] = await ended;
  const wrong = all.tracked.filter((id) => answered.get(id) !== 1);
  expect({ seed, code, wrong }).toEqual({ seed, code: 0, wrong: [] });
  expect(log).not.toMatch(/defect/);
  const text = readFileSync(join(home.vault, "Plants/Garlic.md"), "utf8");
  expect(all.words.filter((word) => text.split(word).length !== 2)).toEqual([]);
  expect(all.words.length).toBeGreaterThan(total / 20);
});

test(
  "attack 50: any field of any message may hold anything, and the process goes on",
  { timeout: 60_000 * soak },
  async () => {
    const seed = commitSeed();
    const roll = dice(seed);
    const read = { tool: "read_note", input: { name: "Garlic" }, envelope: false };
    const session = startSession(["serve", home.vault, "--tools", "obsidian"], home.environment);
    await session.ask("initialize", HELLO);
    let sent = 0;
    for (const { line: bytes } of hostileMessages(read, () => roll.below(Math.ceil(20 / soak)) === 0)) {
      session.write(bytes);
      if (++sent % 20 === 0)
        expect((await session.call("read_note", { name: "Comfrey" })).error).toBeUndefined();
    }
    const { code, stderr } = await session.end();
    expect({ seed, code, stderr: stderr.match(/.*defect.*/g) }).toEqual({ seed, code: 0, stderr: null });
  },
);

describe("a client that goes away", () => {
  /** Ten times the second it may take. */
  const PATIENCE = 10_000;
  const endsSoon = async (child: ReturnType<typeof start>): Promise<void> => {
    const began = performance.now();
    const [code, signal] = await once(child, "close");
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(PATIENCE);
    expect(() => process.kill(child.pid!, 0)).toThrow();
  };

  test.each<[string, (child: ReturnType<typeof start>) => void]>([
    ["in the middle of a line", (child) => child.stdin.end('{"jsonrpc":"2.0","id":1,"meth')],
    ["in the middle of a character", (child) => child.stdin.end(Buffer.from([0x22, 0xe2, 0x82]))],
    [
      "with calls under way",
      (child) => {
        for (let number = 0; number < 200; number++)
          child.stdin.write(call(`c${number}`, "append_note", { name: "Garlic", text: "under way" }));
        child.stdin.end();
      },
    ],
    [
      "without reading what it asked for",
      (child) => {
        child.stdout.destroy();
        for (let number = 0; number < 200; number++)
          child.stdin.write(call(`c${number}`, "read_note", { name: "Garlic" }));
        child.stdin.end();
      },
    ],
    ["before it said anything", (child) => child.stdin.end()],
  ])("%s", async (_, leave) => {
    const child = start();
    child.stdin.on("error", () => undefined);
    child.stdout.resume();
    child.stdin.write(line({ id: "hello", method: "initialize", params: HELLO }));
    leave(child);
    await endsSoon(child);
  });
});
