/** Where the Worker is: what clients call it, and which addresses of it are whose. */

import type { GuardOptions } from "../http/guard.ts";
import { namesOf, routeOf, type Routing } from "../http/routes.ts";
import { isWorkspaceId } from "./ids.ts";
import type { Bindings } from "./runtime.ts";
import { surfaceNames } from "./surfaces.ts";

export type Place = GuardOptions & { base: URL };

/** Every well-formed id is a route, whether there is such a workspace or not: who may not know is not told. */
export const ROUTING: Routing = { vaults: { includes: isWorkspaceId }, surfaces: surfaceNames, prefix: "" };

/** Only names that are routed to it reach a Worker of Cloudflare's; elsewhere `PUBLIC_URL` says which one it has. */
export const placeOf = (request: Request, { PUBLIC_URL, ALLOW_ORIGIN = "" }: Bindings): Place => {
  const base = new URL(new URL(PUBLIC_URL ?? request.url).origin);
  return {
    base,
    hosts: new Set(namesOf(base).map(({ hostname }) => hostname)),
    origins: new Set(ALLOW_ORIGIN.split(/\s+/).filter((origin) => origin !== "")),
    more: { host: "PUBLIC_URL names the one it has.", origin: "ALLOW_ORIGIN names those that may." },
  };
};

/** Whether tokens and secrets are read by nobody on their way to it. */
export const isPrivate = (base: URL): boolean => base.protocol === "https:" || namesOf(base).length > 1;

/** The id of the workspace that an address belongs to, whether there is one or not; null where it is no address of ours. */
export const workspaceAt = (base: URL, address: string): string | null => {
  if (!URL.canParse(address)) return null;
  const { origin, pathname, search, hash } = new URL(address);
  if (search !== "" || hash !== "" || !namesOf(base).some((name) => name.origin === origin)) return null;
  const route = routeOf(pathname, ROUTING);
  return route?.kind === "mcp" ? route.vault : null;
};
