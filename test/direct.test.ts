/** Calls that pass the protocol library by are answered in the bytes it would have answered in: the same lines, to a server with the short way and to one without. */

import { PassThrough } from "node:stream";
import {
  CLIENT_INFO_META_KEY,
  parseJSONRPCMessage,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { notePath } from "../src/notebook/paths.ts";
import { toolCalls } from "../src/server/calls.ts";
import { directCalls } from "../src/server/direct.ts";
import { introductionOf, VERSIONS } from "../src/server/introduction.ts";
import { lineTransport } from "../src/server/lines.ts";
import { listenTo } from "../src/server/library.ts";
import { mcpServer } from "../src/server/mcp.ts";
import { surfaces } from "../src/surfaces/all.ts";
import { ADDS, READS, tool, type Surface } from "../src/surfaces/surface.ts";
import { breaks, refuses } from "./trial-tools.ts";
import { openVault } from "./vault.ts";

/** One tool for each thing that can happen to a call. */
const trial: Surface = {
  name: "trial",
  instructions: "Tools to try the server with.",
  explain: (error) => ({ code: error.code, said: error.message }),
  opening: async () => "The opening block.",
  tools: [
    tool({
      name: "read",
      aliases: ["Read"],
      description: "Text of a note.",
      annotations: READS,
      input: z.object({ name: z.string(), lines: z.int().optional() }),
      run: async (notebook, { name }) => (await notebook.read(notePath(`${name}.md`))).text ?? "",
    }),
    tool({
      name: "count",
      description: "Data, and a word of progress on the way.",
      annotations: READS,
      input: z.object({}),
      output: z.object({ count: z.int() }),
      run: async (notebook) => {
        // The first and the last are told however quickly they come, the one between only where it comes late.
        for (const done of [1, 3]) notebook.who.progress?.(done, 3, "Counting");
        return { count: 3, client: notebook.who.client, nothing: undefined, odd: "\ud800 \u2028 é" };
      },
    }),
    tool({
      name: "words",
      description: "Words beside data.",
      annotations: READS,
      input: z.object({}),
      output: z.object({ n: z.int() }),
      run: async () => ({ text: ["one", "two"], structured: { n: 2 } }),
    }),
    tool({
      name: "remark",
      description: "Text with a remark.",
      annotations: READS,
      input: z.object({}),
      run: async () => ({ text: "said", remark: "aside" }),
    }),
    tool({
      name: "list",
      description: "A list.",
      annotations: READS,
      input: z.object({}),
      run: async () => [1, 2],
    }),
    tool({
      name: "append",
      description: "Writes, slowly, in turn.",
      annotations: ADDS,
      input: z.object({ text: z.string() }),
      async run(notebook, { text }) {
        await new Promise((resolve) => setTimeout(resolve, 3));
        await notebook.edit([
          { path: notePath("log.md"), edits: [(old) => `${old}${text}\n`], orCreate: "" },
        ]);
        return (await notebook.read(notePath("log.md"))).text ?? "";
      },
    }),
    tool({
      name: "wait",
      description: "Ends when it is called off.",
      annotations: READS,
      input: z.object({}),
      run: (notebook) =>
        new Promise((_, reject) => {
          notebook.who.signal?.addEventListener("abort", () => reject(new Error("called off")));
        }),
    }),
    refuses,
    breaks("no"),
  ],
};

type Options = { short: boolean; readOnly?: boolean };

const open = async (surface: Surface, { short, readOnly = false }: Options) => {
  const vault = await openVault({ folder: false });
  await vault.put("test.md", "---\ntags: [a]\n---\n# Test\n\nHello [[other]] #b\n");
  await vault.put("folder/other.md", "Other, see [[test]].\n");
  const [input, output] = [new PassThrough(), new PassThrough()];
  const logged: string[] = [];
  const options = { version: "0", readOnly, connection: "c", log: (line: string) => logged.push(line) };
  const onerror = (error: Error) => logged.push(`protocol: ${error.message}`);
  const calls = toolCalls(surface, vault.notebook, options);
  const direct = directCalls(calls, introductionOf(surface, options.version));
  const made = () => mcpServer(surface, vault.notebook, options, calls);
  let taken = 0;
  const counted: typeof direct.take = (message, send) => {
    const answer = direct.take(message, send);
    if (answer) taken++;
    return answer;
  };
  const transport = lineTransport(input, output, {
    limit: 100_000,
    ...(short ? { shortcut: { ...direct, take: counted } } : {}),
    listener: async () => (short ? listenTo(transport, direct, made, onerror).parse : parseJSONRPCMessage),
  });
  if (short) await transport.start();
  else serveStdio(made, { transport, onerror });
  let said = "";
  output.on("data", (data) => (said += String(data)));
  const pause = () => new Promise((resolve) => setTimeout(resolve, 0));
  return {
    /** Every line that comes back until all is quiet. */
    async send(...lines: string[]): Promise<string[]> {
      said = "";
      input.write(lines.map((line) => `${line}\n`).join(""));
      for (let turn = 0; turn < 3; turn++) await pause();
      await Promise.race([transport.idle(), new Promise((resolve) => setTimeout(resolve, 500))]);
      for (let turn = 0; turn < 3; turn++) await pause();
      return said.split("\n").filter(Boolean);
    },
    taken: () => taken,
    async close() {
      await transport.close();
      const state = await vault.state();
      await vault.close();
      return { logged, state };
    },
  };
};

const json = (message: object): string => JSON.stringify({ jsonrpc: "2.0", ...message });
const CAPABLE = { "io.modelcontextprotocol/clientCapabilities": {} };
const ENVELOPE = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "trial <x>", version: "1" },
  ...CAPABLE,
};
const HELLO = json({
  id: "hello",
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "trial", version: "1" } },
});
type Era = "legacy" | "modern";
const ERAS: Era[] = ["legacy", "modern"];
/** A call as a client of that protocol writes it. */
const caller =
  (era: Era) =>
  (id: unknown, name: unknown, given?: unknown, more: Record<string, unknown> = {}): string => {
    const { _meta = {}, ...params } = more as { _meta?: unknown };
    const meta = era === "modern" && typeof _meta === "object" ? { ...ENVELOPE, ..._meta } : _meta;
    const wanted = JSON.stringify(meta) === "{}" ? {} : { _meta: meta };
    return json({ id, method: "tools/call", params: { name, arguments: given, ...wanted, ...params } });
  };
