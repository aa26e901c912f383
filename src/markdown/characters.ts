/** Characters by their code: those Markdown gives a meaning, and the classes it sorts them into. */

export const TAB = 9;
export const NEWLINE = 10;
export const RETURN = 13;
export const SPACE = 32;
export const BANG = 33;
export const DOUBLE_QUOTE = 34;
export const HASH = 35;
export const DOLLAR = 36;
export const PERCENT = 37;
export const SINGLE_QUOTE = 39;
export const OPEN_PAREN = 40;
export const CLOSE_PAREN = 41;
export const STAR = 42;
export const PLUS = 43;
export const DASH = 45;
export const DOT = 46;
export const SLASH = 47;
export const COLON = 58;
export const LESS = 60;
export const EQUALS = 61;
export const GREATER = 62;
export const QUESTION = 63;
export const OPEN_BRACKET = 91;
export const BACKSLASH = 92;
export const CLOSE_BRACKET = 93;
export const CARET = 94;
export const UNDERSCORE = 95;
export const BACKTICK = 96;
export const PIPE = 124;
export const TILDE = 126;

export const isDigit = (code: number): boolean => code >= 48 && code <= 57;
export const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
export const isSpace = (code: number): boolean => code === SPACE || code === TAB;
export const isSpaceOrNewline = (code: number): boolean =>
  isSpace(code) || code === NEWLINE || code === RETURN;
/** White space and control characters: what may stand before a tag or a block id, and not inside a formula's dollar signs. */
export const isWhite = (code: number): boolean => code <= 32 || code === 0xa0 || code === 0x3000;
/** ASCII punctuation: what a backslash can escape. */
export const isPunctuation = (code: number): boolean =>
  code > SPACE && code < 127 && !isDigit(code) && !isLetter(code);

/** How often the character at an offset stands there in a row. */
export function countSame(text: string, at: number, end: number): number {
  const code = text.charCodeAt(at);
  let i = at + 1;
  while (i < end && text.charCodeAt(i) === code) i++;
  return i - at;
}

export function skipWhite(text: string, at: number, end: number): number {
  let i = at;
  while (i < end && isSpaceOrNewline(text.charCodeAt(i))) i++;
  return i;
}

/** Finds a mark at or after an offset, or gives Infinity. It remembers the stretch it has last seen to be free of the mark, so that asking often is cheap. */
export function seeker(text: string, mark: string): (from: number) => number {
  let low = 0;
  let found = -1;
  return (from) => {
    if (from < low || from > found) {
      low = from;
      found = text.indexOf(mark, from);
      if (found < 0) found = Infinity;
    }
    return found;
  };
}

/** A table of the first 128 characters: 1 for each of these. */
export const asciiTable = (characters: string): Readonly<Uint8Array> =>
  Uint8Array.from({ length: 128 }, (_, code) => (characters.includes(String.fromCharCode(code)) ? 1 : 0));
