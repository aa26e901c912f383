import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { expect, test } from "vitest";
import { z } from "zod";
import { breaks, refuses } from "../../test/trial-tools.ts";
import { openVault } from "../../test/vault.ts";
import { ANYBODY, serversOf } from "../../test/server.ts";
import type { Who } from "../notebook/change.ts";
import type { Notebook } from "../notebook/notebook.ts";
import { notePath } from "../notebook/paths.ts";
import { ADDS, READS, tool, type Surface } from "../surfaces/surface.ts";
import type { Principal } from "./principal.ts";

/** A small surface with one tool for each thing that can happen to a call. */
const surface = (more: Partial<Surface> = {}): Surface => {
  const order: string[] = [];
  return {
    name: "trial",
    instructions: "Tools to try the server with.",
    explain: (error) => `${error.code}! ${error.message}`,
    tools: [
      tool({
        name: "read_note",
        aliases: ["readNote"],
        description: "Text of a note.",
        annotations: READS,
        input: z.object({ name: z.string() }),
        run: async (notebook, { name }) => (await notebook.read(notePath(`${name}.md`))).text ?? "",
      }),
      tool({
        name: "write_note",
        description: "Writes slowly, first come, first served.",
        annotations: ADDS,
        input: z.object({ name: z.string(), wait: z.int().default(0) }),
        async run(notebook, { name, wait }) {
          await new Promise((resolve) => setTimeout(resolve, wait));
          order.push(name);
          await notebook.write(notePath(`${name}.md`), name);
          return { order: [...order] };
        },
      }),
      breaks('cannot read "my diary" in /home/ada/x.md'),
      refuses,
    ],
    ...more,
  };
};

const open = async (of: Surface, principal: Partial<Principal> = {}, era: "legacy" | "modern" = "legacy") => {
  const vault = await openVault({ folder: false });
  await vault.put("test.md", "Hello\n");
  const [near, far] = InMemoryTransport.createLinkedPair();
  const asked: Who[] = [];
  const notebook: Notebook = { ...vault.notebook, as: (who) => (asked.push(who), vault.notebook.as(who)) };
  const log = (line: string) => vault.logged.push(line);
  const servers = serversOf(of, notebook, { log, principal: { ...ANYBODY, ...principal } });
  serveStdio(servers, { transport: far });
  const mode = era === "modern" ? { pin: "2026-07-28" as const } : ("legacy" as const);
  const client = new Client({ name: "trial", version: "0" }, { versionNegotiation: { mode } });
  await client.connect(near);
  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const result = await client.callTool({ name, arguments: args });
    return { ...result, text: (result.content as { text: string }[])[0]!.text };
  };
  return { vault, client, asked, call, close: () => client.close().then(vault.close) };
};

test.each(["legacy", "modern"] as const)("a %s client lists tools and calls one", async (era) => {
  const { client, call, close } = await open(surface(), {}, era);
  const { tools } = await client.listTools();
  expect(tools.map((it) => it.name)).toEqual(["read_note", "write_note", "break", "refuse"]);
  expect(tools[0]).toMatchObject({
    title: "Read note",
    annotations: { readOnlyHint: true, destructiveHint: false, openWorldHint: false },
  });
  expect(client.getInstructions()).toBe("Tools to try the server with.");
  expect((await call("read_note", { name: "test" })).text).toBe("Hello\n");
  expect((await call("readNote", { name: "test" })).text).toBe("Hello\n");
  await close();
});

test("a refusal is worded by the surface, a wrong argument like any other", async () => {
  const { call, close } = await open(surface());
  expect(await call("refuse")).toMatchObject({ isError: true, text: "busy! Come back later." });
  expect(await call("read_note", {})).toMatchObject({
    isError: true,
    text: expect.stringMatching(/^input_refused! read_note needs "name"/),
  });
  await close();
});

