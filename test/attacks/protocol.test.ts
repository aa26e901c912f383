/** Attacks on the wire, against the real process: lines without end, floods, a client that never reads. */

import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LINE_LIMIT } from "../../src/stdio/lines.ts";
import { HELLO, startSession, type Answer } from "../hostile/session.ts";
import { command, makeHome, type Home } from "../process.ts";
import { share, some } from "../soak-size.ts";
import { call, line } from "../wire.ts";

let home: Home;
beforeAll(() => void (home = makeHome()));
afterAll(() => home.remove());

describe("attack 17: a line over the limit is refused, and the session goes on", () => {
  test.each([
    [
      "with its id first",
      (filler: string) => `{"jsonrpc":"2.0","id":"long","method":"ping","params":{"x":"${filler}"}}`,
    ],
    [
      "with its id last",
      (filler: string) => `{"jsonrpc":"2.0","method":"ping","params":{"x":"${filler}"},"id":"long"}`,
    ],
    ["that is no JSON", (filler: string) => filler],
  ])("%s", async (kind, make) => {
    const session = startSession(["serve", home.vault], home.environment);
    await session.ask("initialize", HELLO);
    session.write(`${make("x".repeat(LINE_LIMIT + 1))}\n`);
    expect((await session.call("list_notes", {})).result?.isError).not.toBe(true);
    const ended = await session.end();
    const answers = ended.stdout
      .split("\n")
      .filter(Boolean)
      .map((text) => JSON.parse(text) as Answer);
    const refused = answers.filter((answer) => answer.error?.code === -32600);
    expect(refused.map((answer) => answer.id)).toEqual([kind === "that is no JSON" ? null : "long"]);
    expect(ended.code).toBe(0);
    expect(ended.peak).toBeLessThan(512);
  });

  test("so is one that never ends, however long it grows", async () => {
    const session = startSession(["serve", home.vault], home.environment);
    await session.ask("initialize", HELLO);
    for (let piece = 0; piece < 100; piece++) session.write("x".repeat(2 * 1024 * 1024));
    const ended = await session.end();
    expect(ended.code).toBe(0);
    // 200 MiB were sent; what is kept of them is the edges.
    expect(ended.peak).toBeLessThan(400);
  });
});

describe("attack 49: a thousand reads of a long note at once fill no memory", () => {
  /** Of the 7.9 GB that are asked for, a client that reads waits for these many answers. */
  const ANSWERS = share(30);
  const PATIENCE = 50_000;
  const LONG = "A plain paragraph of “words” that says little.\n\n";
  const read = {
    obsidian: ["read_note", { name: "Long" }],
    native: ["read_notes", { notes: ["Long.md"] }],
  } as const;

  test.each([
    ["obsidian", true],
    ["obsidian", false],
    ["native", true],
  ] as const)("%s, by a client that reads: %s", { timeout: 2 * PATIENCE }, async (surface, reads) => {
    writeFileSync(
      join(home.vault, "Long.md"),
      `# Long\n\n${LONG.repeat(7_900_000 / Buffer.byteLength(LONG))}`,
    );
    const child = spawn(process.execPath, [command("notewright"), "serve", home.vault, "--tools", surface], {
      env: home.environment,
      stdio: ["pipe", "pipe", "ignore"],
    });
    const ended = new Promise((done) => child.on("close", done));
    child.stdin.on("error", () => undefined);
    const peak = (): number =>
      Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]) / 1024;
    const [tool, input] = read[surface];
    child.stdin.write(line({ id: "hello", method: "initialize", params: HELLO }));
    for (let number = 0; number < 1000; number++) child.stdin.write(call(number, tool, input));
    let answers = 0;
    const until = performance.now() + (reads ? PATIENCE : 4000);
    if (reads)
      child.stdout.on("data", (chunk: Buffer) => {
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) answers++;
      });
    const enough = () => answers >= ANSWERS || performance.now() > until;
    while (!enough()) await new Promise((done) => setTimeout(done, 50));
    const most = peak();
    child.stdin.end();
    child.stdout.resume();
    await ended;
    if (reads) expect(answers).toBeGreaterThanOrEqual(ANSWERS);
    expect(most).toBeLessThan(512);
  });
});

