/** HTTP without Node: one function from a Request to a Response. It guards, routes, reads the body and hands on to the endpoint of its caller. */

import type { Identities, Identity } from "../identity/identity.ts";
import { mayCall } from "../protocol/principal.ts";
import { openSlots } from "../protocol/slots.ts";
import type { ServerMaker } from "../protocol/mcp.ts";
import { READING } from "../protocol/session.ts";
import type { Served } from "../protocol/subscriptions.ts";
import type { Troubles } from "../protocol/troubles.ts";
import type { Surface } from "../surfaces/surface.ts";
import { notAllowed, notFound, refusal } from "./answers.ts";
import { openBodies, parsedJson, type BodyKind } from "./body.ts";
import { corsOf, preflight } from "./cors.ts";
import { openEndpoint, type Endpoint, type KeptSession } from "./endpoint.ts";
import { foreign, openTokenGuard, type GuardOptions } from "./guard.ts";
import type { Limits } from "./limits.ts";
import { addressesOf, NATIVE, routeOf, type Route, type Routing } from "./routes.ts";
import { openNewsRoom } from "./news.ts";
import { openSessions } from "./sessions.ts";
import { isStream, openStreams } from "./streams.ts";

export type HttpVault = {
  /** The name in its routes; "" where it is served alone. */
  name: string;
  /** What an identity is checked against: the vault's real path. */
  place: string;
  /** The notebook as the identity may see it. */
  notebook(identity: Identity): Served;
  /** What clients that want log lines are sent about it. */
  troubles: Troubles;
};

export type HttpParts = GuardOptions & {
  vaults: readonly HttpVault[];
  surfaces: readonly string[];
  loadSurface(name: string): Promise<Surface | null>;
  serverOf: ServerMaker;
  identities: Identities;
  /** Nobody may write, whatever their rights. */
  readOnly: boolean;
  /** What clients call this server; known once it listens. */
  base(): URL;
  /** Answers what belongs to signing in, where that is on. The path is the route's, whatever the public address has before it; the body has been read. */
  oauth?: (request: Request, path: string) => Promise<Response>;
  limits: Limits;
  now(): number;
  version: string;
  log(line: string): void;
  /** Takes what was asked and how it ended, where requests are logged. */
  onRequest?: (line: RequestLine) => void;
};

/** Where a request came from, as far as its runtime knows. */
export type From = { address: string };
export type RequestLine = {
  identity: string | null;
  surface: string | null;
  tool: string | null;
  milliseconds: number;
  status: number;
};

export type Http = {
  fetch(request: Request, from: From): Promise<Response>;
  /** From now on every request is refused with 503; calls under way go on. */
  stop(): void;
  /** Ends streams, sessions and calls that are still under way. */
  close(): Promise<void>;
};

type McpRoute = Extract<Route, { kind: "mcp" }>;
/** Filled in while a request is worked on, for its line in the log. */
type Noted = { identity: string | null; surface: string | null; tool: string | null };

