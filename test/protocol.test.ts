/** Hostile and broken input on the wire: nothing falls over, and every request that can be told apart is answered once. */

import { PassThrough } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { connect } from "../src/stdio/stdio.ts";
import { commitSeed, dice } from "./faults/dice.ts";
import { hostileMessages } from "./hostile/messages.ts";
import { soak } from "./soak-size.ts";
import { surfaces } from "./surfaces.ts";
import { ANYBODY, noTroubles } from "./server.ts";
import { openVault } from "./vault.ts";

type Answer = { id: number | string | null; result?: unknown; error?: { code: number; message: string } };

/** Sends bytes to a server of its own and gives every line it answered. */
const exchange = async (
  surface: string,
  bytes: Buffer,
  chunk = bytes.length,
): Promise<{ answers: Answer[]; logged: string[]; text: string | undefined }> => {
  const vault = await openVault({ folder: false });
  await vault.put("test.md", "Hello\n");
  const [input, output] = [new PassThrough(), new PassThrough()];
  const log = (line: string) => vault.logged.push(line);
  const of = surfaces.find((it) => it.name === surface)!;
  const session = connect(
    of,
    vault.notebook,
    { version: "0", principal: ANYBODY, troubles: noTroubles(), log },
    { input, output, limit: 200_000 },
  );
  let out = "";
  output.on("data", (data) => (out += String(data)));
  for (let at = 0; at < bytes.length; at += chunk) input.write(bytes.subarray(at, at + chunk));
  input.end("\n");
  await session.ended;
  await session.idle();
  await session.close();
  const text = (await vault.state()).get("test.md");
  await vault.close();
  const answers = out
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Answer);
  return { answers, logged: vault.logged, text };
};

const HELLO = {
  jsonrpc: "2.0",
  id: "hello",
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "fuzz", version: "1" } },
};
const lines = (...messages: unknown[]): Buffer =>
  Buffer.from([HELLO, ...messages].map((message) => JSON.stringify(message)).join("\n"));
const call = (id: number, name: string, args: unknown) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

test("arguments of every kind are answered, each once, none as a defect", async () => {
  const names = surfaces.flatMap((surface) =>
    surface.tools.map((tool) => [surface.name, tool.name] as const),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...names),
      fc.array(
        fc.dictionary(
          fc.constantFrom("name", "path", "title", "content", "id", "query", "limit", "__proto__", "dry_run"),
          fc.jsonValue(),
        ),
        { minLength: 1, maxLength: 8 },
      ),
      async ([surface, tool], given) => {
        const { answers, logged } = await exchange(
          surface,
          lines(...given.map((args, id) => call(id, tool, args))),
        );
        expect(answers.map((answer) => answer.id).toSorted()).toEqual([...given.keys(), "hello"].toSorted());
        expect(logged).toEqual([]);
      },
    ),
    { numRuns: 60 },
  );
});

test("mutated lines, in pieces of any size, end no session", async () => {
  const good = lines(...Array.from({ length: 6 }, (_, id) => call(id, "read_note", { name: "test" })));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { maxLength: 6 }),
      fc.integer({ min: 1, max: 400 }),
      async (changes, chunk) => {
        const bytes = Buffer.from(good);
        for (const [at, value] of changes) bytes[at] = value;
        const last = Buffer.from(`\n${JSON.stringify({ jsonrpc: "2.0", id: "last", method: "ping" })}`);
        const { answers } = await exchange("obsidian", Buffer.concat([bytes, last]), chunk);
        expect(answers.filter((answer) => answer.id === "last")).toHaveLength(1);
      },
    ),
    { numRuns: 60 },
  );
});

test.each([
  ["arguments that are no object", call(1, "read_note", "test"), -32602],
  ["a tool there is none of", call(1, "constructor", {}), -32602],
  ["no tool at all", { jsonrpc: "2.0", id: 1, method: "tools/call", params: {} }, -32602],
  ["a method there is none of", { jsonrpc: "2.0", id: 1, method: "tools/eat" }, -32601],
  ["a line over the cap", call(1, "read_note", { name: "x".repeat(300_000) }), -32600],
])("%s is a protocol error, and the next call is answered", async (_, message, code) => {
  const { answers } = await exchange("obsidian", lines(message, call(2, "read_note", { name: "test" })));
  expect(answers.find((answer) => answer.id === 1 || answer.id === null)?.error?.code).toBe(code);
  expect(JSON.stringify(answers.find((answer) => answer.id === 2)?.result)).toContain("Hello");
});

