/** The authorization server: the library's endpoints at our addresses, and whom a token of it stands for (decision 21). Without Node. */

import { OAuthAuthorizationServer, OAuthError, type OAuthHelpers } from "@cloudflare/workers-oauth-provider";
import type { Identity, IdentityList } from "../identity/identity.ts";
import { openAuthorize } from "./authorize.ts";
import { openConsent } from "./consent.ts";
import { CLIENT_LIFE, openClients } from "./clients.ts";
import type { FetchDocument } from "./client-document.ts";
import { openGrants, type GrantProps, type Grants } from "./grants.ts";
import { openOwner, type Passphrases, type SignIn } from "./owner.ts";
import { refusedPage } from "./pages.ts";
import { SCOPES, WRITE, type Resource } from "./resources.ts";
import type { Store } from "./store.ts";

export type OAuthParts = {
  store: Store;
  identities: IdentityList;
  passphrases: Passphrases;
  fetchDocument: FetchDocument;
  /** What clients call this server; known once it listens. */
  base(): URL;
  /** Every address that tokens can be for. */
  resources(): readonly Resource[];
  /** Folders as identities have them, of lines that the owner wrote; null where one cannot be a folder. */
  foldersOf(text: string): Identity["folders"] | null;
  /** Milliseconds since 1970. */
  now(): number;
};

export type OAuth = {
  /** Answers a route of signing in; `path` is the route's own. */
  fetch(request: Request, path: string): Promise<Response>;
  /** The identity of an access token. */
  of(token: string): Promise<Identity | null>;
  /** The owner's passphrase or a one-time code, which the page takes too; only where nobody reads it on the way. */
  signIn(request: Request, secret: string): Promise<SignIn>;
  close(): void;
};

/** Seconds: an access token lives for an hour, a refresh token for 30 days after its last use. */
const ACCESS_LIFE = 3600;
const IDLE_LIFE = 30 * 24 * 3600;
const SWEEP = 3_600_000;
const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);

type Env = { OAUTH_KV: Store };
/** What can be made only once the address is known. */
type Opened = {
  library: OAuthAuthorizationServer<Env>;
  api: OAuthHelpers;
  authorize: (request: Request) => Promise<Response>;
};

export const openOAuth = (parts: OAuthParts): OAuth => {
  const { store, identities, now } = parts;
  const env: Env = { OAUTH_KV: store };
  const grants = openGrants(store, identities, now);
  const owner = openOwner(store, parts.passphrases, now);
  const clients = openClients(store, parts.fetchDocument, now);
  const resource = (address: string | undefined): Resource | null =>
    parts.resources().find((each) => each.address === address) ?? null;
  let opened: Opened | null = null;
  const open = (): Opened => {
    if (opened) return opened;
    const library = new OAuthAuthorizationServer<Env>({
      issuer: issuerOf(parts.base()),
      ...addressesOf(parts.resources()),
      clientRegistrationEndpoint: `${issuerOf(parts.base())}/oauth/register`,
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
    const api = library.getOAuthApi(env);
    const consent = openConsent({ api, store, grants, clients, resource, foldersOf: parts.foldersOf });
    const authorize = openAuthorize({ api, owner, clients, consent, origin: parts.base().origin });
    return (opened = { library, api, authorize });
  };

  // The library reads, thinks and writes: one request after another, or a code could be used twice at once.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<Response>): Promise<Response> => {
    const mine = last.then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
  const library = (request: Request): Promise<Response> =>
    inTurn(async () => plain(await open().library.fetch(request, env, CONTEXT)));

  void grants.sweep().catch(() => undefined);
  const sweeping = setInterval(() => void grants.sweep().catch(() => undefined), SWEEP);

  return {
    async fetch(request, path) {
      const base = parts.base();
      if (!isPrivate(request, base))
        return refusedPage(`Signing in is possible at ${issuerOf(base)} only.`, 403);
      const at = (route: string): Request => atAddress(request, base, route);
      if (path === "/authorize") return open().authorize(at(path));
      if (path === "/oauth/revoke") return library(at("/oauth/token"));
      if (path !== METADATA) return library(at(path));
      const answer = await library(atMetadata(request, base));
      return answer.ok && request.method === "GET" ? completed(answer, base) : answer;
    },
    async of(token) {
      const found = await open().api.unwrapToken<GrantProps>(token);
      if (!found || typeof found.audience !== "string") return null;
      const identity = grants.identityOf(found.grant.props.consent);
      if (!identity || resource(found.audience)?.place !== identity.vault) return null;
      return found.scope.includes(WRITE) ? identity : { ...identity, rights: "read" };
    },
    signIn: async (request, secret) =>
      isPrivate(request, parts.base()) ? owner.signIn(secret) : { signedIn: false, why: "none", wait: 0 },
    close() {
      clearInterval(sweeping);
      store.close();
    },
  };
};

const METADATA = "/.well-known/oauth-authorization-server";
const CONTEXT = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} } as never;

export const issuerOf = (base: URL): string => base.href.replace(/\/$/, "");

/** One vault may be left unnamed by a client; of several it must name one. */
const addressesOf = (resources: readonly Resource[]): { resources: string[]; defaultResource?: string } => {
  const alone = resources.every(({ place }) => place === resources[0]?.place);
  return {
    resources: resources.map(({ address }) => address),
    ...(alone && resources[0] ? { defaultResource: resources[0].address } : {}),
  };
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
  return LOOPBACK.has(hostname) || hostname === base.hostname;
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
const completed = async (answer: Response, base: URL): Promise<Response> =>
  Response.json({
    ...((await answer.json()) as object),
    revocation_endpoint: `${issuerOf(base)}/oauth/revoke`,
    client_id_metadata_document_supported: true,
  });

/** Which pages may read an answer is decided for all routes alike, not by the library. */
const plain = (answer: Response): Response => {
  const headers = new Headers([...answer.headers].filter(([name]) => !name.startsWith("access-control-")));
  return new Response(answer.body, { status: answer.status, headers });
};
