/** The lexicon: words met before and the terms they became, each under a number, so that folding and stemming is done once for each word and counting is done with numbers. */

/** `bucket` and `key` are two hashes of the text: where it is filed, and how it is known there. */
export type Term = { text: string; number: number; bucket: number; key: number };
/** A word as it is written, folded but whole (`plain`), and what it is found by. `size` is how much of a text it is, in words of prose; `extra` what else a plain reader of words should know of it. */
export type Word = { plain: string; terms: readonly Term[]; size: number; extra: string };

export type Lexicon = {
  /** The number of the word with these two hashes, or -1. */
  numberOf(one: number, other: number): number;
  add(one: number, other: number, word: Word): number;
  wordAt(number: number): Word;
  /** The number of a word's first term, doubled; and one more where there is more to the word than that term. */
  codeOf(word: number): number;
  /** The term of a folded, stemmed text. */
  termFor(text: string): Term;
  termAt(number: number): Term;
  bucketAt(term: number): number;
  keyAt(term: number): number;
  /** Numbers mean what they mean until the function that it returns is called. Who keeps a number from one call to the next holds the lexicon meanwhile. */
  hold(): () => void;
  /** Holds the lexicon while `work` runs. */
  during<T>(work: () => T): T;
};

export const BUCKETS = 512;

/** A lexicon of more words is emptied as soon as nobody holds it: what is remembered stays small. */
const KEPT = 100_000;

// A word is known by two hashes of 32 bits, so that it need not be cut out of its text to be looked up. A slot has both, and the
// word's number plus one, side by side, because it is the reach for memory that takes the time; the fourth number is not used.
// There are few at first: many small workspaces may share the memory of one isolate.
const SLOT = 4;
const SLOTS = 1 << 7;

/** The two hashes of a word, character by character: where they begin, and how they go on. */
export const ONE = 0x811c9dc5;
export const OTHER = 0x9747b28c;
export const nextOne = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);
export const nextOther = (hash: number, code: number): number =>
  Math.imul(hash ^ code, 0x85ebca6b) ^ (hash >>> 15);

export function openLexicon(): Lexicon {
  let words: Word[] = [];
  let codes: number[] = [];
  let terms: Term[] = [];
  let byText = new Map<string, Term>();
  let slots = new Int32Array(SLOT * SLOTS);
  /** The bucket and the key of each term, by its number. Many terms are sorted by these, and so they lie side by side. */
  let hashes = new Int32Array(2 * SLOTS);
  let holders = 0;

  /** Where the slot of a word begins: its own, or the empty one that it would get. */
  function slotOf(one: number, other: number): number {
    const mask = slots.length - 1;
    let slot = Math.imul(one ^ (other >>> 7), SLOT) & mask;
    while (slots[slot + 2] !== 0 && (slots[slot] !== one || slots[slot + 1] !== other))
      slot = (slot + SLOT) & mask;
    return slot;
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

  function release(): void {
    if (--holders > 0 || words.length < KEPT) return;
    [words, terms, codes] = [[], [], []];
    byText = new Map();
    slots = new Int32Array(SLOT * SLOTS);
  }

  return {
    numberOf: (one, other) => slots[slotOf(one, other) + 2]! - 1,
    add(one, other, word) {
      if (2 * SLOT * words.length > slots.length) enlarge();
      const isPlain = word.terms.length === 1 && word.size === 1 && word.extra === "";
      codes.push(word.terms[0]!.number * 2 + Number(!isPlain));
      putSlot(one, other, words.push(word));
      return words.length - 1;
    },
    wordAt: (number) => words[number]!,
    codeOf: (word) => codes[word]!,
    termFor(text) {
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
    },
    termAt: (number) => terms[number]!,
    bucketAt: (term) => hashes[2 * term]!,
    keyAt: (term) => hashes[2 * term + 1]!,
    hold() {
      holders++;
      return release;
    },
    during(work) {
      holders++;
      try {
        return work();
      } finally {
        release();
      }
    },
  };
}

/** Hashes of 24 and 9 bits: that a word shares both with one of a hundred thousand others happens once in a hundred thousand. */
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
