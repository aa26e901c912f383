/** The door of the page: keys for `notewright open`, and a token for whoever has a key or the owner's passphrase. */

import { notAllowed, refusal } from "../http/answers.ts";
import { json } from "../http/named-calls.ts";
import type { PageRequests } from "../http/parts.ts";
import { equalSecrets } from "../identity/token.ts";
import type { Entered, PageTokens } from "./page-tokens.ts";

export type DoorParts = {
  tokens: PageTokens;
  /** With which `notewright open` asks a running server for a key. */
  opener: string;
  /** Takes the owner's passphrase, where there is one; gives how many seconds to wait where it was wrong. */
  signIn: ((request: Request, secret: string) => Promise<SignedIn>) | null;
};
type SignedIn = { signedIn: true } | { signedIn: false; wait: number };

export type Door = {
  key(request: Request, vault: string): Promise<Response>;
  enter(request: Request, vault: string, body: unknown): Promise<Response>;
};

export const openDoor = ({ tokens, opener, signIn }: DoorParts): Door => ({
  async key(request, vault) {
    if (request.method !== "POST") return notAllowed("POST");
    if (!equalSecrets(tokenOf(request), opener))
      return refusal(401, "This is for notewright open alone.", {}, "invalid_token");
    return json(JSON.stringify({ key: await tokens.newKey(vault) }), 200);
  },
  async enter(request, vault, body) {
    const { key, passphrase } = (body ?? {}) as { key?: unknown; passphrase?: unknown };
    if (typeof key === "string") return entered(await tokens.exchange(key, vault));
    if (typeof passphrase !== "string" || !signIn)
      return refusal(400, "Give the key that notewright open made.", {}, "input_refused");
    const outcome = await signIn(request, passphrase);
    if (outcome.signedIn) return entered(await tokens.enter(vault));
    const wait = Math.max(1, outcome.wait);
    return refusal(401, `That is not the passphrase. Try again in ${wait} s.`, {
      "retry-after": String(wait),
    });
  },
});

const entered = (made: Entered | null): Response =>
  made
    ? json(JSON.stringify(made), 200)
    : refusal(
        401,
        "That key has been used, or is older than a minute. Run notewright open again.",
        {},
        "key_spent",
      );

/** A browser says where a request comes from; other ports of this computer are other pages. */
export const fromOurPage = (request: Request, { origin: ours }: URL): boolean => {
  const site = request.headers.get("sec-fetch-site");
  if (site !== null && site !== "same-origin") return false;
  const origin = request.headers.get("origin");
  return (
    origin === null ||
    origin === ours ||
    (URL.canParse(origin) && new URL(origin).host === request.headers.get("host"))
  );
};

export const tokenOf = (request: Request): string =>
  (request.headers.get("authorization") ?? "").replace(/^Bearer /i, "");

type Body = Parameters<PageRequests["answer"]>[3];

/** Hands a POST's value to the work. */
export const withBody = async (
  request: Request,
  body: Body,
  work: (value: unknown) => Promise<Response>,
): Promise<Response> => {
  if (request.method !== "POST") return notAllowed("POST");
  const taken = await body();
  if (taken instanceof Response) return taken;
  try {
    return await work(taken.value);
  } finally {
    taken.done();
  }
};
