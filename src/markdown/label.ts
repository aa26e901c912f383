/** Labels: names, titles, tags, authors and messages as they stand in a line of ours, on which they cannot pass for another. */

import { unseenIn } from "./unseen.ts";

const LABEL_LENGTH = 200;

/** The text on one line: what is not seen, or ends a line, is written as JSON escapes it. */
export function escaped(text: string): string {
  let [shown, from] = ["", 0];
  for (const { at, char } of unseenIn(text, "line")) {
    shown += text.slice(from, at) + escapeOf(char);
    from = at + char.length;
  }
  return from === 0 ? text : shown + text.slice(from);
}

/** Escapes a name, and cuts it where it is long: never within a character or an escape. */
export function label(text: string, most = LABEL_LENGTH): string {
  // What lies beyond need not be looked at: an escape is longer than what it stands for.
  const shown = escaped(text.slice(0, most + 1));
  if (shown.length <= most) return shown;
  const cut = shown.slice(0, most).replace(/(?:\\(?:u[0-9a-f]{0,3})?|[\uD800-\uDBFF])$/, "");
  return `${cut}…`;
}

/** JSON that can be printed: it reads back as the same value. */
export const printableJson = (value: unknown): string =>
  // A string is the only place in JSON where such a character can stand.
  JSON.stringify(value).replace(/[\x7F-\x9F\p{Cf}\p{Zl}\p{Zp}]/gu, unicodeEscape);

const SHORT: Record<string, string> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const escapeOf = (char: string): string => SHORT[char] ?? unicodeEscape(char);

/** Each half of a character outside the basic plane is one, as in JSON. */
const unicodeEscape = (char: string): string =>
  char
    .split("")
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
