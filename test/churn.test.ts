/** A folder that never stands still: other programs rename, make, remove or append to notes as fast as a loop can, and every call is answered all the same. */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, test } from "vitest";
import { command, makeHome, type Home } from "./process.ts";
import { line } from "./wire.ts";

/** Ten times the bar of a call by name, which is 0.3 s; on a busy machine the wait of 250 ms is the least of it. */
const GUARD = 10_000;

let home: Home;
let churner: ChildProcess;
let server: ChildProcess;
afterEach(async () => {
  for (const child of [churner, server]) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  home.remove();
});

const within = async <T>(milliseconds: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${milliseconds} ms`)), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

type Answer = { result: { isError?: boolean; content: { text: string }[] } };
const started = () => {
  server = spawn(process.execPath, [command("notewright"), "serve", home.vault], {
    env: home.environment,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  createInterface({ input: server.stdout! }).on("line", (text) => {
    const answer = JSON.parse(text) as Answer & { id?: number };
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  });
  let id = 0;
  const ask = (method: string, params: object): Promise<Answer> => {
    const answered = new Promise<Answer>((resolve) => waiting.set(++id, resolve));
    server.stdin!.write(line({ id, method, params }));
    return within(GUARD, answered);
  };
  const clientInfo = { name: "test", version: "0" };
  const hello = () => ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
  const call = async (name: string, input: object) => {
    const { result } = await ask("tools/call", { name, arguments: input });
    const text = result.content.map((block) => block.text).join("\n");
    return { text, isError: result.isError === true };
  };
  return { hello, call };
};

const churning = async (kind: string): Promise<void> => {
  churner = spawn(process.execPath, [resolve("bench/churn-loop.mjs"), kind, home.vault], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(churner.stdout!, "data");
};

describe.each(["rename", "create", "append"])("churn by %s", (kind) => {
  test("every call is answered, the start too, and the process ends", { timeout: 180_000 }, async () => {
    home = makeHome();
    mkdirSync(join(home.vault, "still"));
    writeFileSync(join(home.vault, "still/Stone.md"), "granite [[Pebble]]\n");
    writeFileSync(join(home.vault, "still/Pebble.md"), "gravel\n");
    await churning(kind);
    const { hello, call } = started();
    await hello();
    for (let round = 0; round < 5; round++) {
      expect((await call("read_notes", { notes: ["still/Stone.md"] })).text).toContain("granite");
      expect((await call("read_notes", { notes: ["Pebble"] })).text).toContain("gravel");
      expect((await call("search_notes", { query: "granite" })).text).toContain("still/Stone.md");
      expect((await call("list_notes", { folder: "still" })).text).toContain("still/Pebble.md");
    }
    // Done, or refused as busy with nothing done.
    const moved = await call("move_notes", { moves: [{ from: "still/Pebble.md", to: "still/Sand.md" }] });
    const { text } = await call("read_notes", { notes: ["still/Stone.md"] });
    if (moved.isError) expect(moved.text).toMatch(/^busy: /);
    expect(text).toContain(moved.isError ? "granite [[Pebble]]" : "granite [[Sand]]");

    server.stdin!.end();
    await within(GUARD, once(server, "exit"));
  });

  test("once it stops, the index is right", { timeout: 180_000 }, async () => {
    home = makeHome();
    const { hello, call } = started();
    await hello();
    await call("list_notes", {});
    await churning(kind);
    await call("read_notes", { notes: ["Index"] });
    churner.kill("SIGKILL");
    await once(churner, "exit");
    writeFileSync(join(home.vault, "churn/Last.md"), "the very last\n");
    const last = async () => (await call("search_notes", { query: "very last" })).text;
    while (!(await last()).includes("churn/Last.md")) await new Promise((done) => setTimeout(done, 20));
    const checked = await call("check_vault", {});
    expect(checked.text).not.toContain("Notes the index has wrong");
  });
});
