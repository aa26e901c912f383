/** What the ranking knows of a note: where it is cut into chunks, how long each is, and how often each term stands in which. */

import { stepOf } from "./posting-bytes.ts";
import { isUnspacedAt } from "./scripts.ts";
import { codeOf, wordAt } from "./lexicon.ts";
import { eachNumber, eachWord } from "./terms.ts";

/** What of a note is searched, as the index stores it. Sections by where they begin in the body, with their heading. */
export type Searched = {
  title: string;
  aliases: string;
  path: string;
  tags: string;
  body: string;
  sections: readonly { start: number; heading: string }[];
  /** What its links are called, by their place among them. */
  labels: readonly (readonly [at: number, label: string])[];
};

/** Good as long as the lexicon keeps its numbers. Chunk 0 is what the note is called and filed under; the others are the body, in order. */
export type NoteWords = {
  /** Where in the body each chunk from 1 on begins. */
  starts: number[];
  /** Weighted words of each chunk, from 0 on. */
  lengths: number[];
  /** By their numbers in the lexicon. */
  terms: number[];
  /** The chunks each of the terms stands in: where in `steps` the first is. */
  first: number[];
  /** The step from the chunk before and how often it stands there, as one number (see posting-bytes.ts), and where the next chunk of the same term is, or 0. */
  steps: number[];
  next: number[];
  /** Words that the full-text table would not see: parts of others, other spellings, and those stuck to writing without spaces. */
  extra: string;
  /** Whether some of the body is written without spaces. */
  unspaced: boolean;
};

/** Chunks from this number on are no text of the note: they are its links, by their place, with what they are called. */
export const LINKS_FROM = 1024;

/** Words of a chunk: measured with tests of retrieval, 60 to 120 serve nearly alike. It ends at the first good place after most of them. */
const CHUNK = 80;
const GOOD_FROM = 0.75;
const LONGEST = 1.4;
/** A very long note has longer chunks, not more of them. */
const CHUNKS = 400;
/** A note of very many headings ends in one long chunk. */
const MOST_CHUNKS = 1000;
const LETTERS_IN_A_WORD = 6;

const TITLE = 3;
const FILE_NAME = 2;

export function wordsOf(note: Searched): NoteWords {
  const found: NoteWords = {
    starts: [],
    lengths: [],
    terms: [],
    first: [],
    // Nothing begins at 0, so that 0 can say that nothing follows.
    steps: [0],
    next: [0],
    extra: "",
    unspaced: false,
  };
  const extra = new Set<string>();
  const counting = counter(found);
  countNames(note, counting.count, extra);
  found.lengths.push(counting.endChunk(0));
  countBody(note, found, counting, extra);
  for (const [at, label] of note.labels) {
    eachWord(label, ({ terms }) => terms.forEach(({ number }) => counting.count(number, 1)));
    counting.endChunk(LINKS_FROM + at);
  }
  found.extra = [...extra].join(" ");
  return found;
}

/** How often each term stands in the chunk that is being read, by its number, and which those are. */
let counts = new Int32Array(1 << 16);
/** By a term's number: its place among the terms of the note, true if the term there is it. */
let slots = new Int32Array(1 << 16);

type Counter = { count(term: number, times: number): void; endChunk(chunk: number): number };

function counter({ terms, first, steps, next }: NoteWords): Counter {
  const here: number[] = [];
  /** Of each term, the last chunk and where that is in `steps`. */
  const chunks: number[] = [];
  const last: number[] = [];
  return {
    count(term, times) {
      if (term >= counts.length) [counts, slots] = [grown(counts, term), grown(slots, term)];
      if (counts[term] === 0) here.push(term);
      counts[term]! += times;
    },
    endChunk(chunk) {
      let length = 0;
      for (let at = 0; at < here.length; at++) {
        const term = here[at]!;
        const times = counts[term]!;
        counts[term] = 0;
        length += times;
        const step = steps.length;
        let slot = slots[term]!;
        let before = 0;
        if (terms[slot] === term) {
          before = chunks[slot]!;
          next[last[slot]!] = step;
        } else {
          slots[term] = slot = terms.length;
          terms.push(term);
          first.push(step);
        }
        steps.push(stepOf(chunk - before, times));
        next.push(0);
        chunks[slot] = chunk;
        last[slot] = step;
      }
      here.length = 0;
      return length;
    },
  };
}

function grown(old: Int32Array<ArrayBuffer>, number: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * number);
  larger.set(old);
  return larger;
}

/** A file is often called as its title: then its name says nothing more. */
function countNames(note: Searched, count: Counter["count"], extra: Set<string>): void {
  const inTitle = new Set<number>();
  const slash = note.path.lastIndexOf("/");
  const each = (text: string, times: number): void =>
    eachWord(text, (word, start, end) => {
      const { terms } = word;
      if (word.extra !== "") extra.add(word.extra);
      if (word.size === 1 && (isUnspacedAt(text, start - 1) || isUnspacedAt(text, end)))
        extra.add(word.plain);
      for (const { number } of terms) if (times === TITLE || !inTitle.has(number)) count(number, times);
      if (times === TITLE) for (const { number } of terms) inTitle.add(number);
    });
  each(note.title, TITLE);
  each(note.aliases, TITLE);
  each(note.path.slice(slash + 1), FILE_NAME);
  each(note.path.slice(0, Math.max(0, slash)), 1);
  each(note.tags, 1);
}

function countBody(note: Searched, found: NoteWords, { count, endChunk }: Counter, extra: Set<string>): void {
  const { starts, lengths } = found;
  const { body, sections, title } = note;
  const most = Math.max(CHUNK, body.length / LETTERS_IN_A_WORD / CHUNKS);
  let section = -1;
  let next = sections[0]?.start ?? body.length;
  let size = 0;
  let last = 0;
  const begin = (start: number): void => {
    if (starts.length > 0) lengths.push(endChunk(starts.length));
    starts.push(start);
    size = 0;
    // A heading speaks for the whole of its section, twice where it stands.
    const heading = sections[section]?.heading ?? title;
    if (heading !== title) eachWord(heading, ({ terms }) => terms.forEach(({ number }) => count(number, 1)));
  };
  eachNumber(body, (number, start, end) => {
    if (start >= next && starts.length < MOST_CHUNKS) {
      while (start >= (sections[section + 1]?.start ?? body.length)) section++;
      next = sections[section + 1]?.start ?? body.length;
      begin(sections[section]!.start);
    } else if (starts.length === 0) begin(0);
    else if (
      size >= most * GOOD_FROM &&
      starts.length < MOST_CHUNKS &&
      (size >= most * LONGEST || endsAt(body, last, start))
    )
      begin(start);
    const code = codeOf(number);
    count(code >> 1, 1);
    if ((code & 1) === 0) size++;
    else {
      const word = wordAt(number);
      for (const term of word.terms.slice(1)) count(term.number, 1);
      if (word.extra !== "") extra.add(word.extra);
      if (word.size < 1) found.unspaced = true;
      size += word.size;
    }
    last = end;
  });
  if (starts.length === 0) begin(0);
  lengths.push(endChunk(starts.length));
}

/** Whether a sentence, a line or a paragraph ends between two words. */
function endsAt(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const letter = text[at]!;
    if (letter === "\n" || "。！？।۔".includes(letter)) return true;
    if (".!?…".includes(letter) && /\s/.test(text[at + 1] ?? " ")) return true;
  }
  return false;
}
