/** Terms: what a text is searched by. A word becomes its stem, without case, accents, width or points; a name in camelCase also its parts; writing without spaces becomes overlapping pieces. Notes and queries go through the same. */

import { kindAt, NONE, PAIRS, SPACED, TRIPLES, unitsAt } from "./scripts.ts";
import { stem } from "./stem.ts";

/** `bucket` and `key` are two hashes of the text: where it is filed, and how it is known there. `number` counts the terms that are remembered. */
export type Term = { text: string; number: number; bucket: number; key: number };
/** A word as it is written, folded but whole (`plain`), and what it is found by. `size` is how much of a text it is, in words of prose; `extra` what else a plain reader of words should know of it. */
export type Word = { plain: string; terms: readonly Term[]; size: number; extra: string };

export const BUCKETS = 512;

type Visit = (word: Word, start: number, end: number) => void;

/** Every word of a text, in order, with where it stands. */
export function eachWord(text: string, visit: Visit): void {
  let at = 0;
  while (at < text.length) {
    const kind = kindAt(text, at);
    const start = at;
    if (kind === SPACED) {
      // Hashed while it is walked over: cutting each word out of the text to look it up would take three times as long.
      let [one, other] = [ONE, OTHER];
      do {
        const code = text.charCodeAt(at++);
        one = Math.imul(one ^ code, 0x01000193);
        other = Math.imul(other ^ code, 0x85ebca6b) ^ (other >>> 15);
      } while (at < text.length && kindAt(text, at) === SPACED);
      visit(remembered(one, other) ?? wordOf(text.slice(start, at), one, other), start, at);
    } else {
      at += unitsAt(text, at);
      if (kind === NONE) continue;
      while (at < text.length && kindAt(text, at) === kind) at += unitsAt(text, at);
      eachPiece(text, start, at, kind, visit);
    }
  }
}

// A kana alone says nothing.
const KANA = /^[\p{scx=Hiragana}\p{scx=Katakana}]$/u;

/** Pieces overlap. The characters of a pair are found alone too, if they mean something alone; a stretch too short for a triple is a piece itself. */
function eachPiece(text: string, start: number, end: number, kind: number, visit: Visit): void {
  const written = text.slice(start, end);
  const folded = foldWord(written);
  const characters = Array.from(folded);
  // Where folding changes the length, a piece stands for the whole stretch.
  const even = folded.length === written.length;
  const length = kind === PAIRS ? 2 : 3;
  const size = kind === PAIRS ? 0.25 : 0.2;
  let at = start;
  for (let first = 0; first < characters.length; first++) {
    const alone = characters[first]!;
    const show = (piece: string): void =>
      even ? visit(pieceOf(piece, size), at, at + piece.length) : visit(pieceOf(piece, size), start, end);
    if (first + length <= characters.length) show(characters.slice(first, first + length).join(""));
    else if (kind === TRIPLES && first === 0) show(folded);
    if (kind === PAIRS && (characters.length === 1 || !KANA.test(alone))) show(alone);
    at += alone.length;
  }
}

const ONE = 0x811c9dc5;
const OTHER = 0x9747b28c;

/** The terms a note must have to hold a stretch of writing without spaces, and whether they say it all. Null where a stretch is too short to be told by its pieces. */
export function piecesOf(stretch: string): { terms: Term[]; exact: boolean } | null {
  const characters = Array.from(foldWord(stretch));
  const length = kindAt(stretch, 0) === PAIRS ? Math.min(2, characters.length) : 3;
  if (characters.length < length || length === 0) return null;
  const pieces = characters
    .slice(0, characters.length - length + 1)
    .map((_, at) => characters.slice(at, at + length).join(""));
  return { terms: [...new Set(pieces)].map(termOf), exact: pieces.length === 1 };
}

// Words met before, so that folding and stemming is done once for each: a table by two hashes, which together take the place of the word.
const KEPT = 1 << 17;
const SLOTS = 1 << 19;
let words: Word[] = [];
const slots = new Int32Array(SLOTS);
const hashes = new Int32Array(2 * KEPT);
const pieces = new Map<string, Word>();
const terms = new Map<string, Term>();

/** So that what is remembered stays small. Numbers begin anew, so not while terms are being counted. */
export function forgetWords(): void {
  if (words.length < KEPT && pieces.size < KEPT) return;
  words = [];
  slots.fill(0);
  pieces.clear();
  terms.clear();
}

function slotOf(one: number, other: number): number {
  let slot = (one ^ (other >>> 7)) & (SLOTS - 1);
  for (; slots[slot] !== 0; slot = (slot + 1) & (SLOTS - 1)) {
    const word = slots[slot]! - 1;
    if (hashes[2 * word] === one && hashes[2 * word + 1] === other) break;
  }
  return slot;
}

const remembered = (one: number, other: number): Word | undefined => words[slots[slotOf(one, other)]! - 1];

function wordOf(written: string, one: number, other: number): Word {
  const plain = foldWord(written);
  const parts = partsOf(written).map(foldWord);
  const found = [plain, ...parts].map((each) => termOf(ENGLISH.test(each) ? stem(each) : each));
  const wide = written.normalize("NFKC");
  const extra = [...(wide === written.normalize("NFC") ? [] : [wide]), ...parts].join(" ");
  const word = { plain, terms: found, size: 1, extra };
  if (words.length < KEPT) {
    hashes.set([one, other], 2 * words.length);
    slots[slotOf(one, other)] = words.push(word);
  }
  return word;
}

const ENGLISH = /^[a-z]+$/;

function pieceOf(piece: string, size: number): Word {
  let word = pieces.get(piece);
  if (!word) {
    word = { plain: piece, terms: [termOf(piece)], size, extra: "" };
    if (pieces.size < KEPT) pieces.set(piece, word);
  }
  return word;
}

const HUMPS = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** `getUserName` has three, `NASA` none. */
export function partsOf(word: string): string[] {
  if (!/[^\p{Lu}]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u.test(word)) return [];
  const parts = word.split(HUMPS).filter((part) => part.length > 1);
  return parts.length > 1 || (parts[0] ?? word).length < word.length ? parts : [];
}

const MARKS = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;
const LETTERS: Record<string, string> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ς: "σ",
};

/** One spelling for a word: lower case, no accents or points, full width as half width. */
export function foldWord(written: string): string {
  if (/^[a-z\d]*$/.test(written)) return written;
  const lower = written.normalize("NFKC").toLowerCase();
  if (/^[\0-\x7f]*$/.test(lower)) return lower;
  const plain = lower.normalize("NFD").replace(MARKS, "").normalize("NFC");
  return plain.replace(/[ßæœøłđðþıς]/g, (letter) => LETTERS[letter]!);
}

/** Of the folded, stemmed text. Two hashes of 24 and 9 bits: that a word shares both with one of a hundred thousand others happens once in a hundred thousand. */
export function termOf(written: string): Term {
  // A piece of a note's text would keep the whole text in memory.
  const text = written.length < 13 ? written : Array.from(written).join("");
  let term = terms.get(text);
  if (!term) terms.set(text, (term = { text, number: terms.size, ...hashesOf(text) }));
  return term;
}

function hashesOf(text: string): { bucket: number; key: number } {
  let key = 0x811c9dc5;
  let bucket = 0x9747b28c;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    key = Math.imul(key ^ code, 0x01000193);
    bucket = Math.imul(bucket ^ code, 0x85ebca6b);
    bucket ^= bucket >>> 13;
  }
  return { bucket: (bucket >>> 8) % BUCKETS, key: (key ^ (key >>> 24)) & 0xffffff };
}
