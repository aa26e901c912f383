/** `serve --http`: one or several vaults, every surface, to clients with a token. */

import { homedir, hostname, networkInterfaces } from "node:os";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import manifest from "../../package.json" with { type: "json" };
import { LIMITS } from "../http/limits.ts";
import { listen } from "../http/node.ts";
import type { RequestLine } from "../http/parts.ts";
import { openHttp } from "../http/router.ts";
import { LOOPBACK } from "../http/routes.ts";
import { openActivities } from "../protocol/activity.ts";
import { mcpServer } from "../protocol/mcp.ts";
import { identitiesFile, openIdentitiesFile, readIdentities } from "../identity/file.ts";
import { lastUseFile, openLastUse, readLastUse } from "../identity/last-use.ts";
import type { Identities } from "../identity/identity.ts";
import { isOurs } from "../identity/token.ts";
import { loadSurface, surfaceNames } from "../surfaces/all.ts";
import { openPage } from "./page.ts";
import { log, openServed, reporter, type ServedVault } from "./served-vault.ts";
import { expandHome, usageError, type Environment, type Settings } from "./settings.ts";
import { addIdentity } from "./token.ts";
import { noVault, sayVault, vaultOf } from "./which-vault.ts";

type Named = { name: string; root: string };

/** `FOLDER`, or several `name=FOLDER`. */
const vaultsOf = (rest: readonly string[], environment: Environment): Named[] => {
  if (rest.length <= 1 && !rest[0]?.includes("=")) {
    const vault = vaultOf(rest[0], { environment, surface: "native" });
    if (vault === null) throw noVault("serve ~/Notes");
    sayVault(vault, environment);
    return [{ name: "", root: vault.root }];
  }
  const named = rest.map((each): Named => {
    const [, name, root] = /^([a-z0-9][a-z0-9-]{0,62})=(.+)$/.exec(each) ?? [];
    if (name === undefined || root === undefined)
      throw usageError(`Each of several vaults needs a name: name=${each} (a-z, 0-9 and -).`);
    if (["mcp", "authorize", "oauth", "healthz", "api", "assets"].includes(name))
      throw usageError(`A vault cannot be called "${name}": that is a route of the server.`);
    return { name, root: expandHome(root) };
  });
  const twice = named.find(({ name }, at) => named.findIndex((other) => other.name === name) !== at);
  if (twice) throw usageError(`Two vaults are called "${twice.name}".`);
  return named;
};

const placeOf = (text: string): { host: string; port: number } => {
  const [, host = "127.0.0.1", port = ""] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === "" || Number(port) > 65_535)
    throw usageError(`--http cannot be "${text}". Give a port, or a host and a port: 8787, 127.0.0.1:8787.`);
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port: Number(port) };
};

const publicUrl = (text: string | undefined): URL | null => {
  if (text === undefined) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !["https:", "http:"].includes(url.protocol) || url.search !== "" || url.hash !== "")
    throw usageError(`--public-url cannot be "${text}". Give an address such as https://notes.example.org.`);
  return url;
};

/** Passphrases and codes go over TLS, or do not leave this computer. */
const checkPrivate = (host: string, base: URL | null): void => {
  if (base ? base.protocol === "https:" : isOwn(host)) return;
  if (base && LOOPBACK.includes(base.hostname) && isOwn(host)) return;
  throw usageError(
    "--oauth takes passphrases, so it needs an https --public-url, or an address of this computer alone (127.0.0.1).",
  );
};

const bracketed = (address: string): string => (address.includes(":") ? `[${address}]` : address);
/** Whether nobody but this computer reaches what listens there. */
const isOwn = (host: string): boolean => LOOPBACK.includes(bracketed(host));

/** Names by which this computer may be called: loopback, the address it listens on, and its public one. */
const hostsOf = (host: string, base: URL | null): Set<string> => {
  const hosts = new Set(LOOPBACK);
  if (base) hosts.add(base.hostname.toLowerCase());
  if (isOwn(host)) return hosts;
  hosts.add(bracketed(host).toLowerCase());
  if (host !== "0.0.0.0" && host !== "::") return hosts;
  hosts.add(hostname().toLowerCase());
  for (const list of Object.values(networkInterfaces()))
    for (const { address } of list ?? []) hosts.add(bracketed(address).toLowerCase());
  return hosts;
};

const originsOf = (text: string | undefined): Set<string> =>
  new Set(
    (text?.split("\n") ?? []).map((each) => {
      if (!URL.canParse(each) || new URL(each).origin === "null")
        throw usageError(
          `--allow-origin cannot be "${each}". Give an origin such as https://app.example.org.`,
        );
      return new URL(each).origin;
    }),
  );

