/** What clients are told of a resource before they have access: its metadata (RFC 9728), and the challenge that leads there. */

import { addressesOf, calledBase } from "./routes.ts";

/** `signsIn`: whether there is an authorization server here. */
export const metadataAnswer = (
  request: Request,
  { base, path, signsIn }: { base: URL; path: string; signsIn: boolean },
): Response =>
  Response.json({
    resource: addressesOf(calledBase(base, request.headers.get("host")), path).resource,
    ...(signsIn ? { authorization_servers: [base.href.replace(/\/$/, "")] } : {}),
    scopes_supported: ["notes:read", "notes:write"],
    bearer_methods_supported: ["header"],
    resource_name: "Notewright",
  });

/** What follows `Bearer` in a refusal. */
export const challengeOf = (request: Request, base: URL, path: string): string => {
  const { metadata } = addressesOf(calledBase(base, request.headers.get("host")), path);
  return `resource_metadata="${metadata}", scope="notes:read notes:write"`;
};
