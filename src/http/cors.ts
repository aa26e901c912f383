/** Pages of other origins that may call: what a browser is told before and after a request of theirs. */

const ALLOWED_HEADERS =
  "authorization, content-type, accept, last-event-id, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name";
const SHOWN_HEADERS = "mcp-session-id, www-authenticate";

/** The answer to a preflight. Its origin has been checked already. */
export const preflight = (request: Request, origins: ReadonlySet<string>): Response => {
  const origin = request.headers.get("origin");
  if (origin === null || !origins.has(origin)) return new Response(null, { status: 204 });
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, POST, DELETE",
      "access-control-allow-headers": ALLOWED_HEADERS,
      "access-control-max-age": "600",
    },
  });
};

/** Adds to an answer what lets the page that asked read it. */
export const corsOf = (request: Request, response: Response, origins: ReadonlySet<string>): void => {
  const origin = request.headers.get("origin");
  if (origin === null || !origins.has(origin)) return;
  response.headers.set("access-control-allow-origin", origin);
  response.headers.set("access-control-expose-headers", SHOWN_HEADERS);
  response.headers.append("vary", "origin");
};
