/** The consent: what the owner is shown of a request, and the identity that comes of it. What is under way is a handle in the form, which works once (decision 21). */

import type { AuthRequest, OAuthHelpers } from "@cloudflare/workers-oauth-provider";
import { authorizationErrorRedirect } from "@cloudflare/workers-oauth-provider";
import { NAME, RIGHTS, type Identity } from "../identity/identity.ts";
import { secretOf } from "../identity/token.ts";
import type { Clients } from "./clients.ts";
import type { GrantProps, Grants } from "./grants.ts";
import type { Words } from "./owner.ts";
import { shownName } from "./page.ts";
import { consentPage, refusedPage, type Asked, type Choice } from "./pages.ts";
import { SCOPES, WRITE, type Resources } from "./resources.ts";
import type { Store } from "./store.ts";

export type ConsentParts = {
  /** The library, for these resources. */
  api(named: readonly string[]): OAuthHelpers;
  store: Store;
  words: Words;
  grants: Grants;
  clients: Clients;
  /** The vault that a resource belongs to. */
  resource: Resources["at"];
  /** Folders as identities have them, of lines that the owner wrote; null where one cannot be a folder. */
  foldersOf(text: string): Identity["folders"] | null;
};

export type Consent = {
  /** The page that asks for it. The owner has signed in. */
  ask(request: AuthRequest): Promise<Response>;
  /** Takes the form of that page. */
  decide(handle: string, form: URLSearchParams): Promise<Response>;
};

const HANDLE = "consent:";
/** Seconds in which the owner decides. */
const DECIDE = 600;
const NOT_NOW =
  "This page has been used already, or was open for more than ten minutes. Begin again in the app.";
const NO_NAME = "A name has letters, digits, blanks and ._@-, at most 63, and begins with a letter or digit.";
const NO_FOLDER = "A folder is named as in the vault, such as Projects/Garden.";

const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );

/** Redirects after a form: the browser asks with GET, and tells nobody where it came from. */
export const sentTo = (location: string): Response =>
  new Response(null, {
    status: 303,
    headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer" },
  });

export const openConsent = (parts: ConsentParts): Consent => {
  const { store, grants } = parts;
  const show = async (request: AuthRequest, choice: Choice, problem: string | null): Promise<Response> => {
    const handle = randomId() + randomId();
    await store.put(HANDLE + (await secretOf(handle)), JSON.stringify(request), { expirationTtl: DECIDE });
    const { words } = parts;
    return consentPage(await describe(parts, request), { words, handle, choice, problem });
  };

  return {
    async ask(request) {
      const found = parts.resource(request.resource);
      if (!found) return refusedPage("There are no notes at the address that it asks for.");
      // No more than the app asks for, nor than it was given before, under a name that is free or its own.
      const earlier = grants.identitiesOf(request.clientId, found.place).at(-1);
      const { clientName } = await describe(parts, request);
      const reads = SCOPES.some((scope) => request.scope.includes(scope)) && !request.scope.includes(WRITE);
      const choice: Choice = {
        name: earlier?.name ?? grants.freeName(nameFrom(clientName), found.place),
        rights: reads ? "read" : (earlier?.rights ?? "write"),
        folders: earlier === undefined || earlier.folders === "all" ? "" : earlier.folders.join("\n"),
      };
      return show(request, choice, null);
    },
    async decide(handle, form) {
      const kept = store.take(HANDLE + (await secretOf(handle)));
      if (kept === null) return refusedPage(NOT_NOW);
      const request = JSON.parse(kept) as AuthRequest;
      if (form.get("decision") !== "allow")
        return sentTo(authorizationErrorRedirect(request, "access_denied"));
      const choice: Choice = {
        name: (form.get("name") ?? "").trim(),
        rights: RIGHTS.find((right) => right === form.get("rights")) ?? "read",
        folders: form.get("folders") ?? "",
      };
      if (!NAME.test(choice.name)) return show(request, choice, NO_NAME);
      const folders = choice.folders.trim() === "" ? "all" : parts.foldersOf(choice.folders);
      if (folders === null) return show(request, choice, NO_FOLDER);
      const { name, rights } = choice;
      const redirect = await allow(parts, request, { name, rights, folders });
      const taken = `There is somebody called “${name}” already. Choose another name.`;
      return redirect === null ? show(request, choice, taken) : sentTo(redirect);
    },
  };
};

const describe = async ({ api, clients, resource }: ConsentParts, request: AuthRequest): Promise<Asked> => {
  const client = await api([]).lookupClient(request.clientId);
  return {
    clientName: client?.clientName?.trim() || "An app without a name",
    clientDomain: clients.isDocument(request.clientId) ? new URL(request.clientId).hostname : null,
    redirectUri: request.redirectUri,
    vault: resource(request.resource)?.title ?? "",
  };
};

/** Makes the identity and its grant: the address that carries the code, or null where the name is somebody else's. */
const allow = async (
  { api, grants, resource }: ConsentParts,
  request: AuthRequest,
  chosen: Pick<Identity, "name" | "rights" | "folders">,
): Promise<string | null> => {
  const props: GrantProps = { consent: randomId() };
  const identity: Identity = {
    ...chosen,
    vault: resource(request.resource)?.place ?? "",
    secret: null,
    surfaces: "all",
    made: new Date().toISOString(),
    ...props,
  };
  if (!(await grants.add(identity, request.clientId))) return null;
  try {
    const { redirectTo } = await api(
      [request.resource].flat().filter((each) => each !== undefined),
    ).completeAuthorization({
      request,
      userId: "owner",
      metadata: props,
      scope: SCOPES.filter((scope) => scope !== WRITE || chosen.rights !== "read"),
      props,
      // Whoever has consented twice to one client may mean two devices; one of the same name was replaced above.
      revokeExistingGrants: false,
    });
    return redirectTo;
  } catch (error) {
    await grants.remove(props.consent);
    throw error;
  }
};

/** A name for an identity, made of what the client calls itself. */
const nameFrom = (clientName: string): string => {
  const plain = shownName(clientName)
    .replace(/[^\p{L}\p{N} ._@-]/gu, "")
    .replace(/^[^\p{L}\p{N}]+/u, "")
    .slice(0, 40)
    .trim();
  return NAME.test(plain) ? plain : "app";
};
