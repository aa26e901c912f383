/** HTTP without Node: one function from a Request to a Response. It guards and routes; what is asked of a surface goes on to mcp-requests.ts. */

import { notAllowed, notFound, refusal } from "./answers.ts";
import { openBodies, parsedJson, withForm } from "./body.ts";
import { openCallers } from "./callers.ts";
import { corsOf, preflight } from "./cors.ts";
import { foreign } from "./guard.ts";
import { openMcpRequests, type Noted } from "./mcp-requests.ts";
import { metadataAnswer } from "./metadata.ts";
import type { From, HttpParts, ReadBody } from "./parts.ts";
import { routeOf, type Resource, type Routing } from "./routes.ts";
import { openSyncRequests } from "./sync-requests.ts";

export type Http = {
  fetch(request: Request, from: From): Promise<Response>;
  /** From now on every request is refused with 503; calls under way go on. */
  stop(): void;
  /** Ends streams, sessions and calls that are still under way. */
  close(): Promise<void>;
};

export const openHttp = (parts: HttpParts): Http => {
  const { vaults, surfaces, base, limits, now } = parts;
  const names = vaults.map(({ name }) => name);
  const routing = (): Routing => ({
    vaults: names,
    surfaces,
    prefix: base().pathname.replace(/\/$/, ""),
  });
  const bodies = openBodies(limits);
  const callers = openCallers(parts);
  const requests = openMcpRequests(parts, bodies, callers);
  const copies = openSyncRequests(parts, callers);
  let closing = false;

  const jsonBody = async (request: Request, from: From): Promise<ReadBody> => {
    const taken = await bodies.read(request, from);
    if (taken instanceof Response) return taken;
    const parsed = parsedJson(taken.bytes);
    if (!(parsed instanceof Response)) return { value: parsed.value, done: taken.done };
    taken.done();
    return parsed;
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
    if (route.kind === "metadata")
      return request.method === "GET"
        ? metadataAnswer(request, { base: base(), path: route.path, signsIn: parts.oauth !== undefined })
        : notAllowed("GET");
    if (route.kind === "oauth")
      return parts.oauth
        ? withForm(bodies, limits.form, request, from, (form) => parts.oauth!(form, route.path))
        : notFound();
    if (parts.page && route.kind === "mcp" && wantsPage(request, route))
      return documentOr(request, parts.page.document);
    if (route.kind === "page")
      return parts.page ? parts.page.answer(request, route, from, () => jsonBody(request, from)) : notFound();
    if (route.kind === "sync")
      return copies.answer(request, route, from, noted, () => jsonBody(request, from));
    return requests.answer(request, route, from, noted);
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
    async close() {
      parts.page?.close();
      await requests.close();
    },
  };
};

/** A browser that goes to a vault's own address wants the page; clients of the protocol ask for JSON or events there. */
export const wantsPage = (request: Request, { vault, path }: Resource): boolean =>
  request.method === "GET" &&
  path === (vault === "" ? "" : `/${vault}`) &&
  (request.headers.get("accept") ?? "").includes("text/html");

/** The page's files are named from where it is, so its address ends with a slash. */
export const documentOr = <T>(request: Request, document: () => T): T | Response => {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith("/")) return document();
  return new Response(null, { status: 308, headers: { location: `${pathname.split("/").at(-1)}/` } });
};
