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
/** Of each term, by its number: the bucket, then the key. Many terms are sorted by these, and so they lie side by side. */
let hashes = new Int32Array(1 << 16);
// A word is known by two hashes of 32 bits, so that it need not be cut out of its text to be looked up. Of each slot: both, and the
// word's number and one, side by side, because it is the reach for memory that takes the time; the fourth is not used.
const SLOT = 4;
const SLOTS = 1 << 16;
let slots = new Int32Array(SLOT * SLOTS);
/** Of each word: the number of its first term, doubled; and one more where there is more to it than that one term. */
let codes: number[] = [];

let inUse = 0;

/** Numbers are kept as they are until what it gives is called: for work that goes on over several turns. */
export function holdWords(): () => void {
  inUse++;
  return () => void inUse--;
}

/** So that what is remembered stays small. Numbers begin anew, so only where none is in use. */
export function forgetWords(): void {
  if (words.length < KEPT || inUse > 0) return;
  [words, terms, codes] = [[], [], []];
  byText = new Map();
  slots = new Int32Array(SLOT * SLOTS);
}

export const wordAt = (number: number): Word => words[number]!;
export const termAt = (number: number): Term => terms[number]!;
export const bucketAt = (term: number): number => hashes[2 * term]!;
export const keyAt = (term: number): number => hashes[2 * term + 1]!;
/** See `codes`. */
export const codeOf = (word: number): number => codes[word]!;

/** Where the slot of a word begins: its own, or the empty one that it would get. */
function slotOf(one: number, other: number): number {
  const mask = slots.length - 1;
  let slot = Math.imul(one ^ (other >>> 7), SLOT) & mask;
  while (slots[slot + 2] !== 0 && (slots[slot] !== one || slots[slot + 1] !== other))
    slot = (slot + SLOT) & mask;
  return slot;
}

/** The number of a word, or -1. */
export const remembered = (one: number, other: number): number => slots[slotOf(one, other) + 2]! - 1;

export function remember(one: number, other: number, word: Word): number {
  if (2 * SLOT * words.length > slots.length) enlarge();
  const isPlain = word.terms.length === 1 && word.size === 1 && word.extra === "";
  codes.push(word.terms[0]!.number * 2 + Number(!isPlain));
  putSlot(one, other, words.push(word));
  return words.length - 1;
}

function putSlot(one: number, other: number, value: number): void {
  const slot = slotOf(one, other);
  slots[slot] = one;
  slots[slot + 1] = other;
  slots[slot + 2] = value;
}

function enlarge(): void {
  const old = slots;
  slots = new Int32Array(2 * old.length);
  for (let slot = 0; slot < old.length; slot += SLOT)
    if (old[slot + 2] !== 0) putSlot(old[slot]!, old[slot + 1]!, old[slot + 2]!);
}

/** Of the folded, stemmed text. */
export function termFor(text: string): Term {
  const known = byText.get(text);
  if (known) return known;
  const term = { text, number: terms.length, ...hashesOf(text) };
  if (2 * term.number === hashes.length) {
    const larger = new Int32Array(2 * hashes.length);
    larger.set(hashes);
    hashes = larger;
  }
  hashes[2 * term.number] = term.bucket;
  hashes[2 * term.number + 1] = term.key;
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
