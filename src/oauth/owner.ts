/** The owner: the one person who can sign in. A passphrase, delayed where it was wrong, and one-time codes that are not. */

import { secretOf } from "../identity/token.ts";
import type { Store } from "./store.ts";

/** How a passphrase is kept, which is the runtime's business. */
export type Passphrases = {
  hash(text: string): Promise<string>;
  matches(text: string, kept: string): Promise<boolean>;
};

export type SignIn =
  | { signedIn: true }
  /** `wait`: seconds until a passphrase is looked at again. */
  | { signedIn: false; why: "wrong" | "wait" | "none"; wait: number };

export type Owner = { signIn(secret: string): Promise<SignIn> };

/** What people are told to do, which depends on where the server runs. */
export type Words = {
  /** What the owner signs in with. */
  secret: string;
  /** How it is set, where there is none. */
  none: string;
  /** What makes a one-time code. */
  code: string;
  /** What ends the access of an app, by its name. */
  end: string;
};
export const ON_NODE: Words = {
  secret: "Passphrase",
  none: "There is no passphrase yet. Set one where the server runs: notewright owner",
  code: "notewright owner --code",
  end: "notewright token remove",
};

const PASSPHRASE = "owner:passphrase";
const CODE = "owner:code:";
/** Seconds in which a code can be used. */
export const CODE_LIFE = 600;
/** Crockford's letters: none that could be taken for another. */
const LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_LENGTH = 16;
const LONGEST_DELAY = 30_000;
/** A passphrase may be a sentence, and no book. */
export const PASSPHRASE_LIMIT = 1024;
export const PASSPHRASE_LEAST = 12;

export const setPassphrase = async (store: Store, passphrases: Passphrases, text: string): Promise<void> =>
  store.put(PASSPHRASE, await passphrases.hash(text));

export const hasPassphrase = async (store: Store): Promise<boolean> => (await store.get(PASSPHRASE)) !== null;

/** A new code: 80 random bits, kept as their SHA-256. */
export const newCode = async (store: Store): Promise<string> => {
  const bytes = crypto.getRandomValues(new Uint8Array(CODE_LENGTH));
  const code = Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join("");
  await store.put(CODE + (await secretOf(code)), "1", { expirationTtl: CODE_LIFE });
  return code.replace(/.{4}(?=.)/g, "$&-");
};

/** Uses a code up; false where it is none. */
export const spendCode = async (store: Store, secret: string): Promise<boolean> => {
  const code = secret.toUpperCase().replace(/[\s-]/g, "");
  if (code.length !== CODE_LENGTH) return false;
  return store.take(CODE + (await secretOf(code))) !== null;
};

export const openOwner = (store: Store, passphrases: Passphrases, now: () => number): Owner => {
  let wrong = 0;
  let until = 0;
  let last: Promise<unknown> = Promise.resolve();

  const withPassphrase = async (secret: string): Promise<SignIn> => {
    const wait = Math.ceil((until - now()) / 1000);
    if (wait > 0) return { signedIn: false, why: "wait", wait };
    const kept = (await store.get(PASSPHRASE)) as string | null;
    if (kept === null) return { signedIn: false, why: "none", wait: 0 };
    if (secret.length <= PASSPHRASE_LIMIT && (await passphrases.matches(secret, kept))) {
      wrong = 0;
      return { signedIn: true };
    }
    const delay = Math.min(1000 * 2 ** wrong, LONGEST_DELAY);
    wrong++;
    until = now() + delay;
    return { signedIn: false, why: "wrong", wait: delay / 1000 };
  };

  return {
    async signIn(secret) {
      if (await spendCode(store, secret)) return { signedIn: true };
      // One after another: guesses that come at once are one guess and many delays.
      const mine = last.then(() => withPassphrase(secret));
      last = mine.catch(() => undefined);
      return mine;
    },
  };
};
