/** Calls of tools that are answered without the protocol library: only what is sure to be answered by it in the same bytes. */

import { SERVER_INFO_META_KEY } from "@modelcontextprotocol/server";
import type { Shortcut } from "./lines.ts";
import { clientOf, progressOf, type Connection, type Envelope } from "./mcp.ts";

export type Direct = Shortcut & {
  /** The connection that the library has just made for the session, and which protocol it is to speak. */
  serve(connection: Connection, era: "legacy" | "modern"): Connection["server"];
};

type Id = string | number;
type Call = {
  id: Id;
  name: string;
  given: Record<string, unknown>;
  meta: Envelope | undefined;
  envelope: string;
};

/** Envelopes of requests that are remembered as good; a client sends the same with each. */
const ENVELOPES = 8;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isId = (value: unknown): value is Id => typeof value === "string" || Number.isSafeInteger(value);
const hasOnly = (value: object, names: readonly string[]): boolean =>
  Object.keys(value).every((name) => names.includes(name));

/** A `tools/call` that nothing can be said against; null for every other message. */
const callOf = (message: unknown): Call | null => {
  if (!isObject(message) || message["method"] !== "tools/call" || message["jsonrpc"] !== "2.0") return null;
  const { id, params } = message;
  if (!isId(id) || !hasOnly(message, ["jsonrpc", "id", "method", "params"]) || !isObject(params)) return null;
  const { name, arguments: given = {}, _meta: meta } = params;
  if (typeof name !== "string" || !hasOnly(params, ["name", "arguments", "_meta"])) return null;
  // The library drops an argument of this name.
  if (!isObject(given) || Object.hasOwn(given, "__proto__")) return null;
  if (meta !== undefined && (!isObject(meta) || !isToken(meta["progressToken"]))) return null;
  return { id, name, given, meta, envelope: envelopeOf(meta) };
};
const isToken = (value: unknown): boolean => value === undefined || isId(value);

const RESERVED = "io.modelcontextprotocol/";
/** What the newer protocol says with each request; empty in the older. */
const envelopeOf = (meta: Envelope | undefined): string => {
  const named = Object.entries(meta ?? {}).filter(([name]) => name !== "progressToken");
  return named.some(([name]) => name.startsWith(RESERVED)) ? JSON.stringify(named) : "";
};

export const directCalls = (): Direct => {
  let served: { connection: Connection; around: object } | undefined;
  /** Envelopes that the library has accepted from this client: the empty one once a session of the older protocol is open. */
  const accepted = new Set<string>();
  /** What the library has not answered yet. While there is anything, all goes to it, so that nothing is overtaken. */
  const elsewhere = new Map<Id, string | null>();
  const running = new Map<Id, AbortController>();

  const run = async (call: Call, signal: AbortSignal, { connection, around }: NonNullable<typeof served>) => {
    const { calls, server } = connection;
    const { id, meta } = call;
    const result = await calls.run(calls.called(call.name)!, call.given, {
      client: clientOf(server, meta),
      signal,
      progress: progressOf(meta?.["progressToken"] as Id | undefined, (news) => server.notification(news)),
    });
    if (signal.aborted) return null;
    return `${JSON.stringify({ result: { ...result, ...around }, jsonrpc: "2.0", id })}\n`;
  };

  return {
    serve(connection, era) {
      const about = { resultType: "complete", _meta: { [SERVER_INFO_META_KEY]: connection.info } };
      served = { connection, around: era === "modern" ? about : {} };
      accepted.clear();
      return connection.server;
    },
    take(message) {
      const call = callOf(message);
      if (!call || !served || elsewhere.size > 0 || !accepted.has(call.envelope)) return null;
      if (!served.connection.calls.called(call.name)) return null;
      // Of two calls under one id the later can be cancelled.
      if (running.delete(call.id)) return null;
      const controller = new AbortController();
      running.set(call.id, controller);
      const by = served;
      // Begun when all that came with it has been looked at: it may be cancelled there.
      const line = Promise.resolve().then(() => run(call, controller.signal, by));
      return line.finally(() => running.get(call.id) === controller && running.delete(call.id));
    },
    passed(message) {
      if (!isObject(message)) return;
      const { id, method, params } = message;
      if (method === "notifications/cancelled" && isObject(params)) {
        const { requestId, reason } = params;
        if (!isId(requestId) || !(reason === undefined || typeof reason === "string")) return;
        elsewhere.delete(requestId);
        running.get(requestId)?.abort(reason);
      } else if (isId(id) && typeof method === "string") {
        elsewhere.set(id, method === "initialize" ? "" : callOf(message)?.envelope || null);
      }
    },
    answered(id, good) {
      const envelope = elsewhere.get(id);
      elsewhere.delete(id);
      if (good && typeof envelope === "string" && accepted.size < ENVELOPES) accepted.add(envelope);
    },
    close() {
      for (const controller of running.values()) controller.abort(new Error("Connection closed"));
      running.clear();
    },
  };
};
