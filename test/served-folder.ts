/** A folder served as the command does, with its watcher, in this process; asked by a real client over a connection in memory. */

import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { join } from "node:path";
import { openFolder } from "../src/vault/open.ts";
import { serversOf } from "./server.ts";
import { surfaces } from "./surfaces.ts";

export type Served = {
  /** What was answered, and whether it was a refusal. */
  call(surface: string, tool: string, input: object): Promise<{ refused: boolean; said: string }>;
  /** What was reported as failing behind the scenes. */
  reported: string[];
  close(): Promise<void>;
};

export const serveFolder = async (root: string, cache: string, more: object = {}): Promise<Served> => {
  const reported: string[] = [];
  const open = await openFolder(root, {
    readOnly: false,
    index: join(cache, "/"),
    durability: "fast",
    history: true,
    timeZone: "UTC",
    environment: {},
    report: (what, error) => reported.push(`${what}: ${String(error)}`),
    tell: () => undefined,
    ...more,
  });
  open.start(() => undefined);
  const clients = new Map<string, Client>();
  const clientOf = async (surface: string): Promise<Client> => {
    const known = clients.get(surface);
    if (known) return known;
    const [near, far] = InMemoryTransport.createLinkedPair();
    const dialect = surfaces.find(({ name }) => name === surface)!;
    const log = (line: string) => void reported.push(line);
    await serversOf(dialect, open.notebook, { log, id: "c" })().connect(far);
    const client = new Client({ name: "test", version: "0" });
    await client.connect(near);
    clients.set(surface, client);
    return client;
  };
  let closed: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    for (const client of clients.values()) await client.close();
    await open.close();
  };
  return {
    async call(surface, tool, input) {
      const client = await clientOf(surface);
      const answer = await client.callTool({ name: tool, arguments: input as Record<string, unknown> });
      return { refused: answer.isError === true, said: JSON.stringify(answer.content) };
    },
    reported,
    close: () => (closed ??= close()),
  };
};
