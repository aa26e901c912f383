/** Which route a path means: `/mcp[/SURFACE]` of one vault, the same below each vault's name where there are several, the metadata of each, and a few fixed ones. */

/** A resource: one surface of one vault, under one of the paths that clients may call it by. */
export type Resource = { vault: string; surface: string; path: string };
export type Route =
  | ({ kind: "mcp" } & Resource)
  | ({ kind: "metadata" } & Resource)
  | { kind: "oauth"; path: string }
  | ({ kind: "page" } & PageRoute)
  | ({ kind: "sync" } & SyncRoute)
  | { kind: "health" };
/** A file or a call of the page of one vault: `assets/…` or `api/…`. */
export type PageRoute = { vault: string; path: string };
/** A call of another copy of a vault. `path` is the vault's own, by which a token for it is asked for. */
export type SyncRoute = { vault: string; path: string; call: string };

export type Routing = {
  /** The names of the vaults; one vault that is served alone has the name "". */
  vaults: { includes(name: string): boolean };
  surfaces: readonly string[];
  /** The path of the public address, without a slash at its end. */
  prefix: string;
};

const NATIVE = "native";
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
  const page = pageOf(plain, routing);
  if (page) return { kind: "page", ...page };
  const sync = syncOf(plain, routing);
  if (sync) return { kind: "sync", ...sync };
  const found = resourceOf(plain, routing);
  return found && { kind: "mcp", ...found };
};

/** A proxy may hand the whole path on, or take the public prefix off. */
const without = (path: string, prefix: string): string =>
  prefix !== "" && (path === prefix || path.startsWith(`${prefix}/`))
    ? path.slice(prefix.length) || "/"
    : path;

/** `/`, `/mcp`, `/mcp/wiki`, and each below a vault's name. */
const resourceOf = (path: string, { vaults, surfaces }: Routing): Resource | null => {
  const parts = path.split("/").slice(1);
  const vault = vaults.includes("") ? "" : (parts.shift() ?? "");
  if (!vaults.includes(vault)) return null;
  const root = rootOf(vault);
  const [first = "", surface = "", ...more] = parts;
  if (more.length > 0) return null;
  if (first === "") return surface === "" ? { vault, surface: NATIVE, path: root } : null;
  if (first !== "mcp") return null;
  if (surface === "") return { vault, surface: NATIVE, path: `${root}/mcp` };
  return surfaces.includes(surface) ? { vault, surface, path: `${root}/mcp/${surface}` } : null;
};

/** `/api/search`, `/assets/main.js`, and each below a vault's name. */
const pageOf = (path: string, routing: Routing): PageRoute | null => {
  const found = inVault(path, routing, /^\/((?:api|assets)\/[\w.-]+)$/);
  return found && { vault: found.vault, path: found.inside };
};

/** `/sync/list`, and the like below a vault's name. */
const syncOf = (path: string, routing: Routing): SyncRoute | null => {
  const found = inVault(path, routing, /^\/sync\/([a-z]+)$/);
  return found && { vault: found.vault, path: `${rootOf(found.vault)}/mcp`, call: found.inside };
};

/** What the pattern finds in a path below a vault. */
const inVault = (
  path: string,
  { vaults }: Routing,
  pattern: RegExp,
): { vault: string; inside: string } | null => {
  const vault = vaults.includes("") ? "" : (path.split("/")[1] ?? "");
  if (!vaults.includes(vault)) return null;
  const [, inside] = pattern.exec(path.slice(rootOf(vault).length)) ?? [];
  return inside === undefined ? null : { vault, inside };
};

const rootOf = (vault: string): string => (vault === "" ? "" : `/${vault}`);

/** The public address of a resource, and of the metadata that describes it (RFC 9728: inserted after the host). */
export const addressesOf = (base: URL, path: string): { resource: string; metadata: string } => {
  const whole = base.pathname.replace(/\/$/, "") + path;
  return { resource: `${base.origin}${whole || "/"}`, metadata: `${base.origin}${METADATA}${whole}` };
};

/** Every address of one vault, as a client may name it: `/mcp` first, each surface, and the root. */
export const vaultAddresses = (base: URL, vault: string, surfaces: readonly string[]): string[] => {
  const root = rootOf(vault);
  const paths = [`${root}/mcp`, ...surfaces.map((surface) => `${root}/mcp/${surface}`), root];
  return paths.map((path) => addressesOf(base, path).resource);
};

/** The names that this computer has for itself. */
export const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** An address under each of them, where it is one of them; else that address alone. */
export const namesOf = (base: URL): URL[] =>
  LOOPBACK.includes(base.hostname)
    ? LOOPBACK.map((name) => Object.assign(new URL(base), { hostname: name }))
    : [base];

/** The address by the name that the client called, so that it finds its own words in what is said of the resource. */
export const calledBase = (base: URL, host: string | null): URL =>
  namesOf(base).find((each) => each.host === host) ?? base;