test("a defect is answered without its words, and logged without the note's", async () => {
  const { vault, call, close } = await open(surface());
  const result = await call("break");
  expect(result).toMatchObject({ isError: true, text: expect.stringMatching(/^Internal error in break\./) });
  expect(vault.logged).toEqual([
    expect.stringMatching(
      /^A call of break failed; .* Error: cannot read … in … \(trial-tools\.ts:\d+:\d+\)\.$/,
    ),
  ]);
  expect(JSON.stringify([result, vault.logged])).not.toMatch(/diary|ada/);
  await close();
});

test("an unknown tool is a protocol error that names the closest", async () => {
  const { call, close } = await open(surface());
  await expect(call("raed_note")).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('Did you mean "read_note"?'),
  });
  await close();
});

test("writing calls of a connection run in the order they came", async () => {
  const { call, close } = await open(surface());
  const answers = await Promise.all([
    call("write_note", { name: "a", wait: 40 }),
    call("write_note", { name: "b", wait: 1 }),
    call("write_note", { name: "c" }),
  ]);
  expect(answers.at(-1)?.structuredContent).toEqual({ order: ["a", "b", "c"] });
  await close();
});

test.each([
  [{ rights: "read", serverReads: true }, "this server was started to read only"],
  [{ rights: "read" }, "your token may only read"],
] as const)("with %o no tool that writes is listed, and one that is called says so", async (rights, why) => {
  const { client, call, close } = await open(surface(), rights);
  expect((await client.listTools()).tools.map((it) => it.name)).not.toContain("write_note");
  expect(await call("write_note", { name: "a" })).toMatchObject({
    isError: true,
    text: expect.stringMatching(`^read_only! write_note writes, and ${why}`),
  });
  await close();
});

test("the opening block comes once, with the first good answer", async () => {
  let built = 0;
  const { call, close } = await open(surface({ opening: async () => `block ${++built}` }));
  expect((await call("refuse")).text).toBe("busy! Come back later.");
  expect((await call("read_note", { name: "test" })).text).toBe("Hello\n\n\n---\nblock 1\n---");
  expect((await call("read_note", { name: "test" })).text).toBe("Hello\n");
  expect(built).toBe(1);
  await close();
});

test("an opening block that fails costs no answer", async () => {
  const { vault, call, close } = await open(surface({ opening: () => Promise.reject(new Error("no")) }));
  expect((await call("read_note", { name: "test" })).text).toBe("Hello\n");
  expect(vault.logged).toEqual([expect.stringMatching(/^The opening block could not be made/)]);
  await close();
});

test.each(["legacy", "modern"] as const)(
  "the notebook is told who asks, also by a %s client",
  async (era) => {
    const { call, asked, close } = await open(surface(), {}, era);
    await call("read_note", { name: "test" });
    await call("readNote", { name: "test" });
    const calls = asked.filter((who) => who.tool !== "opening");
    expect(calls[0]).toMatchObject({
      client: "trial",
      surface: "trial",
      tool: "read_note",
      connection: expect.stringMatching(/.{8}/),
    });
    expect(calls[1]?.connection).toBe(calls[0]?.connection);
    await close();
  },
);

test("an author that was set stands for every client", async () => {
  const { call, asked, close } = await open(surface(), { name: "Ada" });
  await call("read_note", { name: "test" });
  expect(asked.at(-1)?.client).toBe("Ada");
  await close();
});

test("progress goes to the client that asked for it, rising", async () => {
  const { client, asked, close } = await open(surface());
  const seen: number[] = [];
  const params = { name: "write_note", arguments: { name: "a", wait: 300 } };
  const answer = client.callTool(params, { onprogress: ({ progress }) => seen.push(progress) });
  await expect.poll(() => asked.at(-1)?.progress, { interval: 1, timeout: 30_000 }).toBeDefined();
  for (const done of [1, 1, 0, 3, 3]) asked.at(-1)!.progress!(done, 3, "Indexing");
  await answer;
  expect(seen).toEqual([1, 3]);
  await close();
});
