/** Tokens: made from chance, kept as their SHA-256, and compared in constant time. */

const PREFIX = "nw_";
const BYTES = 32;
/** A token of ours is shorter; whatever is longer is refused unread. */
export const TOKEN_LIMIT = 512;

const hex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** A new token: `nw_` and 32 random bytes in base64url. */
export const newToken = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  const text = btoa(String.fromCharCode(...bytes));
  return PREFIX + text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

/** Whether it looks like one of these, and not like a token of OAuth. */
export const isOurs = (token: string): boolean => token.startsWith(PREFIX);

/** The form in which a token is kept: from it nobody gets the token back. */
export const secretOf = async (token: string): Promise<string> =>
  hex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(token))));

/** Whether two texts are equal, in a time that does not depend on where they differ. */
export const equalSecrets = (one: string, other: string): boolean => {
  let different = one.length ^ other.length;
  for (let at = 0; at < one.length; at++) different |= one.charCodeAt(at) ^ (other.charCodeAt(at) || 0);
  return different === 0;
};
