/** A request to one surface of one vault: whose it is, whether they may call it, its body, and the endpoint that answers. */

import type { Identity } from "../identity/identity.ts";
import { mayCall } from "../protocol/principal.ts";
import { notAllowed, notFound, refusal } from "./answers.ts";
import { parsedJson, type Bodies } from "./body.ts";
import { openEndpoints } from "./endpoints.ts";
import { serves, type Callers } from "./callers.ts";
import type { From, HttpParts } from "./parts.ts";
import type { Resource } from "./routes.ts";
import { isStream, openStreams } from "./streams.ts";

/** Filled in while a request is worked on, for its line in the log. */
export type Noted = { identity: string | null; surface: string | null; tool: string | null };

export type McpRequests = {
  answer(request: Request, route: Resource, from: From, noted: Noted): Promise<Response>;
  /** Ends streams, sessions and calls that are still under way. */
  close(): Promise<void>;
};

export const openMcpRequests = (parts: HttpParts, bodies: Bodies, callers: Callers): McpRequests => {
  const { limits } = parts;
  const streams = openStreams(limits.streams);
  const endpoints = openEndpoints(parts);

  const streamed = (identity: Identity, response: Response): Response => {
    if (!isStream(response)) return response;
    return (
      streams.open(identity.name, response) ??
      refusal(429, `You have ${limits.streams} streams open already. Close some of them first.`)
    );
  };

  return {
    async answer(request, route, from, noted) {
      const caller = await callers.of(request, route, from);
      if (caller instanceof Response) return caller;
      const { identity, vault, challenge } = caller;
      noted.identity = identity.name;
      noted.surface = route.surface;
      if (!serves(identity, vault, route.surface))
        return refusal(403, "Your access does not include this vault or these tools.", {}, "access_denied");
      if (!["POST", "GET", "DELETE"].includes(request.method)) return notAllowed("POST, GET, DELETE");
      const endpoint = await endpoints.of(identity, vault, route.surface);
      if (!endpoint) return notFound();
      if (request.method !== "POST")
        return streamed(identity, await endpoint.answer({ request, body: undefined }));
      const taken = await bodies.read(request, from);
      if (taken instanceof Response) return taken;
      try {
        const parsed = parsedJson(taken.bytes);
        if (parsed instanceof Response) return parsed;
        noted.tool = toolIn(parsed.value);
        if (!(await inScope(parts, identity, route.surface, parsed.value)))
          return refusal(
            403,
            "Your access is for reading only.",
            { "www-authenticate": `Bearer error="insufficient_scope", ${challenge()}` },
            "insufficient_scope",
          );
        const response = await endpoint.answer({ request, body: parsed.value });
        return isListening(parsed.value) ? streamed(identity, response) : response;
      } finally {
        taken.done();
      }
    },
    close: () => endpoints.close(),
  };
};

/** Whether what is called lies within the scope of an OAuth token. Where the server is for reading only, no scope would help. */
const inScope = async (
  parts: HttpParts,
  identity: Identity,
  surface: string,
  body: unknown,
): Promise<boolean> => {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } };
  if (identity.consent === undefined || identity.rights !== "read" || parts.readOnly) return true;
  if (method !== "tools/call") return true;
  const tool = (await parts.loadSurface(surface))?.tools.find(({ name }) => name === params?.name);
  return tool === undefined || mayCall(identity, { tool });
};

const isListening = (body: unknown): boolean =>
  (body as { method?: unknown } | null)?.method === "subscriptions/listen";

/** The name of the tool that is called, which is all that is logged of a message. */
const toolIn = (body: unknown): string | null => {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { name?: unknown } };
  if (typeof method !== "string") return null;
  return method === "tools/call" && typeof params?.name === "string" ? params.name : method;
};
