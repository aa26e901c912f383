/** Calls to a Worker of tests: one message of the newer era, which needs no session, and methods of a workspace's object. */

import type { Running } from "./start.ts";

/** A test may keep the runtime busy for longer than it keeps a connection. */
const CLOSE = { connection: "close" };
const headers = {
  ...CLOSE,
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2026-07-28",
};

export type Said = { ok: boolean; text: string };

/** Whether a tool answered without an error, and what it said. `as`: what differs from a caller who may do everything. */
export const ask = async (
  { address }: Pick<Running, "address">,
  [workspace, surface]: readonly [workspace: string, surface: string],
  name: string,
  args: Record<string, unknown>,
  as: object = {},
): Promise<Said> => {
  const params = {
    name,
    arguments: args,
    _meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "t", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  };
  const response = await fetch(new URL(`/${workspace}/mcp/${surface}`, address), {
    method: "POST",
    headers: { ...headers, "mcp-method": "tools/call", "mcp-name": name, "x-as": JSON.stringify(as) },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
  });
  const said = await response.text();
  if (!response.ok) return { ok: false, text: said };
  const data = said.startsWith("{") ? said : (/^data: (.*)$/m.exec(said)?.[1] ?? "{}");
  const { result } = JSON.parse(data) as { result?: { isError?: boolean; content: { text: string }[] } };
  return { ok: result !== undefined && !result.isError, text: result?.content[0]?.text ?? said };
};

/** Calls a method of a workspace's object. */
export const rpc = async <T>(
  { address }: Pick<Running, "address">,
  workspace: string,
  method: string,
  ...args: unknown[]
): Promise<T> => {
  const response = await fetch(new URL(`/${workspace}`, address), {
    method: "POST",
    headers: { ...CLOSE, "x-call": method },
    body: JSON.stringify(args),
  });
  return ((await response.json()) as { done: T }).done;
};