const cancel = (requestId: unknown, more: object = {}): string =>
  json({ method: "notifications/cancelled", params: { requestId, ...more } });

/** The same steps to both; of a step's answers the order may differ, as the calls run beside each other. */
const compared = async (
  surface: Surface,
  steps: readonly (string | string[])[],
  options: Omit<Options, "short"> = {},
) => {
  const [ours, theirs] = [
    await open(surface, { ...options, short: true }),
    await open(surface, { ...options, short: false }),
  ];
  for (const step of steps) {
    const lines = [step].flat();
    const [here, there] = [await ours.send(...lines), await theirs.send(...lines)];
    expect(here.toSorted(), lines.join("\n").slice(0, 1000)).toEqual(there.toSorted());
  }
  const [end, other] = [await ours.close(), await theirs.close()].map(({ logged, ...rest }) => ({
    ...rest,
    // Without where in the code it was: the same work may be done in a turn that began elsewhere.
    logged: logged.map((line) => line.replace(/ \[.*\]$/, "")),
  }));
  expect(end).toEqual(other);
  return { taken: ours.taken(), logged: end!.logged };
};

describe.each(ERAS)("a %s client", (era) => {
  const call = caller(era);
  const opening = era === "legacy" ? [HELLO, json({ method: "notifications/initialized" })] : [];

  test("is told the same of good calls, refusals, defects and progress", async () => {
    const good = [
      call(1, "read", { name: "test" }),
      call("two", "Read", { name: "test", lines: null, unknown: 1 }),
      call(3, "count", {}),
      call(4, "count", undefined, { _meta: { progressToken: "p" } }),
      call(4, "count", {}, { _meta: { progressToken: 7, "example.com/trace": { a: 1 } } }),
      call(-5, "words", {}),
      call(6, "remark", {}),
      call("", "list", {}),
      call(8, "append", { text: "a" }),
      call(9, "append", { text: "b", unknown: 1 }),
      call(10, "read", { name: "nowhere" }),
      call(11, "read", {}),
      call(12, "refuse", {}),
      call(13, "break", {}),
      json({ id: 14, method: "ping" }),
      json({ id: 15, method: "tools/list" }),
      [
        call(20, "append", { text: "c" }),
        call(21, "append", { text: "d" }),
        call(22, "read", { name: "log" }),
      ],
      [json({ id: 30, method: "tools/list" }), call(31, "append", { text: "e" }), call(32, "count", {})],
    ];
    const { taken, logged } = await compared(trial, [...opening, ...good]);
    expect(taken).toBeGreaterThan(12);
    expect(logged).toEqual([expect.stringContaining("defect in break")]);
  });

  test("is told the same of calls that are odd, or wrong", async () => {
    const args = { name: "test" };
    const odd = [
      call(1, "read", args),
      call(1, "reed", args),
      call(1, "constructor", {}),
      call(1, 5, {}),
      call(1, "read", "test"),
      call(1, "read", null),
      call(1, "read", ["test"]),
      call(null, "read", args),
      call(1.5, "read", args),
      call(2 ** 60, "read", args),
      call(undefined, "read", args),
      call({}, "read", args),
      call(1, "read", args, { _meta: null }),
      call(1, "read", args, { _meta: "x" }),
      call(1, "count", {}, { _meta: { progressToken: 1.5 } }),
      call(1, "count", {}, { _meta: { progressToken: null } }),
      call(1, "count", {}, { _meta: { "io.modelcontextprotocol/related-task": { taskId: "t" } } }),
      call(1, "count", {}, { _meta: { "io.modelcontextprotocol/related-task": 1 } }),
      call(1, "count", {}, { _meta: { "io.modelcontextprotocol/logLevel": "info" } }),
      call(1, "count", {}, { _meta: { "io.modelcontextprotocol/logLevel": "loud" } }),
      call(1, "count", {}, { _meta: { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": "1999" } }),
      call(1, "count", {}, { _meta: ENVELOPE }),
      call(1, "count", {}, { _meta: ENVELOPE }),
      call(1, "count", {}, { task: { ttl: 5 } }),
      call(1, "count", {}, { requestState: "x" }),
      call(1, "count", {}, { inputResponses: {} }),
      call(1, "read", args, { extra: 1 }),
      call(1, "append", JSON.parse('{"text":"x","__proto__":{"a":1}}')),
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"append","arguments":{"text":"y","__proto__":1}}}`,
      json({ id: 1, method: "tools/call", params: { name: "read", arguments: args }, extra: 1 }),
      json({ id: 1, method: "tools/call" }),
      json({ id: 1, method: "tools/call", params: [] }),
      json({ method: "tools/call", params: { name: "read", arguments: args } }),
      json({ id: 1, jsonrpc: "1.0", method: "tools/call", params: { name: "read", arguments: args } }),
      `[${call(1, "read", args)}]`,
      `${call(1, "read", args)} x`,
      `  ${call(1, "read", args)}\r`,
      json({ id: 1, method: "tools/call", params: { name: "read", arguments: args } }),
      json({ id: 1, result: {} }),
      call(1, "read", { name: "x".repeat(120_000) }),
      HELLO,
      call(1, "read", args),
    ];
    await compared(trial, [...opening, ...odd]);
  });

  test("has the same answers withheld where a call is cancelled", async () => {
    const { taken, logged } = await compared(trial, [
      ...opening,
      call(0, "read", { name: "test" }),
      [call(1, "wait"), cancel(1)],
      [
        call(2, "append", { text: "kept" }),
        call(3, "append", { text: "dropped" }),
        cancel(3, { reason: "no" }),
      ],
      [call("4", "wait"), cancel("4", { _meta: {} }), call(5, "count")],
      [call(6, "count"), cancel(7), cancel(undefined), cancel({})],
      [call(8, "count"), cancel(8, { reason: 5 })],
      // Two under one id: the later is cancelled, the earlier answered.
      [call(9, "append", { text: "first" }), call(9, "append", { text: "second" }), cancel(9)],
      [call(10, "append", { text: "one" }), call(10, "append", { text: "two" })],
      call(11, "read", { name: "log" }),
    ]);
    expect(taken).toBeGreaterThan(5);
    expect(logged).toEqual([]);
  });

  test("of a server that only reads is told the same", async () => {
    const lines = [call(1, "append", { text: "x" }), call(2, "reed", {}), call(3, "count", {})];
    await compared(trial, [...opening, ...lines, ...lines], { readOnly: true });
  });

  test.each(surfaces.map((surface) => [surface.name, surface] as const))(
    "is answered the same by every tool of %s, whatever it is given",
    async (_, surface) => {
      const given = [
        {},
        { name: "test", path: "test.md", title: "test", query: "hello", notes: ["test.md"] },
      ];
      const calls = surface.tools.flatMap((it, at) =>
        given.map((args, nth) => call(`${at}.${nth}`, it.name, args)),
      );
      const { taken } = await compared(surface, [...opening, ...calls]);
      expect(taken).toBeGreaterThan(calls.length - 3);
    },
  );

  test("is answered the same whatever lines it makes up", async () => {
    const part = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom("read", "count", "append", "refuse", "reed", 1) },
      { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 1 }) },
    );
    const args = fc.oneof(
      fc.constantFrom({}, { name: "test" }, { text: "x" }, { name: null }, undefined),
      fc.dictionary(fc.constantFrom("name", "text", "__proto__", "lines"), fc.jsonValue({ maxDepth: 1 })),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const more = fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      {
        weight: 1,
        arbitrary: fc.record({
          _meta: fc.dictionary(
            fc.constantFrom("progressToken", "a", ...Object.keys(ENVELOPE)),
            fc.jsonValue({ maxDepth: 1 }),
          ),
        }),
      },
    );
    const id = fc.oneof(fc.nat(3), fc.constantFrom("a", null, 0.5, undefined));
    const line = fc.oneof(
      { weight: 6, arbitrary: fc.tuple(id, part, args, more).map((each) => call(...each)) },
      { weight: 1, arbitrary: id.map((each) => cancel(each)) },
      { weight: 1, arbitrary: fc.constantFrom(HELLO, json({ id: 1, method: "ping" }), "{", "") },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async (lines) => {
        await compared(trial, [...opening, ...lines]);
      }),
      { numRuns: 25 },
    );
  });
});

test("calls before anything else, and after a look around by a newer client, are answered the same", async () => {
  const [old, young] = [caller("legacy"), caller("modern")];
  await compared(trial, [old(1, "count", {}), old(2, "count", {}), HELLO, old(3, "count", {})]);
  const discover = json({ id: "d", method: "server/discover", params: { _meta: ENVELOPE } });
  await compared(trial, [discover, young(1, "count", {}), young(2, "count", {}), old(3, "count", {}), HELLO]);
  await compared(trial, [discover, HELLO, old(1, "count", {}), young(2, "count", {}), young(3, "count", {})]);
  await compared(trial, [[HELLO, old(1, "count", {}), old(2, "append", { text: "x" })], old(3, "count", {})]);
});

const hello = (id: number, params: object = {}, more: object = {}): string =>
  json({
    id,
    method: "initialize",
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
      ...params,
    },
    ...more,
  });

test.each([
  ...["2025-11-25", "2024-10-07", "2026-07-28", "1.0", ""].map((protocolVersion) => ({ protocolVersion })),
  {
    capabilities: {
      roots: { listChanged: true },
      sampling: {},
      elicitation: {},
      experimental: { x: { y: 1 } },
    },
  },
  { capabilities: { roots: { listChanged: "yes" } } },
  { capabilities: { roots: {}, elicitation: { form: {}, url: {} }, sampling: { tools: {} } } },
  { capabilities: { elicitation: { form: { applyDefaults: 1 } } } },
  { capabilities: { experimental: { x: 1 } } },
  { capabilities: { sampling: [] } },
  { capabilities: { tasks: { list: {} }, extensions: { "a/b": {} } } },
  { capabilities: { unknown: 1 } },
  { capabilities: null },
  { clientInfo: { name: "c", version: "1", title: "C", websiteUrl: "https://c", description: "d" } },
  { clientInfo: { name: "c", version: "1", icons: [{ src: "x" }], more: 1 } },
  { clientInfo: { name: "c" } },
  { clientInfo: { name: 1, version: "1" } },
  { clientInfo: { name: "a <b>\n", version: "1", title: 5 } },
  { _meta: { progressToken: 1 } },
  { _meta: ENVELOPE },
  { extra: 1 },
])("a session that begins with %j goes on the same", async (params) => {
  const call = caller("legacy");
  const before = hello(1, params);
  const after = [
    json({ method: "notifications/initialized" }),
    json({ id: 2, method: "tools/list" }),
    call(3, "count", {}),
    json({ id: 4, method: "tools/list", params: {} }),
    json({ id: 5, method: "tools/list", params: { cursor: "x" } }),
    json({ id: 6, method: "ping" }),
    call(7, "count", {}),
    hello(8, { clientInfo: { name: "another", version: "2" } }),
    call(9, "count", {}),
  ];
  await compared(trial, [before, ...after]);
  await compared(trial, [[before, ...after.slice(0, 3)], ...after]);
});

test.each(surfaces.map((surface) => [surface.name, surface] as const))(
  "%s introduces itself the same",
  async (_, surface) => {
    const { taken } = await compared(surface, [hello(1), json({ id: 2, method: "tools/list", params: {} })]);
    expect(taken).toBe(2);
  },
);

test("what is known of the library without loading it is so", () => {
  expect(VERSIONS).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
  expect(CLIENT_INFO_META_KEY).toBe("io.modelcontextprotocol/clientInfo");
});
