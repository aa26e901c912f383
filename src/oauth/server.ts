/** The authorization server: the library's endpoints at our addresses, and whom a token of it stands for (decision 21). Without Node. */

import { OAuthAuthorizationServer, OAuthError, type OAuthHelpers } from "@cloudflare/workers-oauth-provider";
import type { Identity, IdentityList } from "../identity/identity.ts";
import { isLoopback } from "../markdown/loopback.ts";
import { openAuthorize } from "./authorize.ts";
import { openConsent } from "./consent.ts";
import { CLIENT_LIFE, openClients, type Clients } from "./clients.ts";
import type { FetchDocument } from "./client-document.ts";
import { openGrants, type GrantProps, type Grants } from "./grants.ts";
import type { Owner, SignIn, Words } from "./owner.ts";
import { refusedPage } from "./pages.ts";
import { SCOPES, WRITE, type Resources } from "./resources.ts";
import { GRANT, type Store } from "./store.ts";

export type OAuthParts = {
  store: Store;
  identities: IdentityList;
  owner: Owner;
  words: Words;
  fetchDocument: FetchDocument;
  /** What tokens can be for, where clients call this server so. */
  resources(base: URL): Resources;
  /** Folders as identities have them, of lines that the owner wrote; null where one cannot be a folder. */
  foldersOf(text: string): Identity["folders"] | null;
  /** Milliseconds since 1970. */
  now(): number;
};

/** `at`: as clients call this server, which may have several names; what it keeps is the same for all of them. */
export type OAuthServer = {
  at(base: URL): OAuth;
  /** Removes what has expired; from time to time. */
  sweep(): Promise<void>;
};
export type OAuth = {
  /** Answers a route of signing in; `path` is the route's own. */
  fetch(request: Request, path: string): Promise<Response>;
  /** The identity of an access token. */
  of(token: string): Promise<Identity | null>;
  /** The owner's passphrase or a one-time code, which the page takes too; only where nobody reads it on the way. */
  signIn(request: Request, secret: string): Promise<SignIn>;
};

/** Seconds: an access token lives for an hour, a refresh token for 30 days after its last use. */
const ACCESS_LIFE = 3600;
const IDLE_LIFE = 30 * 24 * 3600;

type Env = { OAUTH_KV: Store };
type Library = { server: OAuthAuthorizationServer<Env>; api: OAuthHelpers };

export const openOAuth = (parts: OAuthParts): OAuthServer => {
  const { store, identities, owner, words, now } = parts;
  const grants = openGrants(store, identities, now);
  const clients = openClients(store, parts.fetchDocument, now);
  const libraryFor = openLibrary(store, grants, clients);
  // The library reads, thinks and writes: one request after another, or a code could be used twice at once.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<Response>): Promise<Response> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };

  /** Nothing of a name is kept: requests under several come at once. */
  const at = (base: URL): OAuth => {
    const resources = parts.resources(base);
    const { at: resource } = resources;
    const forNamed = (named: readonly string[]): Library =>
      libraryFor(issuerOf(base), resources.addresses(named));
    const api = (named: readonly string[]): OAuthHelpers => forNamed(named).api;
    const consent = openConsent({ api, store, words, grants, clients, resource, foldersOf: parts.foldersOf });
    const authorize = openAuthorize({ api, owner, words, clients, consent, origin: () => base.origin });
    const library = (request: Request): Promise<Response> =>
      inTurn(async () => {
        const named = await resourcesIn(request, store);
        return plain(await forNamed(named).server.fetch(request, { OAUTH_KV: store }, CONTEXT));
      });
    return {
      async fetch(request, path) {
        if (!isPrivate(request, base))
          return refusedPage(`Signing in is possible at ${issuerOf(base)} only.`, 403);
        const to = (route: string): Request => atAddress(request, base, route);
        if (path === "/authorize") return authorize(to(path));
        if (path === "/oauth/revoke") return library(to("/oauth/token"));
        if (path !== METADATA) return library(to(path));
        const answer = await library(atMetadata(request, base));
        return answer.ok && request.method === "GET" ? completed(answer, base) : answer;
      },
      async of(token) {
        const found = await api([]).unwrapToken<GrantProps>(token);
        if (!found || typeof found.audience !== "string") return null;
        const identity = grants.identityOf(found.grant.props.consent);
        if (!identity || resource(found.audience)?.place !== identity.vault) return null;
        return found.scope.includes(WRITE) ? identity : { ...identity, rights: "read" };
      },
      signIn: async (request, secret) =>
        isPrivate(request, base) ? owner.signIn(secret) : { signedIn: false, why: "none", wait: 0 },
    };
  };
  return { at, sweep: () => grants.sweep() };
};

