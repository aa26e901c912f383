/** One surface of one vault for one identity: the protocol library in both eras, and the sessions that outlive its requests. */

import {
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  PROTOCOL_VERSION_META_KEY,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import type { Activities } from "../protocol/activity.ts";
import { messageLine } from "../protocol/failure.ts";
import type { ServerMaker } from "../protocol/mcp.ts";
import type { Principal } from "../protocol/principal.ts";
import { uriOf } from "../protocol/resources.ts";
import { openSession, whoListens, type Session } from "../protocol/session.ts";
import type { Slots } from "../protocol/slots.ts";
import { clientOf, type NewsTarget, type Served } from "../protocol/subscriptions.ts";
import type { Troubles } from "../protocol/troubles.ts";
import type { Surface } from "../surfaces/surface.ts";
import { notAllowed, refusal } from "./answers.ts";
import type { Limits } from "./limits.ts";
import type { NewsRoom } from "./news.ts";
import type { Owner, Sessions } from "./sessions.ts";
import { isStream, whenEnded } from "./streams.ts";

/** What a session of either era is: the newer has no transport of its own. */
export type KeptSession = { session: Session; transport?: WebStandardStreamableHTTPServerTransport };

export type EndpointParts = {
  surface: Surface;
  serverOf: ServerMaker;
  notebook: Served;
  troubles: Troubles;
  activity?: Activities | undefined;
  principal: Principal;
  /** Whose the sessions are. */
  owner: Owner;
  sessions: Sessions<KeptSession>;
  news: NewsRoom;
  /** Shared by the whole process, so that memory does not grow with the number of sessions. */
  slots: Slots;
  limits: Limits;
  version: string;
  log(line: string): void;
};

/** A request whose body was read and parsed; null where the method has none. */
export type Asked = { request: Request; body: unknown };
export type Endpoint = {
  answer(asked: Asked): Promise<Response>;
  /** Ends its streams and its sessions. */
  close(): Promise<void>;
};

const SESSION_HEADER = "mcp-session-id";

export const openEndpoint = (parts: EndpointParts): Endpoint => {
  const { surface, serverOf, notebook, principal, owner, sessions, slots, limits } = parts;
  const { version, troubles, activity, news, log } = parts;
  const options = { version, principal, troubles, activity, log };
  const onerror = (error: Error): void => log(messageLine(error));
  const begin = (queue?: Session["queue"]): Session =>
    openSession(surface, notebook, principal, { id: newId(), slots, log, ...(queue ? { queue } : {}) });

  /** The session of a client in the newer era, by the client's name. `server/discover` begins a chat: it has its own opening and its own "mine", and shares the order of writes. */
  const sessionOf = (body: unknown): Session => {
    const { method, client } = callerIn(body);
    const key = `client ${client}`;
    const known = sessions.find(owner, key)?.session;
    if (known && method !== "server/discover") return known;
    const session = begin(known?.queue);
    sessions.add(owner, key, { session });
    return session;
  };
  const asking = new WeakMap<Request, unknown>();
  const modern = createMcpHandler(
    ({ requestInfo }) =>
      serverOf(surface, notebook, { ...options, session: sessionOf(asking.get(requestInfo!)) }),
    // Streams are counted for the whole identity, before they come here.
    { legacy: "reject", onerror, keepAliveMs: limits.keepAlive, maxSubscriptions: Infinity },
  );
  // Whoever may see the whole vault shares one publication.
  const seen =
    principal.folders === "all" ? notebook : notebook.as(whoListens(surface, principal, owner.identity));
  const publish = (target: NewsTarget): (() => void) =>
    surface.resources ? news.add(seen, target) : () => undefined;
  const stopNews = publish({
    updated: (path) => modern.notify.resourceUpdated(uriOf(path)),
    listChanged: () => modern.notify.resourcesChanged(),
  });

  /** A session of the older era begins with `initialize` and is named by its id from then on. */
  const initialized = async ({ request, body }: Asked): Promise<Response> => {
    const session = begin();
    const id = session.id;
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      keepAliveMs: limits.keepAlive,
      onsessionclosed: (closed) => sessions.remove(owner, `id ${closed}`),
    });
    Object.assign(transport, { onerror });
    const server = serverOf(surface, notebook, { ...options, session });
    Object.assign(server, { onclose: publish(clientOf(server, session.subscriptions)) });
    await server.connect(transport);
    const response = await transport.handleRequest(request, { parsedBody: body });
    if (response.ok) sessions.add(owner, `id ${id}`, { session, transport });
    else await transport.close();
    return response;
  };
  const older = async (asked: Asked): Promise<Response> => {
    const { request, body } = asked;
    const id = request.headers.get(SESSION_HEADER);
    if (id === null) {
      if (request.method !== "POST") return notAllowed("POST");
      if (messagesIn(body).some(isInitializeRequest)) return initialized(asked);
      return refusal(400, "A session is begun with initialize; then send its id as Mcp-Session-Id.");
    }
    const key = `id ${id}`;
    const kept = sessions.find(owner, key);
    if (!kept?.transport) return refusal(404, "There is no such session. Begin one with initialize.");
    const response = await kept.transport.handleRequest(request, { parsedBody: body });
    // A session whose stream is open is not idle.
    return isStream(response) ? whenEnded(response, sessions.hold(owner, key)) : response;
  };

  return {
    async answer(asked) {
      const { request, body } = asked;
      if (!namesNewerEra(body) && (await isLegacyRequest(request, body))) return older(asked);
      asking.set(request, body);
      return modern.fetch(request, { parsedBody: body });
    },
    async close() {
      stopNews();
      sessions.removeAll(owner);
      await modern.close();
    },
  };
};

/** 128 random bits: nobody guesses the session of another. */
const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );

const messagesIn = (body: unknown): unknown[] => (Array.isArray(body) ? body : [body]);

/** The method of a message, and what its envelope says. */
const headOf = (body: unknown): { method: string; envelope: Record<string, unknown> } => {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { _meta?: unknown } | null };
  const { _meta: meta } = params ?? {};
  const isEnvelope = typeof meta === "object" && meta !== null && !Array.isArray(meta);
  return {
    method: typeof method === "string" ? method : "",
    envelope: isEnvelope ? (meta as Record<string, unknown>) : {},
  };
};

/** Whether a message says by itself that it is of the newer era, as nearly all of that era do: the library then need not look at it twice. */
const namesNewerEra = (body: unknown): boolean => {
  const { method, envelope } = headOf(body);
  return method !== "" && method !== "initialize" && PROTOCOL_VERSION_META_KEY in envelope;
};

/** What a message of the newer era says of its caller. */
const callerIn = (body: unknown): { method: string; client: string } => {
  const { method, envelope } = headOf(body);
  const info = envelope[CLIENT_INFO_META_KEY] as { name?: unknown } | null | undefined;
  return { method, client: typeof info?.name === "string" ? info.name.slice(0, 200) : "" };
};
