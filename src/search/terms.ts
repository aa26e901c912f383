/** Terms: what a text is searched by. A word becomes its stem, without case, accents, width or points; a name in camelCase also its parts; writing without spaces becomes overlapping pieces. Notes and queries go through the same (decision 10). */

import { foldWord, PLAIN } from "./fold-word.ts";
import { nextOne, nextOther, ONE, OTHER, type Lexicon, type Term, type Word } from "./lexicon.ts";
import { openPieces, type Pieces } from "./pieces.ts";
import { kindAt, NONE, SPACED, unitsAt } from "./scripts.ts";
import { stem } from "./stem.ts";

export type Visit = (word: number, start: number, end: number) => void;

/** How a text is cut into words, each with where it stands. A word is known by its number in the lexicon. */
export type WordReader = {
  /** Every word of a text, in order. */
  each(text: string, visit: (word: Word, start: number, end: number) => void): void;
  /** The words by number that begin between two places, for where time counts. Gives where to go on. */
  eachNumber(text: string, visit: Visit, from?: number, to?: number): number;
  /** The words by number of a whole text, in half the time where it is ASCII: bytes are quicker to walk over. `visit` may not call it in turn. */
  eachNumberOfWhole(text: string, visit: Visit): void;
  /** The terms a note must have to hold a stretch of writing without spaces, and whether they say it all. Null where a stretch is too short to have pieces. */
  piecesOf: Pieces["of"];
};

/** As many bytes as nearly every note has; longer texts would only hold on to memory. There are few at first: many small workspaces may share the memory of one isolate. */
const BYTES = 1 << 17;
const FIRST_BYTES = 1 << 12;
/** Codes of the first alphabets, and of all characters. */
const FIRST_CODES = 0x800;
const CODES = 0x10000;
const UNKNOWN = 255;

export function openWordReader(lexicon: Lexicon): WordReader {
  const { numberOf, add, termFor, wordAt } = lexicon;
  const pieces = openPieces(lexicon);
  const encoder = new TextEncoder();
  let bytes = new Uint8Array(FIRST_BYTES);
  /** What is known of each character so far, by its code. Nearly every letter of a vault is met again and again. */
  let kinds = new Uint8Array(FIRST_CODES).fill(UNKNOWN);

  function kindHere(text: string, at: number): number {
    const code = text.charCodeAt(at);
    if (code >= 0xd800 && code < 0xe000) return kindAt(text, at);
    if (code >= kinds.length) {
      const all = new Uint8Array(CODES).fill(UNKNOWN);
      all.set(kinds);
      kinds = all;
    }
    const known = kinds[code]!;
    return known === UNKNOWN ? (kinds[code] = kindAt(text, at)) : known;
  }

  function eachNumber(text: string, visit: Visit, from = 0, to = text.length): number {
    const { length } = text;
    let at = from;
    while (at < to) {
      const start = at;
      let kind = SPACED;
      // Hashed while it is walked over: cutting each word out of the text to look it up would take three times as long.
      let [one, other] = [ONE, OTHER];
      for (; at < length; at++) {
        const code = text.charCodeAt(at);
        if (kinds[code] !== SPACED && (kind = kindHere(text, at)) !== SPACED) break;
        one = nextOne(one, code);
        other = nextOther(other, code);
      }
      if (at > start) visit(wordAtPlace(text, start, at, one, other), start, at);
      if (kind === SPACED) continue;
      if (kind === NONE) at++;
      else at = eachPieceFrom(text, at, kind, visit);
    }
    return at;
  }

  function eachNumberOfWhole(text: string, visit: Visit): void {
    const { length } = text;
    if (length > bytes.length && length <= BYTES) bytes = new Uint8Array(Math.min(BYTES, 2 * length));
    const { read, written } = encoder.encodeInto(text, bytes);
    if (read !== length || written !== length) return void eachNumber(text, visit);
    for (let at = 0; at < length; at++) {
      const start = at;
      let [one, other] = [ONE, OTHER];
      for (; at < length; at++) {
        const code = bytes[at]!;
        if (kinds[code] !== SPACED && kindHere(text, at) !== SPACED) break;
        one = nextOne(one, code);
        other = nextOther(other, code);
      }
      if (at > start) visit(wordAtPlace(text, start, at, one, other), start, at);
    }
  }

  function wordAtPlace(text: string, start: number, end: number, one: number, other: number): number {
    const known = numberOf(one, other);
    return known >= 0 ? known : add(one, other, wordOf(text.slice(start, end), termFor));
  }

  function eachPieceFrom(text: string, start: number, kind: number, visit: Visit): number {
    let end = start;
    do end += unitsAt(text, end);
    while (end < text.length && kindHere(text, end) === kind);
    pieces.each(text, start, end, kind, visit);
    return end;
  }

  return {
    each: (text, visit) => void eachNumber(text, (number, start, end) => visit(wordAt(number), start, end)),
    eachNumber,
    eachNumberOfWhole,
    piecesOf: pieces.of,
  };
}

/** What is longer is no word; it is known by its beginning. */
const LONGEST = 1000;
/** From here on a piece of a note's text would keep the whole text in memory (V8 copies shorter ones), so it is put together anew. */
const COPIED = 13;

function wordOf(found: string, termFor: Lexicon["termFor"]): Word {
  const termOf = (folded: string): Term => termFor(ENGLISH.test(folded) ? stem(folded) : folded);
  const written = found.length < COPIED ? found : Array.from(found.slice(0, LONGEST)).join("");
  if (PLAIN.test(written)) return { plain: written, terms: [termOf(written)], size: 1, extra: "" };
  const plain = foldWord(written);
  const parts = partsOf(written).map(foldWord);
  const terms = [plain, ...parts].map(termOf);
  const wide = written.normalize("NFKC");
  const extra = [...(wide === written.normalize("NFC") ? [] : [wide]), ...parts].join(" ");
  return { plain, terms, size: 1, extra };
}

const ENGLISH = /^[a-z]+$/;

const HUMPS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** `getUserName` has three, `NASA` none. */
export function partsOf(word: string): string[] {
  if (!/[^\p{Lu}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u.test(word)) return [];
  const parts = word.split(HUMPS).filter((part) => part.length > 1);
  return parts.length > 1 || (parts[0] ?? word).length < word.length ? parts : [];
}
