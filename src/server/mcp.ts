/** A surface and a notebook as an MCP server: what the protocol library hands over of each request, and what it is given back. */

import { CLIENT_INFO_META_KEY, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { CallToolResult, ServerContext } from "@modelcontextprotocol/server";
import type { Who } from "../notebook/change.ts";
import type { Surface } from "../surfaces/surface.ts";
import { capabilitiesOf, offerBesides } from "./besides.ts";
import { toolCalls, type Calls, type McpOptions } from "./calls.ts";
import type { Entry } from "./entries.ts";
import { nearest } from "./nearest.ts";
import type { Served } from "./notes-as-resources.ts";

/** Progress is for a person's eye. */
const PROGRESS_PAUSE = 100;

/** A connection's server, with what a request needs that reaches its tools another way (direct.ts). */
export type Connection = {
  server: Server;
  calls: Calls;
  /** How the server names itself. */
  info: { name: string; title: string; version: string };
};

export type Envelope = Record<string, unknown>;

/** Each request names its client in the newer protocol; the older names it once, at the start. */
export const clientOf = (server: Server, envelope: Envelope | undefined): string => {
  const info = envelope?.[CLIENT_INFO_META_KEY] as { name?: unknown } | undefined;
  const name = info?.name ?? server.getClientVersion()?.name;
  // It goes into commits: one line, no brackets that would end an author's name early.
  const plain = typeof name === "string" ? name.replace(/[\p{Cc}\p{Cf}<>]/gu, " ").trim() : "";
  return plain.slice(0, 100) || "unknown client";
};

type Progress = {
  method: "notifications/progress";
  params: { progressToken: string | number; progress: number; total: number; message: string };
};

export const progressOf = (
  progressToken: string | number | undefined,
  notify: (notification: Progress) => Promise<void>,
): Who["progress"] => {
  if (progressToken === undefined) return undefined;
  let last = -Infinity;
  let highest = -1;
  return (done, total, message) => {
    const now = performance.now();
    // The protocol wants progress that rises.
    if (done <= highest || (now - last < PROGRESS_PAUSE && done < total)) return;
    [last, highest] = [now, done];
    const params = { progressToken, progress: done, total, message };
    notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
};

const unknownTool = (name: string, entries: readonly Entry[]): ProtocolError => {
  const names = entries.map((entry) => entry.tool.name);
  const meant = nearest(name, names);
  const hint = meant ? ` Did you mean "${meant}"?` : "";
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool "${name.slice(0, 100)}".${hint} The tools are: ${names.join(", ")}.`,
  );
};

export const mcpConnection = (surface: Surface, notebook: Served, options: McpOptions): Connection => {
  const calls = toolCalls(surface, notebook, options);
  const info = { name: "notewright", title: "Notewright", version: options.version };
  const server = new Server(info, {
    capabilities: { tools: {}, ...capabilitiesOf(surface) },
    instructions: surface.instructions,
    cacheHints: { "tools/list": { ttlMs: 60_000, cacheScope: "public" } },
  });
  const client = ({ mcpReq }: ServerContext): string =>
    clientOf(server, mcpReq.envelope as Envelope | undefined);

  server.setRequestHandler("tools/list", () => ({ tools: calls.entries.map((entry) => entry.wire) }));
  server.setRequestHandler("tools/call", async ({ params }, ctx): Promise<CallToolResult> => {
    const entry = calls.called(params.name);
    if (!entry) throw unknownTool(params.name, calls.entries);
    const { signal, notify, _meta: meta } = ctx.mcpReq;
    return calls.run(entry, params.arguments ?? {}, {
      client: client(ctx),
      signal,
      progress: progressOf(meta?.progressToken, notify),
    });
  });
  offerBesides(server, surface, notebook, options.log, (method, ctx, work) =>
    calls.aside(method, client(ctx), work),
  );
  return { server, calls, info };
};

export const mcpServer = (surface: Surface, notebook: Served, options: McpOptions): Server =>
  mcpConnection(surface, notebook, options).server;
