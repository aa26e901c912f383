/** `/authorize`: the owner signs in, then is asked for consent. Without cookies (decision 21). */

import type { AuthRequest, OAuthHelpers } from "@cloudflare/workers-oauth-provider";
import { AuthorizationError } from "@cloudflare/workers-oauth-provider";
import type { Clients } from "./clients.ts";
import { sentTo, type Consent } from "./consent.ts";
import type { Owner, SignIn, Words } from "./owner.ts";
import { refusedPage, signInPage } from "./pages.ts";

export type AuthorizeParts = {
  /** The library, for these resources. */
  api(named: readonly string[]): OAuthHelpers;
  owner: Owner;
  words: Words;
  clients: Clients;
  consent: Consent;
  /** The only origin whose forms are taken. */
  origin(): string;
};

export const openAuthorize = (parts: AuthorizeParts): ((request: Request) => Promise<Response>) => {
  const { api, owner, words, clients, consent, origin } = parts;

  /** A request that is fit to be shown. A code without proof of its asker is given to nobody. */
  const parsed = async (request: Request): Promise<AuthRequest> => {
    const named = new URL(request.url).searchParams.getAll("resource");
    const asked = await api(named).parseAuthRequest(request);
    if (asked.codeChallenge === undefined)
      throw new AuthorizationError("invalid_request", {
        description: "code_challenge is required (PKCE with S256)",
        redirectUri: asked.redirectUri,
        state: asked.state,
        ...(asked.issuer === undefined ? {} : { issuer: asked.issuer }),
      });
    return asked;
  };
  /** Before anybody has signed in nothing is fetched, and nobody is sent elsewhere: else any link to this page could lead anywhere. */
  const begin = async (request: Request): Promise<Response> => {
    if (clients.isDocument(clientIn(request))) return signInPage(words);
    try {
      await parsed(request);
    } catch (error) {
      if (error instanceof AuthorizationError) return wrongRequest(error);
      throw error;
    }
    return signInPage(words);
  };
  const signIn = async (request: Request, secret: string): Promise<Response> => {
    const outcome = await owner.signIn(secret);
    if (!outcome.signedIn) return again(words, outcome);
    const client = clientIn(request);
    if (clients.isDocument(client)) {
      const refused = await clients.fetch(client);
      if (refused !== null) return refusedPage(`The document at ${client} is not used, because ${refused}.`);
    }
    try {
      return await consent.ask(await parsed(request));
    } catch (error) {
      if (!(error instanceof AuthorizationError)) throw error;
      return error.redirectTo === undefined ? wrongRequest(error) : sentTo(error.redirectTo);
    }
  };

  return async (request) => {
    if (request.method === "GET") return begin(request);
    if (request.method !== "POST")
      return new Response(null, { status: 405, headers: { allow: "GET, POST" } });
    const from = request.headers.get("origin");
    if (from !== null && from !== origin()) return refusedPage("The form came from another page.", 403);
    const form = new URLSearchParams(await request.text());
    const handle = form.get("consent");
    return handle === null ? signIn(request, form.get("secret") ?? "") : consent.decide(handle, form);
  };
};

const clientIn = (request: Request): string => new URL(request.url).searchParams.get("client_id") ?? "";

const wrongRequest = ({ description }: AuthorizationError): Response =>
  refusedPage(`The app's request is wrong: ${description}.`);

/** The sign-in page once more, with what to do next. */
const again = (words: Words, { why, wait }: Extract<SignIn, { signedIn: false }>): Response => {
  if (why === "none") return signInPage(words, words.none, 403);
  const next = `Try again${wait > 0 ? ` in ${wait} s` : ""}, or use a one-time code: ${words.code}`;
  const what = words.secret.toLowerCase();
  return why === "wait"
    ? signInPage(words, `A wrong ${what} was given a moment ago. ${next}`, 429, wait)
    : signInPage(words, `That ${what} is wrong. ${next}`, 401, wait);
};