test("values nested thousands deep are answered, not fallen over", async () => {
  const deep = JSON.stringify(call(1, "read_note", { name: "HERE" })).replace(
    '"HERE"',
    "[".repeat(20_000) + "]".repeat(20_000),
  );
  const next = JSON.stringify(call(2, "read_note", { name: "test" }));
  const { answers } = await exchange("obsidian", Buffer.concat([lines(), Buffer.from(`\n${deep}\n${next}`)]));
  expect(answers.map((answer) => answer.id).toSorted()).toEqual([1, 2, "hello"]);
});

test.each([
  ["the older protocol", false],
  ["the newer protocol", true],
])(
  "attack 50: no field of a message of %s can hold what ends the session",
  { timeout: 60_000 },
  async (_, envelope) => {
    const vault = await openVault({ folder: false });
    await vault.put("test.md", "Hello\n");
    const [input, output] = [new PassThrough(), new PassThrough()];
    const log = (line: string) => vault.logged.push(line);
    const native = surfaces.find((it) => it.name === "native")!;
    const connection = connect(
      native,
      vault.notebook,
      { version: "0", principal: ANYBODY, troubles: noTroubles(), log },
      { input, output },
    );
    const answered = new Map<unknown, number>();
    let rest = "";
    output.setEncoding("utf8").on("data", (data: string) => {
      const said = (rest + data).split("\n");
      rest = said.pop()!;
      for (const { id, method } of said.map((line) => JSON.parse(line) as { id: unknown; method?: string }))
        if (method === undefined) answered.set(id, (answered.get(id) ?? 0) + 1);
    });
    if (!envelope) input.write(`${JSON.stringify(HELLO)}\n`);
    const seed = commitSeed();
    const roll = dice(seed);
    const READ = { tool: "read_notes", input: { notes: ["test.md"] }, envelope };
    const wanted = () => soak > 1 || roll.below(10) === 0;
    const tracked: string[] = [];
    for (const { line, id, tracked: counts } of hostileMessages(READ, wanted)) {
      if (counts) tracked.push(id);
      if (!input.write(line)) await new Promise((drained) => input.once("drain", drained));
      // Below the number of calls at which the server says that it is busy.
      if (tracked.length % 100 === 0) await connection.idle();
    }
    input.end();
    await connection.ended;
    await connection.idle();
    await connection.close();
    await vault.close();
    expect(tracked.length).toBeGreaterThan(200);
    const wrong = tracked.filter((id) => answered.get(id) !== 1);
    const defects = vault.logged.filter((line) => line.startsWith("defect"));
    expect({ seed, wrong, defects }).toEqual({ seed, wrong: [], defects: [] });
  },
);

test("more calls than may wait are told that the server is busy, and all are answered", async () => {
  const calls = Array.from({ length: 1500 }, (_, id) => call(id, "append_note", { name: "test", text: "x" }));
  const { answers } = await exchange("obsidian", lines(...calls));
  expect(answers).toHaveLength(1501);
  const busy = answers.filter((answer) => JSON.stringify(answer.result ?? "").includes("still under way"));
  expect(busy.length).toBeGreaterThan(0);
  expect(busy.length).toBeLessThan(1500);
});

test("a call that was cancelled before its turn is not carried out", async () => {
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };
  const messages = lines(
    call(1, "append_note", { name: "test", text: "first" }),
    call(2, "append_note", { name: "test", text: "second" }),
    cancel,
    call(3, "read_note", { name: "test" }),
  );
  const { answers, logged, text } = await exchange("obsidian", messages);
  expect(answers.map((answer) => answer.id)).not.toContain(2);
  expect(text).toContain("first");
  expect(text).not.toContain("second");
  expect(logged).toEqual([]);
});