const socketsOf = (text: string | undefined): number => {
  if (text === undefined) return LIMITS.sockets;
  if (!/^[1-9]\d{0,5}$/.test(text)) throw usageError(`--max-sockets cannot be "${text}". Give a number.`);
  return Number(text);
};

const logged = (line: RequestLine): void =>
  void process.stderr.write(`${JSON.stringify({ time: new Date().toISOString(), ...line })}\n`);

/** `show` is handed the address of the page with a key, where that is what the command is for: then nobody is told of tokens. */
export const serveHttp = async (
  { values, rest }: Settings,
  environment: Environment,
  show?: (address: string) => void,
): Promise<void> => {
  const { host, port } = placeOf(values.http!);
  const base = publicUrl(values["public-url"]);
  const origins = originsOf(values["allow-origin"]);
  const limits = { ...LIMITS, sockets: socketsOf(values["max-sockets"]) };
  const named = vaultsOf(rest, environment);
  if (values.oauth !== undefined) checkPrivate(host, base);
  const file = identitiesFile(environment, homedir());
  const readOnly = values["read-only"] !== undefined;
  const nobody = !show && readIdentities(file).length === 0;
  // A token is shown to whoever reads what a process of another computer or a container writes: there it is made beforehand.
  const first = nobody && isOwn(host);
  if (nobody && !first && values.oauth === undefined)
    throw usageError(
      `Nobody may call yet, and ${host} is open to other computers. Make a token first: notewright token add NAME --rights write.`,
    );
  const opened: { name: string; place: string; open: ServedVault }[] = [];
  for (const { name, root } of named) {
    const open = await openServed(root, values, environment);
    opened.push({ name, place: realpathSync(root), open });
  }
  const token = first ? await addIdentity(file, { name: "local", rights: "admin" }) : null;
  const usesFile = lastUseFile(environment, homedir());
  const lastUse = openLastUse(usesFile, () => new Date());
  const identities = openIdentitiesFile(file, { used: lastUse.used, report: reporter() });
  let address = base ?? new URL("http://127.0.0.1");
  const oauth =
    values.oauth === undefined
      ? null
      : await (await import("./signing-in.ts")).openSigningIn(environment, identities, opened, () => address);
  const vaults = opened.map(({ name, place, open }) => ({
    name,
    place,
    notebook: () => open.notebook,
    troubles: open.troubles,
    activity: openActivities(),
  }));
  const page = openPage({
    vaults,
    opened,
    values,
    environment,
    identities,
    lastUses: () => readLastUse(usesFile),
    base: () => address,
    signIn: oauth?.signIn ?? null,
  });
  const http = openHttp({
    vaults,
    page: page.requests,
    surfaces: surfaceNames,
    loadSurface,
    serverOf: mcpServer,
    identities: oauth ? { ...identities, of: signedIn(identities, oauth, lastUse.used) } : identities,
    ...(oauth ? { oauth: oauth.fetch } : {}),
    readOnly,
    base: () => address,
    hosts: hostsOf(host, base),
    origins,
    limits,
    now: () => performance.now(),
    version: manifest.version,
    log,
    ...(values.log === "requests" ? { onRequest: logged } : {}),
  });
  const listening = await listen(http, { host, port, limits, log });
  if (!base) address = new URL(`http://${isOwn(host) ? "127.0.0.1" : bracketed(host)}:${listening.port}`);
  const local = new URL(`http://127.0.0.1:${listening.port}`);
  const unannounce = isOwn(host) || host === "0.0.0.0" ? page.announce(local) : () => undefined;
  if (show) show(await page.keyed(local));
  else introduce(address, opened, token);
  await Promise.race(["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => once(process, signal)));
  unannounce();
  await listening.close();
  oauth?.close();
  identities.close();
  lastUse.close();
  await Promise.all(opened.map(({ open }) => open.close()));
  process.exit(0);
};

/** Tokens of `token add` are looked up in their file, all others are of OAuth. */
const signedIn =
  (identities: Identities, oauth: Pick<Identities, "of">, used: (name: string) => void): Identities["of"] =>
  async (token) => {
    if (isOurs(token)) return identities.of(token);
    const identity = await oauth.of(token);
    if (identity) used(identity.name);
    return identity;
  };

/** What a person needs to connect a client; a new token is shown this once. */
const introduce = (
  base: URL,
  vaults: readonly { name: string; place: string }[],
  token: string | null,
): void => {
  const address = base.href.replace(/\/$/, "");
  for (const { name, place } of vaults)
    log(`${place} is served at ${address}${name === "" ? "" : `/${name}`}/mcp, and other surfaces below it.`);
  if (token === null) return log("Clients need a token: notewright token add NAME --rights write.");
  log("This token is shown once; paste it into your client:");
  process.stderr.write(`  Authorization: Bearer ${token}\n`);
};
