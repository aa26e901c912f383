/** The guard of every route, before a byte of the body is read: Host and Origin against a list, then the token. */

import type { Identity } from "../identity/identity.ts";
import { TOKEN_LIMIT } from "../identity/token.ts";
import { refusal } from "./answers.ts";

export type GuardOptions = {
  /** Host names that requests may name, in lower case, without ports. */
  hosts: ReadonlySet<string>;
  /** Origins of pages that may call, besides those whose host name is on the list above. */
  origins: ReadonlySet<string>;
  /** How one more of each is let in, where that is no flag of the command. */
  more?: { host: string; origin: string };
};

const BY_FLAG = { host: "--public-url names one more.", origin: "--allow-origin names one more." };

/** The host name of `Host: name:port`; null where it is none. */
const hostName = (host: string | null): string | null => {
  if (host === null || !/^[\w.:[\]-]+$/.test(host)) return null;
  try {
    return new URL(`http://${host}`).hostname.toLowerCase();
  } catch {
    return null;
  }
};

const originName = (origin: string): string | null => {
  try {
    const url = new URL(origin);
    return url.protocol === "http:" || url.protocol === "https:" ? url.hostname.toLowerCase() : null;
  } catch {
    return null;
  }
};

/** The answer to a request that names a foreign host, or comes from a foreign page; null where it may go on. */
export const foreign = (
  request: Request,
  { hosts, origins, more = BY_FLAG }: GuardOptions,
): Response | null => {
  const name = hostName(request.headers.get("host"));
  if (name === null || !hosts.has(name))
    return refusal(403, `This server does not answer to that Host. ${more.host}`);
  const origin = request.headers.get("origin");
  if (origin === null || origins.has(origin)) return null;
  const from = originName(origin);
  if (from !== null && hosts.has(from)) return null;
  return refusal(403, `Pages of that Origin may not call this server. ${more.origin}`);
};

/** Whose a token is that came with a request; null for nobody's. */
export type TokensOf = { of(token: string, request: Request): Promise<Identity | null> };

export type TokenGuard = {
  /** The identity of a request, or the answer that refuses it. */
  check(request: Request, how: { address: string; challenge(): string }): Promise<Identity | Response>;
};

/** Wrong tokens of one address in a minute, from which on they are answered with 429. */
const WRONG_LIMIT = 10;
const MINUTE = 60_000;
/** A wrong token waits for so many milliseconds more each time, up to the last. */
const WRONG_DELAY = 100;
const LONGEST_DELAY = 1000;
/** Addresses that are remembered, and answers that are held back at once; beyond, they are given at once. */
const ADDRESSES = 1000;
const DELAYED = 200;

/** A right token is always served, whatever its address did before: behind a tunnel everybody has one address. */
export const openTokenGuard = (
  identities: TokensOf,
  now: () => number,
  { advice = "notewright token add makes a new one.", called = "TOKEN" } = {},
): TokenGuard => {
  const wrong = new Map<string, { count: number; since: number }>();
  let delayed = 0;

  const counted = (address: string): number => {
    const known = wrong.get(address);
    wrong.delete(address);
    const recent = known !== undefined && now() - known.since < MINUTE;
    const entry = recent ? { count: known.count + 1, since: known.since } : { count: 1, since: now() };
    wrong.set(address, entry);
    if (wrong.size > ADDRESSES) wrong.delete(wrong.keys().next().value!);
    return entry.count;
  };
  const pause = async (count: number): Promise<void> => {
    if (delayed >= DELAYED) return;
    delayed++;
    await new Promise((resolve) => setTimeout(resolve, Math.min(count * WRONG_DELAY, LONGEST_DELAY)));
    delayed--;
  };

  return {
    async check(request, { address, challenge }) {
      const header = request.headers.get("authorization");
      const unauthorized = (error: string, sentence: string): Response =>
        refusal(401, sentence, { "www-authenticate": `Bearer ${error}${challenge()}` }, "invalid_token");
      if (header === null)
        return unauthorized("", "A token is needed: send the header Authorization: Bearer TOKEN.");
      const token = /^Bearer ([\w.~+/:=-]+)$/i.exec(header)?.[1];
      const identity =
        token === undefined || token.length > TOKEN_LIMIT ? null : await identities.of(token, request);
      if (identity) return identity;
      const count = counted(address);
      await pause(count);
      if (count > WRONG_LIMIT)
        return refusal(429, "Too many wrong tokens came from this address. Wait a minute.", {
          "retry-after": "60",
        });
      if (!/^Bearer /i.test(header))
        return unauthorized(
          'error="invalid_token", ',
          `Send it after the word Bearer: Authorization: Bearer ${called}.`,
        );
      return unauthorized(
        'error="invalid_token", ',
        `The token is not known here; it may have been removed. ${advice}`,
      );
    },
  };
};
