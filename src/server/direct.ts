/** Requests that are answered without the protocol library: only what is sure to be answered by it in the same bytes. */

import { clientName, progressOf, type Calls } from "./calls.ts";
import { hasOnly, helloOf, isObject, welcome, type Hello, type Introduction } from "./introduction.ts";
import type { Shortcut } from "./lines.ts";

/** What is asked of the library's server. */
type Server = { getClientVersion(): { name: string } | undefined };

export type Direct = Shortcut & {
  /** The server that the library has just made for the session, and which protocol it is to speak. */
  serve<S extends Server>(server: S, era: "legacy" | "modern"): S;
  /** The `initialize` that was answered here, for the library to know of; its answer goes nowhere. */
  hello(): object | null;
};

type Id = string | number;
type Meta = Record<string, unknown> | undefined;
type Request = { id: Id; method: string; params: Record<string, unknown>; meta: Meta; envelope: string };

/** Envelopes of requests that are remembered as good; a client sends the same with each. */
const ENVELOPES = 8;

const isId = (value: unknown): value is Id => typeof value === "string" || Number.isSafeInteger(value);
const isToken = (value: unknown): boolean => value === undefined || isId(value);

/** A request that nothing can be said against as such; null for every other message. */
const requestOf = (message: unknown): Request | null => {
  if (!isObject(message) || message["jsonrpc"] !== "2.0") return null;
  const { id, method, params = {} } = message;
  if (!isId(id) || typeof method !== "string" || !isObject(params)) return null;
  if (!hasOnly(message, ["jsonrpc", "id", "method", "params"])) return null;
  const { _meta: meta } = params;
  if (meta !== undefined && (!isObject(meta) || !isToken(meta["progressToken"]))) return null;
  return { id, method, params, meta, envelope: envelopeOf(meta) };
};

const RESERVED = "io.modelcontextprotocol/";
const CLIENT_INFO = `${RESERVED}clientInfo`;
const SERVER_INFO = `${RESERVED}serverInfo`;
/** What the newer protocol says with each request; empty in the older. */
const envelopeOf = (meta: Meta): string => {
  const named = Object.entries(meta ?? {}).filter(([name]) => name !== "progressToken");
  return named.some(([name]) => name.startsWith(RESERVED)) ? JSON.stringify(named) : "";
};

/** The name of the tool and its arguments. */
const callOf = ({ params }: Request): { name: string; given: Record<string, unknown> } | null => {
  const { name, arguments: given = {} } = params;
  if (typeof name !== "string" || !hasOnly(params, ["name", "arguments", "_meta"])) return null;
  // The library drops an argument of this name.
  return isObject(given) && !Object.hasOwn(given, "__proto__") ? { name, given } : null;
};

const isInitialized = (message: unknown): boolean =>
  isObject(message) &&
  message["jsonrpc"] === "2.0" &&
  message["method"] === "notifications/initialized" &&
  hasOnly(message, ["jsonrpc", "method"]);

export const directCalls = (calls: Calls, introduction: Introduction): Direct => {
  let first = true;
  let greeted: (Hello & { id: string; message: object }) | null = null;
  let server: Server | undefined;
  /** What the newer protocol wants said with each answer. */
  let around = {};
  /** Envelopes that the library has accepted from this client: the empty one once a session of the older protocol is open. */
  const accepted = new Set<string>();
  /** What the library has not answered yet. While there is anything, all goes to it, so that nothing is overtaken. */
  const elsewhere = new Map<Id, string | null>();
  const running = new Map<Id, AbortController>();

  type Send = Parameters<Shortcut["take"]>[1];
  type Work = (signal: AbortSignal) => object | Promise<object>;

  const calling = (request: Request, send: Send): Work | null => {
    const call = callOf(request);
    const entry = call && calls.called(call.name);
    if (!entry) return null;
    const { meta } = request;
    const told = meta?.[CLIENT_INFO] as { name?: unknown } | undefined;
    return async (signal) => {
      const { name } = server?.getClientVersion() ?? greeted?.clientInfo ?? {};
      const progress = progressOf(meta?.["progressToken"] as Id | undefined, (news) =>
        send({ jsonrpc: "2.0", ...news }),
      );
      const result = await calls.run(entry, call.given, {
        client: clientName(told?.name ?? name),
        signal,
        progress,
      });
      return { ...result, ...around };
    };
  };
  const listing = ({ params, envelope }: Request): Work | null =>
    envelope === "" && hasOnly(params, ["_meta"])
      ? () => ({ tools: calls.entries.map((entry) => entry.wire) })
      : null;
  /** Only as the first message, when no library is there that would have to agree. */
  const greeting = (request: Request, message: unknown): Work | null => {
    const hello = helloOf(request.params);
    if (!hello) return null;
    greeted = { ...hello, id: crypto.randomUUID(), message: message as object };
    accepted.add("");
    return () => welcome(introduction, hello.protocolVersion);
  };

  const begun = (id: Id, work: Work): Promise<string | null> => {
    const controller = new AbortController();
    running.set(id, controller);
    const answered = async (): Promise<string | null> => {
      const result = await work(controller.signal);
      if (running.get(id) === controller) running.delete(id);
      return controller.signal.aborted ? null : `${JSON.stringify({ result, jsonrpc: "2.0", id })}\n`;
    };
    // Begun when all that came with it has been looked at: it may be cancelled there.
    return Promise.resolve().then(answered);
  };

  return {
    serve(made, era) {
      server = made;
      around =
        era === "modern" ? { resultType: "complete", _meta: { [SERVER_INFO]: introduction.info } } : {};
      accepted.clear();
      if (greeted) accepted.add("");
      return made;
    },
    hello: () => greeted && { ...greeted.message, id: greeted.id },
    take(message, send) {
      const request = requestOf(message);
      const opening = first;
      first = false;
      if (!request) return greeted && !server && isInitialized(message) ? Promise.resolve(null) : null;
      const { id, method, envelope } = request;
      let work: Work | null = null;
      if (opening && method === "initialize") work = greeting(request, message);
      else if (elsewhere.size > 0 || !accepted.has(envelope)) return null;
      else if (method === "tools/call") work = calling(request, send);
      else if (method === "tools/list") work = listing(request);
      // Of two requests under one id the later can be cancelled.
      return work && !running.delete(id) ? begun(id, work) : null;
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
        const request = method === "tools/call" ? requestOf(message) : null;
        const envelope = request && callOf(request) ? request.envelope : "";
        elsewhere.set(id, method === "initialize" ? "" : envelope || null);
      }
    },
    answered(id, good) {
      if (id === greeted?.id) return false;
      const envelope = elsewhere.get(id);
      elsewhere.delete(id);
      if (good && typeof envelope === "string" && accepted.size < ENVELOPES) accepted.add(envelope);
      return true;
    },
    close() {
      for (const controller of running.values()) controller.abort(new Error("Connection closed"));
      running.clear();
    },
  };
};
