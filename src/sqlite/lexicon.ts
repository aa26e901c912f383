/** The lexicon: words met before and the terms they became, each under a number, so that folding and stemming is done once for each word and counting is done with numbers. */

/** `bucket` and `key` are two hashes of the text: where it is filed, and how it is known there. */
export type Term = { text: string; number: number; bucket: number; key: number };
/** A word as it is written, folded but whole (`plain`), and what it is found by. `size` is how much of a text it is, in words of prose; `extra` what else a plain reader of words should know of it. */
export type Word = { plain: string; terms: readonly Term[]; size: number; extra: string };

export const BUCKETS = 512;

/** With more, it is begun anew. */
const KEPT = 100_000;

let words: Word[] = [];
let terms: Term[] = [];
let byText = new Map<string, Term>();
// A word is known by two hashes of 32 bits, so that it need not be cut out of its text to be looked up.
let hashes: number[] = [];
let slots = new Int32Array(1 << 18);
/** Of each word: the number of its first term, doubled; and one more where there is more to it than that one term. */
let codes: number[] = [];

/** So that what is remembered stays small. Numbers begin anew, so only where none is in use. */
export function forgetWords(): void {
  if (words.length < KEPT) return;
  [words, terms, hashes, codes] = [[], [], [], []];
  byText = new Map();
  slots = new Int32Array(1 << 18);
}

export const wordAt = (number: number): Word => words[number]!;
export const termAt = (number: number): Term => terms[number]!;
/** See `codes`. */
export const codeOf = (word: number): number => codes[word]!;

function slotOf(one: number, other: number): number {
  const mask = slots.length - 1;
  let slot = (one ^ (other >>> 7)) & mask;
  for (let word = slots[slot]!; word !== 0; word = slots[slot]!) {
    if (hashes[2 * word - 2] === one && hashes[2 * word - 1] === other) break;
    slot = (slot + 1) & mask;
  }
  return slot;
}

/** The number of a word, or -1. */
export const remembered = (one: number, other: number): number => slots[slotOf(one, other)]! - 1;

export function remember(one: number, other: number, word: Word): number {
  if (2 * words.length > slots.length) enlarge();
  const isPlain = word.terms.length === 1 && word.size === 1 && word.extra === "";
  codes.push(word.terms[0]!.number * 2 + Number(!isPlain));
  hashes.push(one, other);
  slots[slotOf(one, other)] = words.push(word);
  return words.length - 1;
}

function enlarge(): void {
  slots = new Int32Array(2 * slots.length);
  for (let word = 0; word < words.length; word++)
    slots[slotOf(hashes[2 * word]!, hashes[2 * word + 1]!)] = word + 1;
}

/** Of the folded, stemmed text. */
export function termFor(text: string): Term {
  const known = byText.get(text);
  if (known) return known;
  const term = { text, number: terms.length, ...hashesOf(text) };
  terms.push(term);
  byText.set(text, term);
  return term;
}

/** Of 24 and 9 bits: that a word shares both with one of a hundred thousand others happens once in a hundred thousand. */
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
