/** What a session keeps while its servers come and go, as over HTTP, where each request has a server of its own. */

import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport, type Server } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { serversOf } from "../../test/server.ts";
import { openVault, type TestVault } from "../../test/vault.ts";
import type { Who } from "../notebook/change.ts";
import { notePath } from "../notebook/paths.ts";
import { native } from "../surfaces/native/native.ts";
import type { Surface, Tool } from "../surfaces/surface.ts";
import type { Served } from "./subscriptions.ts";

let vault: TestVault;
let asked: Who[];
let notebook: Served;
const clients: Client[] = [];
beforeEach(async () => {
  vault = await openVault({ folder: false });
  asked = [];
  notebook = { ...vault.notebook, as: (who) => (asked.push(who), vault.notebook.as(who)) };
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
  await vault.close();
});

const connected = async (server: Server, updated: string[] = []): Promise<Client> => {
  const [near, far] = InMemoryTransport.createLinkedPair();
  await server.connect(far);
  const client = new Client({ name: "test", version: "0" });
  client.setNotificationHandler(
    "notifications/resources/updated",
    ({ params }) => void updated.push(params.uri),
  );
  await client.connect(near);
  clients.push(client);
  return client;
};
/** Polls with a bound for a busy machine. */
const eventually = <T>(state: () => T) => expect.poll(state, { interval: 5, timeout: 30_000 });
const log = (line: string) => vault.logged.push(line);
const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]!.text;

/** Its one tool waits until it is let go. */
const surfaceOf = (order: string[], waiting: Map<string, () => void>): Surface => {
  const tool: Tool = {
    name: "write",
    description: "writes",
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    input: z.object({ name: z.string() }),
    async run(_, input) {
      const { name } = input as { name: string };
      order.push(`${name} begins`);
      await new Promise<void>((resolve) => waiting.set(name, resolve));
      order.push(`${name} ends`);
      return name;
    },
  };
  return { ...native, name: "test", tools: [tool], opening: async () => "block" };
};

test("writes of two servers of one session run in the order they came; the opening block comes once", async () => {
  const order: string[] = [];
  const waiting = new Map<string, () => void>();
  const servers = serversOf(surfaceOf(order, waiting), notebook, { log });
  const [one, two] = [await connected(servers()), await connected(servers())];
  const first = one.callTool({ name: "write", arguments: { name: "first" } });
  await eventually(() => order).toEqual(["first begins"]);
  const second = two.callTool({ name: "write", arguments: { name: "second" } });
  // A request that came later on the second connection is answered, so the write before it has come in.
  await two.ping();
  expect(order).toEqual(["first begins"]);
  waiting.get("first")!();
  const answer = textOf(await first);
  await eventually(() => order).toEqual(["first begins", "first ends", "second begins"]);
  waiting.get("second")!();
  expect([answer, textOf(await second)]).toEqual(["first\n\n---\nblock\n---", "second"]);
  const connections = new Set(asked.map(({ connection }) => connection));
  expect(connections.size).toBe(1);
});

test("two sessions have two ids, and an opening block each", async () => {
  const waiting = new Map<string, () => void>();
  const surface = surfaceOf([], waiting);
  for (const name of ["a", "b"]) {
    const client = await connected(serversOf(surface, notebook, { log })());
    const answer = client.callTool({ name: "write", arguments: { name } });
    await eventually(() => waiting.has(name)).toBe(true);
    waiting.get(name)!();
    expect(textOf(await answer)).toContain("block");
  }
  expect(new Set(asked.map(({ connection }) => connection)).size).toBe(2);
});

test("news of a subscription reaches the client of whichever server the session has now", async () => {
  await vault.put("a.md", "A\n");
  const servers = serversOf(native, notebook, { log });
  const before = await connected(servers());
  await before.subscribeResource({ uri: "note:///a.md" });
  await before.close();
  const updated: string[] = [];
  await connected(servers(), updated);
  await vault.notebook.write(notePath("a.md"), "B\n");
  await eventually(() => updated).toEqual(["note:///a.md"]);
});