describe("attack 58: one call, or fifty at once, do not keep others waiting", () => {
  /** Milliseconds of processor time, of which a busy machine takes several times as many: a turn of 100 was seen as 500. */
  const TURN = 1000;

  test.each(some(["- [ ] item [[link]] #tag/sub\n", "## Head\n\ntext [[link]] #tag\n\n"]))(
    "a long note of %j is edited, moved, compared and taken back",
    { timeout: 120_000 },
    async (piece) => {
      writeFileSync(
        join(home.vault, "Long.md"),
        `# Long\n\n${piece.repeat(7_500_000 / piece.length)}\n## Last\n\nThe last words\n`,
      );
      const session = startSession(["serve", home.vault], home.environment);
      await session.ask("initialize", HELLO);
      const edit = (edits: object[]) => session.call("edit_notes", { edits });
      const one = { note: "Long.md", do: "replace_text", find: "The last words", text: "The last words" };
      const many = await edit(Array.from({ length: 500 }, () => one));
      expect(many.result?.content?.[0]?.text).toMatch(/^too_large: .* at a time\.$/);
      const inLast = { note: "Long.md#Last", do: "append", text: "z" };
      const inFirst = { note: "Long.md#Long", do: "prepend", text: "x" };
      const calls: [tool: string, input: object][] = [
        ...[
          [one, one, one],
          [inLast, inFirst, inLast],
          [{ note: "Long.md", do: "add_tags", items: ["q"] }],
          [{ note: "Long.md", do: "remove_tags", items: ["tag"] }],
        ].map((edits): [string, object] => ["edit_notes", { edits }]),
        ["move_notes", { moves: [{ from: "Long.md", to: "In/Longer.md" }] }],
        ["get_history", { note: "In/Longer.md", diff: true }],
        ["undo_changes", { last: 2 }],
        ["delete_note", { path: "Long.md" }],
      ];
      for (const [tool, input] of calls) {
        let answer = await session.call(tool, input);
        const isBusy = () => answer.result?.content?.[0]?.text.startsWith("busy:") ?? false;
        // On a busy machine the watcher may still be looking at what was written just before.
        for (let again = 0; again < 10 && isBusy(); again++) answer = await session.call(tool, input);
        expect(answer.result?.isError, JSON.stringify(answer).slice(0, 500)).not.toBe(true);
      }
      const ended = await session.end();
      expect(ended.worst).toBeLessThan(TURN);
      expect(ended.peak).toBeLessThan(512);
    },
  );

  test("walks over links", { timeout: 120_000 }, async () => {
    const NOTES = 1000;
    mkdirSync(join(home.vault, "Web"));
    for (let number = 0; number < NOTES; number++)
      writeFileSync(
        join(home.vault, `Web/n${number}.md`),
        Array.from({ length: 20 }, (_, at) => `[[n${(number * 7 + at * at * 131) % NOTES}]]\n`).join(""),
      );
    const session = startSession(["serve", home.vault, "--tools", "cairn"], home.environment);
    await session.ask("initialize", HELLO);
    const walk = (number: number) => session.call("cairn_links", { path: `Web/n${number}`, depth: 10 });
    await walk(0);
    let walked = 0;
    const walks = Array.from({ length: 50 }, async (_, number) => {
      expect((await walk(number)).result?.isError).not.toBe(true);
      walked++;
    });
    // Asked after all of them, and answered before most.
    await session.ask("ping");
    expect(walked).toBeLessThan(25);
    await Promise.all(walks);
    expect((await session.end()).worst).toBeLessThan(TURN);
  });
});

test("attack 18: a flood from a client that does not read fills no memory, and in the end all is answered", async () => {
  const child = spawn(process.execPath, [command("notewright"), "serve", home.vault, "--tools", "obsidian"], {
    env: home.environment,
    stdio: ["pipe", "pipe", "ignore"],
  });
  const ended = new Promise<number | null>((done) => child.on("close", done));
  const memory = (): number =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))![1]) / 1024;
  const PINGS = 20_000;
  const READS = 1500;
  child.stdin.write(line({ id: "hello", method: "initialize", params: HELLO }));
  child.stdin.write(call("long", "append_note", { name: "Garlic", text: "clove ".repeat(20_000) }));
  for (let number = 0; number < PINGS; number++)
    child.stdin.write(line({ id: `p${number}`, method: "ping" }));
  // A hundred kilobytes each: far more than may wait in the pipe.
  for (let number = 0; number < READS; number++)
    child.stdin.write(call(`r${number}`, "read_note", { name: "Garlic" }));
  let most = 0;
  for (let look = 0; look < 20; look++) {
    await new Promise((done) => setTimeout(done, 100));
    most = Math.max(most, memory());
  }
  expect(most).toBeLessThan(400);
  const seen = new Map<string, number>();
  let rest = "";
  for await (const chunk of child.stdout.setEncoding("utf8")) {
    const lines = (rest + String(chunk)).split("\n");
    rest = lines.pop()!;
    for (const text of lines) {
      const id = /"id":"(\w+)"/.exec(text.slice(-100))?.[1] ?? /"id":"(\w+)"/.exec(text)![1]!;
      seen.set(id, (seen.get(id) ?? 0) + 1);
    }
    if (seen.size === PINGS + READS + 2) child.stdin.end();
  }
  expect(await ended).toBe(0);
  expect([...seen.values()].every((count) => count === 1)).toBe(true);
});