export const openHttp = (parts: HttpParts): Http => {
  const { vaults, surfaces, identities, base, limits, now } = parts;
  const names = vaults.map(({ name }) => name);
  const routing = (): Routing => ({
    vaults: names,
    surfaces,
    prefix: base().pathname.replace(/\/$/, ""),
  });
  const tokens = openTokenGuard(identities, now);
  const bodies = openBodies(limits);
  const form: BodyKind = {
    types: /^application\/(?:json|x-www-form-urlencoded)\s*(?:;|$)/i,
    called: "application/x-www-form-urlencoded or application/json",
    most: limits.form,
  };
  const streams = openStreams(limits.streams);
  const endpoints = openEndpoints(parts);
  let closing = false;

  const metadata = (route: Extract<Route, { kind: "metadata" }>): Response => {
    const { resource } = addressesOf(base(), route.vault, route.surface);
    return Response.json({
      resource,
      ...(parts.oauth ? { authorization_servers: [base().href.replace(/\/$/, "")] } : {}),
      scopes_supported: ["notes:read", "notes:write"],
      bearer_methods_supported: ["header"],
      resource_name: "Notewright",
    });
  };

  const mcp = async (request: Request, route: McpRoute, from: From, noted: Noted): Promise<Response> => {
    const { metadata: address } = addressesOf(
      base(),
      route.vault,
      route.surface === NATIVE ? null : route.surface,
    );
    const challenge = `resource_metadata="${address}", scope="notes:read notes:write"`;
    const identity = await tokens.check(request, { address: from.address, challenge });
    if (identity instanceof Response) return identity;
    noted.identity = identity.name;
    noted.surface = route.surface;
    const vault = vaults.find(({ name }) => name === route.vault)!;
    // A token of OAuth has an audience: for any other vault it is none.
    if (identity.consent !== undefined && identity.vault !== vault.place)
      return refusal(
        401,
        "The token is for another vault.",
        { "www-authenticate": `Bearer error="invalid_token", ${challenge}` },
        "invalid_token",
      );
    if (!serves(identity, vault, route.surface))
      return refusal(403, "Your access does not include this vault or these tools.", {}, "access_denied");
    if (!["POST", "GET", "DELETE"].includes(request.method)) return notAllowed("POST, GET, DELETE");
    const endpoint = await endpoints.of(identity, vault, route.surface);
    if (!endpoint) return notFound();
    if (request.method !== "POST")
      return streamed(identity, await endpoint.answer({ request, body: undefined }));
    const taken = await bodies.read(request);
    if (taken instanceof Response) return taken;
    try {
      const parsed = parsedJson(taken.bytes);
      if (parsed instanceof Response) return parsed;
      noted.tool = toolIn(parsed.value);
      if (!(await inScope(identity, route.surface, parsed.value)))
        return refusal(
          403,
          "Your access is for reading only.",
          { "www-authenticate": `Bearer error="insufficient_scope", ${challenge}` },
          "insufficient_scope",
        );
      const response = await endpoint.answer({ request, body: parsed.value });
      return isListening(parsed.value) ? streamed(identity, response) : response;
    } finally {
      taken.done();
    }
  };
  /** Whether what is called lies within the scope of an OAuth token. Where the server is for reading only, no scope would help. */
  const inScope = async (identity: Identity, surface: string, body: unknown): Promise<boolean> => {
    const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } };
    if (identity.consent === undefined || identity.rights !== "read" || parts.readOnly) return true;
    if (method !== "tools/call") return true;
    const tool = (await parts.loadSurface(surface))?.tools.find(({ name }) => name === params?.name);
    return tool === undefined || mayCall(identity, { tool });
  };
  const signingIn = async (request: Request, path: string): Promise<Response> => {
    if (!parts.oauth) return notFound();
    if (request.method !== "POST") return parts.oauth(request, path);
    const taken = await bodies.read(request, form);
    if (taken instanceof Response) return taken;
    const { url, headers } = request;
    const body = new TextDecoder().decode(taken.bytes);
    try {
      return await parts.oauth(new Request(url, { method: "POST", headers, body }), path);
    } finally {
      taken.done();
    }
  };
  const streamed = (identity: Identity, response: Response): Response => {
    if (!isStream(response)) return response;
    return (
      streams.open(identity.name, response) ??
      refusal(429, `You have ${limits.streams} streams open already. Close some of them first.`)
    );
  };

  const answer = async (request: Request, from: From, noted: Noted): Promise<Response> => {
    const refused = foreign(request, parts);
    if (refused) return refused;
    const route = routeOf(new URL(request.url).pathname, routing());
    if (route?.kind === "health")
      return closing ? refusal(503, "The server is closing.") : Response.json({ status: "ok" });
    if (closing) return refusal(503, "The server is closing.", { connection: "close" });
    if (request.method === "OPTIONS") return preflight(request, parts.origins);
    if (!route) return notFound();
    if (route.kind === "metadata") return request.method === "GET" ? metadata(route) : notAllowed("GET");
    if (route.kind === "oauth") return signingIn(request, route.path);
    return mcp(request, route, from, noted);
  };

  return {
    async fetch(request, from) {
      const begun = now();
      const noted: Noted = { identity: null, surface: null, tool: null };
      const response = await answer(request, from, noted);
      corsOf(request, response, parts.origins);
      parts.onRequest?.({ ...noted, milliseconds: now() - begun, status: response.status });
      return response;
    },
    stop: () => void (closing = true),
    close: () => endpoints.close(),
  };
};

/** Whether the identity may call that surface of that vault. */
const serves = ({ vault, surfaces }: Identity, { place }: HttpVault, surface: string): boolean =>
  (vault === null || vault === place) && (surfaces === "all" || surfaces.includes(surface));

const isListening = (body: unknown): boolean =>
  (body as { method?: unknown } | null)?.method === "subscriptions/listen";

/** The name of the tool that is called, which is all that is logged of a message. */
const toolIn = (body: unknown): string | null => {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } };
  if (typeof method !== "string") return null;
  return method === "tools/call" && typeof params?.name === "string" ? params.name : method;
};

/** The endpoints that are open: one for each identity, vault and surface that has called, until the identity is removed or changed. */
const openEndpoints = (parts: HttpParts) => {
  const { limits, now, identities, log, version, serverOf } = parts;
  const open = new Map<string, { identity: string; endpoint: Promise<Endpoint | null> }>();
  const slots = openSlots(READING, () => null);
  const news = openNewsRoom();
  const sessions = openSessions<KeptSession>(
    limits,
    ({ transport }) => void transport?.close().catch(() => undefined),
    now,
  );
  const make = async (identity: Identity, vault: HttpVault, name: string) => {
    const surface = await parts.loadSurface(name);
    if (!surface) return null;
    const principal: Identity = parts.readOnly ? { ...identity, rights: "read" } : identity;
    const notebook = vault.notebook(principal);
    return openEndpoint({
      surface,
      serverOf,
      notebook,
      troubles: vault.troubles,
      principal,
      owner: { identity: identity.name, rights: identity.rights, vault: vault.name, surface: name },
      sessions,
      news,
      slots,
      limits,
      version,
      log,
    });
  };
  const end = async (which: (identity: string) => boolean): Promise<void> => {
    const ending = [...open].filter(([, { identity }]) => which(identity));
    for (const [key] of ending) open.delete(key);
    await Promise.all(ending.map(async ([, { endpoint }]) => (await endpoint)?.close()));
  };
  const stopHearing = identities.onChange((names) => void end((identity) => names.has(identity)));
  const sweep = setInterval(() => sessions.sweep(), limits.sessionIdle / 30);

  return {
    of(identity: Identity, vault: HttpVault, surface: string): Promise<Endpoint | null> {
      // Tokens of one identity may differ in scope.
      const key = JSON.stringify([identity.name, identity.rights, vault.name, surface]);
      const known = open.get(key);
      if (known) return known.endpoint;
      const endpoint = make(identity, vault, surface);
      open.set(key, { identity: identity.name, endpoint });
      return endpoint;
    },
    async close(): Promise<void> {
      stopHearing();
      clearInterval(sweep);
      await end(() => true);
      sessions.removeAll();
    },
  };
};
