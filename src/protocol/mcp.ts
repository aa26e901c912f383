/** A surface and a notebook as a server of the protocol library: every method it answers, and what is handed on of each request. */

import { CLIENT_INFO_META_KEY, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import type { CallToolResult, ServerCapabilities, ServerContext } from "@modelcontextprotocol/server";
import { closestWord } from "../markdown/closest-word.ts";
import { NoteError } from "../markdown/errors.ts";
import type { Notebook } from "../notebook/notebook.ts";
import type { Surface } from "../surfaces/surface.ts";
import { toolCalls, type CallOptions } from "./calls.ts";
import { logToClient, logTroubles } from "./client-log.ts";
import { complete } from "./completion.ts";
import type { Entry } from "./entries.ts";
import { failureLine } from "./failure.ts";
import { progressOf } from "./progress.ts";
import { getPrompt, listPrompts } from "./prompts.ts";
import { listResources, listTemplates, readResource } from "./resources.ts";
import { whoListens } from "./session.ts";
import { clientOf, sendNews, type Served, type Subscriptions } from "./subscriptions.ts";
import type { Troubles } from "./troubles.ts";

export type McpOptions = CallOptions & {
  version: string;
  /** What clients that want log lines are sent about the vault. */
  troubles: Troubles;
};

/** Runs a request on behalf of whoever asked; a failure becomes an error of the protocol. */
type Answer = <T>(
  method: string,
  ctx: ServerContext,
  work: (bound: Notebook) => Promise<T> | T,
) => Promise<T>;

/** The library may make a second server while it finds out what the client speaks, or one for each request; the session is the same. */
export const mcpServer = (surface: Surface, notebook: Notebook, options: McpOptions): Server => {
  const calls = toolCalls(surface, notebook, options);
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
  const sendTroubles = (ctx: ServerContext) => logTroubles(ctx, options.troubles, options.session);
  const answer: Answer = async (method, ctx, work) => {
    const { signal, notify, _meta: meta } = ctx.mcpReq;
    const progress = progressOf(meta?.progressToken, notify);
    // Completion comes while a person types.
    const patience = method === "completion/complete" ? ("none" as const) : undefined;
    try {
      return await calls.read(method, client(ctx), work, { signal, progress, patience });
    } catch (error) {
      throw await protocolError(surface, options.log, method, ctx, error);
    } finally {
      await sendTroubles(ctx);
    }
  };

  server.setRequestHandler("tools/list", () => ({ tools: calls.entries().map((entry) => entry.wire) }));
  server.setRequestHandler("tools/call", async ({ params }, ctx): Promise<CallToolResult> => {
    const entry = calls.called(params.name);
    if (!entry) throw unknownTool(params.name, calls.entries());
    const { signal, notify, _meta: meta } = ctx.mcpReq;
    const result = await calls.run(entry, params.arguments ?? {}, {
      client: client(ctx),
      signal,
      progress: progressOf(meta?.progressToken, notify),
      log: (level, line) => logToClient(ctx, level, line),
    });
    await sendTroubles(ctx);
    return result;
  });
  if (surface.resources) offerResources(server, options.session.subscriptions, answer);
  if (surface.prompts) offerPrompts(server, surface.prompts);
  if (surface.resources || surface.prompts)
    server.setRequestHandler("completion/complete", ({ params }, ctx) =>
      answer("completion/complete", ctx, (bound) => complete(surface, bound, params)),
    );
  return server;
};

/** Makes the server of a surface; `mcpServer` is ours. */
export type ServerMaker = (surface: Surface, notebook: Notebook, options: McpOptions) => Server;

/** A server that lives as long as its session: its client is sent news of changes. */
export const connectedServer = (surface: Surface, notebook: Served, options: McpOptions): Server => {
  const server = mcpServer(surface, notebook, options);
  if (!surface.resources) return server;
  const { principal, session } = options;
  const seen = notebook.as(whoListens(surface, principal, session.id));
  return Object.assign(server, { onclose: sendNews(clientOf(server, session.subscriptions), seen) });
};

const capabilitiesOf = ({ resources, prompts }: Surface): ServerCapabilities => ({
  tools: {},
  logging: {},
  ...(resources ? { resources: { subscribe: true, listChanged: true } } : {}),
  ...(prompts ? { prompts: {} } : {}),
  ...(resources || prompts ? { completions: {} } : {}),
});

const offerResources = (server: Server, subscriptions: Subscriptions, answer: Answer): void => {
  server.setRequestHandler("resources/list", ({ params }, ctx) =>
    answer("resources/list", ctx, (bound) => listResources(bound, params?.cursor)),
  );
  server.setRequestHandler("resources/templates/list", listTemplates);
  server.setRequestHandler("resources/read", ({ params }, ctx) =>
    answer("resources/read", ctx, (bound) => readResource(bound, params.uri)),
  );
  server.setRequestHandler("resources/subscribe", ({ params }) => {
    subscriptions.add(params.uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", ({ params }) => {
    subscriptions.remove(params.uri);
    return {};
  });
};

const offerPrompts = (server: Server, prompts: NonNullable<Surface["prompts"]>): void => {
  server.setRequestHandler("prompts/list", () => listPrompts(prompts));
  server.setRequestHandler("prompts/get", ({ params }) => getPrompt(prompts, params.name, params.arguments));
};

/** The name goes into commits: it is one line, without brackets that would end an author's name early. */
const clientName = (name: unknown): string => {
  const plain = typeof name === "string" ? name.replace(/[\p{Cc}\p{Cf}<>]/gu, " ").trim() : "";
  return plain.slice(0, 100) || "unknown client";
};

const unknownTool = (name: string, entries: readonly Entry[]): ProtocolError => {
  const names = entries.map((entry) => entry.tool.name);
  const closest = closestWord(name, names);
  const hint = closest ? ` Did you mean "${closest}"?` : "";
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `Unknown tool "${name.slice(0, 100)}".${hint} The tools are: ${names.join(", ")}.`,
  );
};

/** Outside tools no result can say what went wrong: a refusal is an error of the protocol, a defect is one without details. */
const protocolError = async (
  surface: Surface,
  log: (line: string) => void,
  method: string,
  ctx: ServerContext,
  error: unknown,
): Promise<ProtocolError> => {
  if (error instanceof ProtocolError) return error;
  if (error instanceof NoteError) {
    const worded = surface.explain(error);
    const words = typeof worded === "string" ? worded : error.message;
    return new ProtocolError(ProtocolErrorCode.InvalidParams, words);
  }
  log(failureLine(`A request of the client (${method}) failed and was answered with an error.`, error));
  const line = `A request (${method}) failed by a mistake in Notewright. The server's log says more.`;
  await logToClient(ctx, "error", line);
  return new ProtocolError(
    ProtocolErrorCode.InternalError,
    `Internal error in ${method}. The server's log says more.`,
  );
};
