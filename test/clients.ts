/** A session of an official client, old or new, over any transport: in one shape, so that tests can compare what they are answered. */

import { Client as NewClient } from "@modelcontextprotocol/client";
import type { Transport as NewTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport as OldTransport } from "@modelcontextprotocol/sdk/shared/transport.js";

export type Result = {
  isError?: boolean;
  content: { text: string }[];
  structuredContent?: Record<string, any>;
};
export type ListedTool = { name: string; description?: string; inputSchema: unknown; annotations?: unknown };
export type Session = {
  tools(): Promise<ListedTool[]>;
  call(name: string, args: Record<string, unknown>): Promise<Result>;
  close(): Promise<void>;
  resources(): Promise<string[]>;
  read(uri: string): Promise<string>;
  prompts(): Promise<string[]>;
};
export type Mode = "legacy" | "auto" | { pin: "2026-07-28" };

const info = { name: "trial", version: "1" };

export const oldSession = async (transport: OldTransport): Promise<Session> => {
  const client = new OldClient(info);
  await client.connect(transport);
  return sessionOf(client as unknown as NewClient);
};

export const newSession = async (transport: NewTransport, mode: Mode): Promise<Session> => {
  const client = new NewClient(info, { versionNegotiation: { mode } });
  await client.connect(transport);
  return sessionOf(client);
};

/** Both clients have these methods, and they take and give the same. */
const sessionOf = (client: NewClient): Session => ({
  tools: async () => (await client.listTools()).tools as ListedTool[],
  call: (name, args) => client.callTool({ name, arguments: args }) as unknown as Promise<Result>,
  resources: async () => (await client.listResources()).resources.map((resource) => resource.uri),
  read: async (uri) =>
    (await client.readResource({ uri })).contents.map((it) => (it as { text?: string }).text).join(""),
  prompts: async () => (await client.listPrompts()).prompts.map((prompt) => prompt.name),
  close: () => client.close(),
});