/** Gives the library as it is for an issuer and its resources; it is made anew only where they are others. */
const openLibrary = (
  store: Store,
  grants: Grants,
  clients: Clients,
): ((issuer: string, addresses: ReturnType<Resources["addresses"]>) => Library) => {
  let known: (Library & { key: string }) | null = null;
  return (issuer, addresses) => {
    const key = JSON.stringify([issuer, addresses]);
    if (known?.key === key) return known;
    const server = new OAuthAuthorizationServer<Env>({
      issuer,
      ...addresses,
      clientRegistrationEndpoint: `${issuer}/oauth/register`,
      scopesSupported: [...SCOPES],
      accessTokenTTL: ACCESS_LIFE,
      refreshTokenTTL: IDLE_LIFE,
      refreshTokenIdleTTL: IDLE_LIFE,
      clientRegistrationTTL: CLIENT_LIFE,
      allowPrivateUseRedirectUris: true,
      clientRegistrationCallback: ({ clientMetadata }) => clients.refuse(clientMetadata) ?? undefined,
      tokenExchangeCallback: ({ props }) => stillThere(grants, props as GrantProps),
      onError: () => undefined,
    });
    const made = { key, server, api: server.getOAuthApi({ OAUTH_KV: store }) };
    known = made;
    return made;
  };
};

const METADATA = "/.well-known/oauth-authorization-server";
const CONTEXT = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} } as never;

export const issuerOf = (base: URL): string => base.href.replace(/\/$/, "");

/** The resources that a request of a client is about: those that it names, and the one of its grant. */
const resourcesIn = async (request: Request, store: Store): Promise<string[]> => {
  const isForm = request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded");
  if (request.method !== "POST" || !isForm) return [];
  const form = new URLSearchParams(await request.clone().text());
  const granted = ["code", "refresh_token"].map(async (name) => {
    const [user = "", grant = ""] = (form.get(name) ?? "").split(":");
    const record = (await store.get(`${GRANT}${user}:${grant}`, "json")) as { resource?: unknown } | null;
    return [record?.resource].flat().filter((each) => typeof each === "string");
  });
  return [...form.getAll("resource"), ...(await Promise.all(granted)).flat()];
};

/** A consent that was removed gives no more tokens; the library then drops its grant. */
const stillThere = (grants: Grants, { consent }: GrantProps): undefined => {
  if (!grants.identityOf(consent))
    throw new OAuthError("invalid_grant", { description: "The owner has ended this access" });
  return undefined;
};

/** Passphrases and codes go over TLS or stay on this computer: other names under which it listens are for tokens alone. */
const isPrivate = (request: Request, base: URL): boolean => {
  const { hostname } = new URL(`http://${request.headers.get("host") ?? "invalid"}`);
  return isLoopback(hostname) || hostname === base.hostname;
};

/** The request as clients address it: behind a proxy it came under another name. */
const atAddress = (request: Request, base: URL, route: string): Request => {
  const { search } = new URL(request.url);
  return new Request(`${issuerOf(base)}${route}${search}`, request);
};
const atMetadata = (request: Request, base: URL): Request => {
  const prefix = base.pathname.replace(/\/$/, "");
  return new Request(`${base.origin}${METADATA}${prefix}`, { method: request.method });
};

/** What the library says of itself, and what we do in its place. */
const completed = async (answer: Response, base: URL): Promise<Response> => {
  // Which vaults there are is nobody's business before he has signed in.
  const { protected_resources: _, ...said } = (await answer.json()) as Record<string, unknown>;
  return Response.json({
    ...said,
    revocation_endpoint: `${issuerOf(base)}/oauth/revoke`,
    client_id_metadata_document_supported: true,
  });
};

/** Which pages may read an answer is decided for all routes alike, not by the library. */
const plain = (answer: Response): Response => {
  const headers = new Headers([...answer.headers].filter(([name]) => !name.startsWith("access-control-")));
  return new Response(answer.body, { status: answer.status, headers });
};
