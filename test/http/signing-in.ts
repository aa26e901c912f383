/** Signing in as a browser does it, without one: forms are read off the pages and posted, redirects are looked at and not followed. */

import { createHash, randomBytes, scryptSync } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { authFile, openAuthFile } from "../../src/oauth/auth-file.ts";
import type { Home } from "../process.ts";
import { serveHttp, type HttpServed } from "./served.ts";

export const PASSPHRASE = "four words make one";

/** Sets the owner's passphrase as the command does, but so that each sign-in takes less time. */
export const setOwner = async (home: Home): Promise<void> => {
  const [salt, cost] = [randomBytes(16), { N: 16, r: 1, p: 1 }];
  const key = scryptSync(PASSPHRASE, salt, 32, cost);
  const store = await openAuthFile(authFile(home.environment, home.folder));
  const kept = { ...cost, salt: salt.toString("base64"), key: key.toString("base64") };
  await store.put("owner:passphrase", JSON.stringify(kept));
  store.close();
};

/** A server with `--oauth` whose owner has a passphrase. */
export const serveOAuth = async (
  flags: string[] = [],
  how: Parameters<typeof serveHttp>[1] = {},
): Promise<HttpServed> => {
  const served = await serveHttp(["--oauth", ...flags], how);
  await setOwner(served.home);
  return served;
};

export const base64url = (bytes: Buffer): string => bytes.toString("base64url");
export const newVerifier = (): { verifier: string; challenge: string } => {
  const verifier = base64url(randomBytes(32));
  return { verifier, challenge: base64url(createHash("sha256").update(verifier).digest()) };
};

export const REDIRECT = "http://127.0.0.1:8999/callback";

export const register = async (base: string, more: object = {}): Promise<Response> =>
  fetch(`${base}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Pocket client",
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      ...more,
    }),
  });

export const registered = async (base: string, more: object = {}): Promise<string> =>
  ((await (await register(base, more)).json()) as { client_id: string }).client_id;

/** The address to which a client sends its user; a parameter that is undefined is left out. */
export const authorizeUrl = (base: string, parameters: Record<string, string | undefined>): URL => {
  const url = new URL(`${base}/authorize`);
  const all = {
    response_type: "code",
    redirect_uri: REDIRECT,
    code_challenge_method: "S256",
    state: "s1",
    scope: "notes:read notes:write",
    resource: `${base}/mcp`,
    ...parameters,
  };
  for (const [name, value] of Object.entries(all)) if (value !== undefined) url.searchParams.set(name, value);
  return url;
};

const post = (url: string | URL, form: Record<string, string>, origin?: string): Promise<Response> =>
  fetch(url, {
    method: "POST",
    body: new URLSearchParams(form),
    redirect: "manual",
    headers: origin === undefined ? {} : { origin },
  });

export const signIn = (url: string | URL, secret = PASSPHRASE, origin?: string): Promise<Response> =>
  post(url, { secret }, origin);

export const handleIn = (page: string): string => /name="consent" value="(\w+)"/.exec(page)?.[1] ?? "";

/** Posts the consent form, as far as the page has one. */
export const decide = async (page: string, base: string, form: Record<string, string>): Promise<Response> => {
  const name = /id="name"[^>]*value="([^"]*)"/.exec(page)?.[1] ?? "";
  return post(`${base}/authorize`, {
    consent: handleIn(page),
    name,
    rights: "write",
    decision: "allow",
    ...form,
  });
};

/** From the client's address to the redirect that carries the code. */
export const consented = async (
  url: URL,
  form: Record<string, string> = {},
  secret = PASSPHRASE,
): Promise<URL> => {
  const shown = await fetch(url);
  if (shown.status !== 200) throw new Error(await shown.text());
  const asked = await signIn(url, secret);
  if (asked.status !== 200) throw new Error(`${asked.status} ${await asked.text()}`);
  const answer = await decide(await asked.text(), url.origin, form);
  const location = answer.headers.get("location");
  if (location === null) throw new Error(`${answer.status} ${await answer.text()}`);
  return new URL(location);
};

export type Tokens = { access_token: string; refresh_token: string; expires_in: number; scope: string };

export const tokenRequest = (
  base: string,
  form: Record<string, string>,
  path = "/oauth/token",
): Promise<Response> => post(`${base}${path}`, form);

/** A whole flow by hand: what the client holds at its end. */
export const signedIn = async (
  base: string,
  form: Record<string, string> = {},
  parameters: Record<string, string | undefined> = {},
  secret = PASSPHRASE,
): Promise<{ client: string; code: string; verifier: string; tokens: Tokens }> => {
  const client = parameters["client_id"] ?? (await registered(base));
  const { verifier, challenge } = newVerifier();
  const url = authorizeUrl(base, { client_id: client, code_challenge: challenge, ...parameters });
  const code = (await consented(url, form, secret)).searchParams.get("code") ?? "";
  const answer = await tokenRequest(base, {
    grant_type: "authorization_code",
    client_id: client,
    code,
    code_verifier: verifier,
    redirect_uri: parameters["redirect_uri"] ?? REDIRECT,
  });
  if (!answer.ok) throw new Error(await answer.text());
  return { client, code, verifier, tokens: (await answer.json()) as Tokens };
};

/** What an official client keeps between its calls. */
export const memory = (name: string, address = REDIRECT) => {
  const kept: { client?: unknown; tokens?: unknown; url?: URL; verifier?: string } = {};
  const provider = {
    redirectUrl: address,
    clientMetadata: {
      client_name: name,
      redirect_uris: [address],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    },
    state: () => "s1",
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => void (kept.client = client),
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => void (kept.tokens = tokens),
    redirectToAuthorization: (url: URL) => void (kept.url = url),
    saveCodeVerifier: (verifier: string) => void (kept.verifier = verifier),
    codeVerifier: () => kept.verifier!,
  };
  return { kept, provider: provider as never };
};

/** The official clients of both eras: their version, and how each is made. */
type AnyClient = Pick<Client, "connect" | "close"> & {
  callTool(call: { name: string; arguments: object }): Promise<unknown>;
};
export const CLIENTS: [string, () => AnyClient, (url: URL, authProvider: never) => OldTransport][] = [
  [
    "1.x",
    () => new OldClient({ name: "old", version: "1" }) as never,
    (url, authProvider) => new OldTransport(url, { authProvider }),
  ],
  [
    "2.x",
    () => new Client({ name: "new", version: "1" }, { versionNegotiation: { mode: "auto" } }) as never,
    (url, authProvider) => new StreamableHTTPClientTransport(url, { authProvider }) as never,
  ],
];
