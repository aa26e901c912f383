/** Scripts: which characters make up words, and whether words of that script have spaces between them. */

export const NONE = 0;
/** Letters of scripts with spaces, digits and marks. */
export const SPACED = 1;
/** Chinese, Japanese and Korean: words are mostly of two characters. */
export const PAIRS = 2;
/** Thai and its like, where a syllable takes three. */
export const TRIPLES = 3;

const ASCII = 0x80;
const ASCII_LETTER = /[\dA-Za-z]/;
const LETTER = /[\p{L}\p{N}\p{Co}\p{M}]/u;
const IN_PAIRS = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]/u;
const IN_TRIPLES = /[\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

export function kindAt(text: string, at: number): number {
  const code = text.codePointAt(at)!;
  const letter = String.fromCodePoint(code);
  if (code < ASCII) return ASCII_LETTER.test(letter) ? SPACED : NONE;
  if (!LETTER.test(letter)) return NONE;
  return IN_PAIRS.test(letter) ? PAIRS : IN_TRIPLES.test(letter) ? TRIPLES : SPACED;
}

/** Whether a character of writing without spaces stands at a place. */
export const isUnspacedAt = (text: string, at: number): boolean =>
  at >= 0 && at < text.length && kindAt(text, isLowHalf(text, at) ? at - 1 : at) > SPACED;

const isLowHalf = (text: string, at: number): boolean => (text.charCodeAt(at) & 0xfc00) === 0xdc00 && at > 0;

export const unitsAt = (text: string, at: number): number => (text.codePointAt(at)! > 0xffff ? 2 : 1);

const UNSPACED = new RegExp(`(?:${IN_PAIRS.source}|${IN_TRIPLES.source})+`, "gu");

/** The text with a space for each stretch of writing without spaces. */
export const withoutUnspaced = (text: string): string => text.replace(UNSPACED, " ");

/** The letters of a text, parted where other characters stand between them or where writing with and without spaces meets; in the latter case a stretch is `joined` to the one before. */
export function stretchesOf(text: string): { text: string; spaced: boolean; joined: boolean }[] {
  const found: { text: string; spaced: boolean; joined: boolean }[] = [];
  let before = NONE;
  for (let at = 0; at < text.length;) {
    const kind = kindAt(text, at);
    const start = at;
    do at += unitsAt(text, at);
    while (at < text.length && kindAt(text, at) === kind);
    if (kind !== NONE)
      found.push({ text: text.slice(start, at), spaced: kind === SPACED, joined: before !== NONE });
    before = kind;
  }
  return found;
}

// Accents, joiners, variation selectors, skin tones: what belongs to the character before it.
const BELONGS = /\p{M}|\u200d|\p{Emoji_Modifier}/u;

// These are the vowels that Thai and Lao write before the letter they are spoken after.
const LEADS = /[\u0e40-\u0e44\u0ec0-\u0ec4]/;

/** Whether a text may be cut at a place: not inside a word of a script with spaces, and inside no character or syllable. */
export function mayCutAt(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  if (isLowHalf(text, at) || text[at - 1] === "\u200d" || LEADS.test(text[at - 1]!)) return false;
  const before = isLowHalf(text, at - 1) ? at - 2 : at - 1;
  if (kindAt(text, before) === SPACED && kindAt(text, at) === SPACED) return false;
  return !BELONGS.test(String.fromCodePoint(text.codePointAt(at)!));
}

/** The text without half a character at either end. */
export function wholeCharacters(text: string): string {
  const start = isHalf(text.charCodeAt(0), 0xdc00) ? 1 : 0;
  const end = text.length - (isHalf(text.charCodeAt(text.length - 1), 0xd800) ? 1 : 0);
  return start < end ? text.slice(start, end) : "";
}

const isHalf = (code: number, first: number): boolean => (code & 0xfc00) === first;
