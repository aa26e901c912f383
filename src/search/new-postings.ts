/** The postings of many new notes of one block at once: the bytes of every row, each written straight to its place in one array. */

import { BUCKETS, type Lexicon } from "./lexicon.ts";
import { bytesOf, KEY_BYTES, writeKey, writeNumber } from "./posting-bytes.ts";
import type { TermCounts } from "./term-counts.ts";

/** `note` is the note's place in its block; notes come in order. */
export type NewNoteWords = { note: number; words: TermCounts };

/** Hands over the bytes of each bucket that gets any. */
export function eachBucket(
  { bucketAt, keyAt }: Lexicon,
  added: readonly NewNoteWords[],
  visit: (bucket: number, bytes: Uint8Array) => void,
): void {
  const { terms, slots } = termsOf(added);
  const sizes = sizesOf(added, slots, terms.length);
  const { order, ends } = byBucket(terms, bucketAt);
  let room = 0;
  for (const size of sizes) room += KEY_BYTES + bytesOf(size) + size;
  const bytes = new Uint8Array(room);
  // Where the next note of each term goes, by slot.
  const next = new Int32Array(terms.length);
  const bounds = new Int32Array(BUCKETS + 1);
  let at = 0;
  for (let bucket = 0, rank = 0; bucket < BUCKETS; bucket++) {
    for (; rank < ends[bucket]!; rank++) {
      const slot = order[rank]!;
      next[slot] = writeNumber(bytes, writeKey(bytes, at, keyAt(terms[slot]!)), sizes[slot]!);
      at = next[slot]! + sizes[slot]!;
    }
    bounds[bucket + 1] = at;
  }
  writeNotes(added, slots, bytes, next);
  for (let bucket = 0; bucket < BUCKETS; bucket++)
    if (bounds[bucket + 1]! > bounds[bucket]!)
      visit(bucket, bytes.subarray(bounds[bucket], bounds[bucket + 1]));
}

/** Every term once; and the slot of each among them, by its number. */
function termsOf(added: readonly NewNoteWords[]): { terms: number[]; slots: Int32Array } {
  let most = 0;
  for (const { words } of added) for (const term of words.terms) if (term > most) most = term;
  const slots = new Int32Array(most + 1);
  const terms: number[] = [];
  for (const { words } of added)
    for (const term of words.terms) {
      if (terms[slots[term]!] === term) continue;
      slots[term] = terms.length;
      terms.push(term);
    }
  return { terms, slots };
}

/** How many bytes the notes of each term take, by slot. */
function sizesOf(added: readonly NewNoteWords[], slots: Int32Array, count: number): Int32Array {
  const sizes = new Int32Array(count);
  const last = new Int32Array(count);
  for (const { note, words } of added) {
    const { terms, ends } = words;
    for (let at = 0, start = 0; at < terms.length; at++) {
      const slot = slots[terms[at]!]!;
      sizes[slot]! += bytesOf(note - last[slot]!) + ends[at]! - start;
      last[slot] = note;
      start = ends[at]!;
    }
  }
  return sizes;
}

/** The slots of the terms, sorted by bucket, and where each bucket ends among them. */
function byBucket(
  terms: readonly number[],
  bucketAt: Lexicon["bucketAt"],
): { order: Int32Array; ends: Int32Array } {
  const ends = new Int32Array(BUCKETS + 1);
  for (const term of terms) ends[bucketAt(term) + 1]!++;
  for (let bucket = 0; bucket < BUCKETS; bucket++) ends[bucket + 1]! += ends[bucket]!;
  const order = new Int32Array(terms.length);
  for (let slot = 0; slot < terms.length; slot++) order[ends[bucketAt(terms[slot]!)]!++] = slot;
  return { order, ends };
}

// The notes are written one after another, so that what is read lies side by side: term after term took three times as long.
function writeNotes(
  added: readonly NewNoteWords[],
  slots: Int32Array,
  bytes: Uint8Array,
  next: Int32Array,
): void {
  const last = new Int32Array(next.length);
  for (const { note, words } of added) {
    const { terms, ends, places } = words;
    for (let at = 0, place = 0; at < terms.length; at++) {
      const slot = slots[terms[at]!]!;
      let to = writeNumber(bytes, next[slot]!, note - last[slot]!);
      for (const end = ends[at]!; place < end; place++) bytes[to++] = places[place]!;
      next[slot] = to;
      last[slot] = note;
    }
  }
}
