/** A surface and a notebook as a server of the protocol library: what it hands over of each request, and what it is given back. */

import { CLIENT_INFO_META_KEY, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { CallToolResult, ServerCapabilities, ServerContext } from "@modelcontextprotocol/server";
import type { Surface } from "../surfaces/surface.ts";
import { offerBesides } from "./besides.ts";
import { clientName, progressOf, toolCalls, type McpOptions } from "./calls.ts";
import type { Entry } from "./entries.ts";
import { nearest } from "../markdown/closest-word.ts";
import type { Served } from "./resources.ts";

const unknownTool = (name: string, entries: readonly Entry[]): ProtocolError => {
  const names = entries.map((entry) => entry.tool.name);
  const meant = nearest(name, names);
  const hint = meant ? ` Did you mean "${meant}"?` : "";
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool "${name.slice(0, 100)}".${hint} The tools are: ${names.join(", ")}.`,
  );
};

const capabilitiesOf = ({ resources, prompts }: Surface): ServerCapabilities => ({
  tools: {},
  ...(resources ? { resources: { subscribe: true, listChanged: true } } : {}),
  ...(prompts ? { prompts: {} } : {}),
  ...(resources || prompts ? { completions: {} } : {}),
});

/** `calls`: those of the connection, for which the library may make a second server while it finds out what the client speaks. */
export const mcpServer = (
  surface: Surface,
  notebook: Served,
  options: McpOptions,
  calls = toolCalls(surface, notebook, options),
): Server => {
  const info = { name: "notewright", title: "Notewright", version: options.version };
  const server = new Server(info, {
    capabilities: capabilitiesOf(surface),
    instructions: surface.instructions,
    cacheHints: { "tools/list": { ttlMs: 60_000, cacheScope: "public" } },
  });
  // Each request names its client in the newer protocol; the older names it once, at the start.
  const client = ({ mcpReq }: ServerContext): string => {
    const envelope = mcpReq.envelope as Record<string, { name?: unknown }> | undefined;
    return clientName(envelope?.[CLIENT_INFO_META_KEY]?.name ?? server.getClientVersion()?.name);
  };

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
  offerBesides(server, surface, notebook, options.log, (method, ctx, work) => {
    const { signal, notify, _meta: meta } = ctx.mcpReq;
    const progress = progressOf(meta?.progressToken, notify);
    // Completion comes while a person types.
    const patience = method === "completion/complete" ? ("none" as const) : undefined;
    return calls.aside(method, client(ctx), work, { signal, progress, patience });
  });
  return server;
};
