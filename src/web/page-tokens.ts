/** Keys and tokens of the page: a key works once within a minute and is exchanged for a token, which lasts for twelve hours. Both are kept as their hashes, in memory. */

import { newToken, secretOf } from "../identity/token.ts";

export type PageTokens = {
  /** A new key for the page of a vault. */
  newKey(vault: string): Promise<string>;
  /** The token for a key, which is no key from then on; null where it is none, or too old. */
  exchange(key: string, vault: string): Promise<Entered | null>;
  /** A token for whoever has shown to be the owner in another way. */
  enter(vault: string): Promise<Entered>;
  /** Whether a token is good for the page of that vault. */
  holds(token: string, vault: string): Promise<boolean>;
  /** Ends a token. */
  leave(token: string): Promise<void>;
};
export type Entered = { token: string; until: string };

type Kept = { vault: string; until: number };

const MINUTE = 60_000;
export const KEY_LIFE = MINUTE;
export const TOKEN_LIFE = 12 * 60 * MINUTE;
/** How many keys and how many tokens are kept; the oldest go first. */
const MOST = 100;

/** `now`: milliseconds since 1970. */
export const openPageTokens = (now: () => number): PageTokens => {
  const [keys, tokens] = [new Map<string, Kept>(), new Map<string, Kept>()];

  const keep = async (kept: Map<string, Kept>, vault: string, life: number): Promise<string> => {
    const secret = newToken();
    kept.set(await secretOf(secret), { vault, until: now() + life });
    for (const [hash, { until }] of kept) if (until <= now() || kept.size > MOST) kept.delete(hash);
    return secret;
  };
  const good = (kept: Kept | undefined, vault: string): kept is Kept =>
    kept !== undefined && kept.until > now() && kept.vault === vault;
  const enter = async (vault: string): Promise<Entered> => ({
    token: await keep(tokens, vault, TOKEN_LIFE),
    until: new Date(now() + TOKEN_LIFE).toISOString(),
  });

  return {
    newKey: (vault) => keep(keys, vault, KEY_LIFE),
    async exchange(key, vault) {
      const hash = await secretOf(key);
      const kept = keys.get(hash);
      keys.delete(hash);
      return good(kept, vault) ? enter(vault) : null;
    },
    enter,
    holds: async (token, vault) => good(tokens.get(await secretOf(token)), vault),
    leave: async (token) => void tokens.delete(await secretOf(token)),
  };
};
