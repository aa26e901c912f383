/** Which route a path means: `/mcp[/SURFACE]` of one vault, the same below each vault's name where there are several, the metadata of each, and a few fixed ones. */

export type Route =
  | { kind: "mcp"; vault: string; surface: string }
  | { kind: "metadata"; vault: string; surface: string | null }
  | { kind: "oauth"; path: string }
  | { kind: "health" };

export type Routing = {
  /** The names of the vaults; one vault that is served alone has the name "". */
  vaults: readonly string[];
  surfaces: readonly string[];
  /** The path of the public address, without a slash at its end. */
  prefix: string;
};

export const NATIVE = "native";
const METADATA = "/.well-known/oauth-protected-resource";
const OAUTH = [
  "/.well-known/oauth-authorization-server",
  "/authorize",
  "/oauth/token",
  "/oauth/register",
  "/oauth/revoke",
];

/** Null where there is nothing at that path. */
export const routeOf = (path: string, routing: Routing): Route | null => {
  const { prefix } = routing;
  if (path.startsWith(METADATA)) {
    const resource = without(path.slice(METADATA.length), prefix);
    const found = resource === "" ? resourceOf("/", routing) : resourceOf(resource, routing);
    return found && { kind: "metadata", ...found };
  }
  const issuer = path.startsWith("/.well-known/") && prefix !== "" && path.endsWith(prefix);
  const plain = issuer ? path.slice(0, -prefix.length) : without(path, prefix);
  if (plain === "/healthz") return { kind: "health" };
  if (OAUTH.includes(plain)) return { kind: "oauth", path: plain };
  const found = resourceOf(plain, routing);
  return found && { kind: "mcp", vault: found.vault, surface: found.surface ?? NATIVE };
};

/** A proxy may hand the whole path on, or take the public prefix off. */
const without = (path: string, prefix: string): string =>
  prefix !== "" && (path === prefix || path.startsWith(`${prefix}/`))
    ? path.slice(prefix.length) || "/"
    : path;

/** `/`, `/mcp`, `/mcp/wiki`, and each below a vault's name. The surface is null where none is named. */
const resourceOf = (
  path: string,
  { vaults, surfaces }: Routing,
): { vault: string; surface: string | null } | null => {
  const parts = path.split("/").slice(1);
  const vault = vaults.includes("") ? "" : (parts.shift() ?? "");
  if (!vaults.includes(vault)) return null;
  const [first = "", surface, ...more] = parts;
  if (more.length > 0 || (first !== "" && first !== "mcp")) return null;
  if (first === "") return surface === undefined ? { vault, surface: null } : null;
  if (surface === undefined || surface === "") return { vault, surface: null };
  return surfaces.includes(surface) ? { vault, surface } : null;
};

/** The public address of a resource, and of the metadata that describes it (RFC 9728: inserted after the host). */
export const addressesOf = (
  base: URL,
  vault: string,
  surface: string | null,
): { resource: string; metadata: string } => {
  const prefix = base.pathname.replace(/\/$/, "");
  const path = `${prefix}${vault === "" ? "" : `/${vault}`}/mcp${surface === null ? "" : `/${surface}`}`;
  return { resource: `${base.origin}${path}`, metadata: `${base.origin}${METADATA}${path}` };
};

/** Every address of one vault, as a client may name it: `/mcp` first, each surface, and the root. */
export const vaultAddresses = (base: URL, vault: string, surfaces: readonly string[]): string[] => {
  const { resource } = addressesOf(base, vault, null);
  const root = resource.replace(/\/mcp$/, "");
  return [
    resource,
    ...surfaces.map((surface) => addressesOf(base, vault, surface).resource),
    root === base.origin ? `${root}/` : root,
  ];
};
