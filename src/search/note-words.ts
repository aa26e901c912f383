/** What the ranking knows of a note: where it is cut into chunks, how long each is, and how often each term stands in which (decision 10). */

import { atOnce, type Steps } from "../markdown/steps.ts";
import type { Analyzer } from "./analyzer.ts";
import { isUnspacedAt } from "./scripts.ts";
import { openTermCounter, type TermCounts, type TermCounter } from "./term-counts.ts";
import type { WordReader } from "./terms.ts";

/** What the words of a note are read from. A section is known by where it begins in the body, and by its heading. */
export type WordSource = {
  title: string;
  aliases: string;
  path: string;
  tags: string;
  body: string;
  sections: readonly { start: number; heading: string }[];
  /** The labels of the note's links, by their place among them. */
  labels: readonly (readonly [at: number, label: string])[];
};

/** These words are good as long as the lexicon is held. Chunk 0 has the names of the note: title, aliases, path, tags; the others are the body, in order. */
export type NoteWords = TermCounts & {
  /** Where in the body each chunk from 1 on begins. */
  starts: number[];
  /** Weighted words of each chunk, from 0 on. */
  lengths: number[];
  /** Words that the full-text table would not see: parts of others, other spellings, and those stuck to writing without spaces. */
  extra: string;
  /** Whether some of the body is written without spaces. */
  unspaced: boolean;
};

/** Chunks from this number on are no text of the note: they are the labels of its links, by their place. */
export const LINKS_FROM = 1024;

/** Words of a chunk. Tests of retrieval say that 60 to 120 serve nearly alike. A chunk ends at the first good place after most of them. */
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

export const wordsOf = (analyzer: Analyzer, note: WordSource): NoteWords => atOnce(readWords(analyzer, note));

/** The words of a note, in steps, while the lexicon is held. A long note is counted apart, because others may be counted between two steps. */
export function* readWords(analyzer: Analyzer, note: WordSource): Steps<NoteWords> {
  const { lexicon, words } = analyzer;
  const counter = note.body.length > STEP ? openTermCounter() : analyzer.counter;
  const extra = new Set<string>();
  const countWord = (number: number): void => {
    const code = lexicon.codeOf(number);
    counter.count(code >> 1, 1);
    if ((code & 1) === 1)
      for (const term of lexicon.wordAt(number).terms.slice(1)) counter.count(term.number, 1);
  };
  counter.begin();
  countNames(words.each, counter.count, note, extra);
  const names = counter.endChunk(0);
  const chunks = chunking(analyzer, counter, countWord, note, extra);
  if (note.body.length <= STEP) words.eachNumberOfWhole(note.body, chunks.visit);
  else
    for (let at = 0; at < note.body.length;) {
      at = words.eachNumber(note.body, chunks.visit, at, Math.min(note.body.length, at + STEP));
      if (at < note.body.length) yield;
    }
  const { starts, lengths, unspaced } = chunks.end();
  for (const [at, label] of note.labels) {
    words.eachNumber(label, countWord);
    counter.endChunk(LINKS_FROM + at);
  }
  return {
    ...counter.end(),
    starts,
    lengths: [names, ...lengths],
    unspaced,
    extra: [...extra].join(" "),
  };
}

/** A file often has the name of its title: then the name says nothing more. */
function countNames(
  eachWord: WordReader["each"],
  count: TermCounter["count"],
  note: WordSource,
  extra: Set<string>,
): void {
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

/** Characters of a body that are read in one step. */
const STEP = 65_536;

/** Cuts a body into chunks while its words come by. */
function chunking(
  { lexicon, words }: Analyzer,
  counter: TermCounter,
  countWord: (number: number) => void,
  { body, sections, title }: WordSource,
  extra: Set<string>,
) {
  const starts: number[] = [];
  const lengths: number[] = [];
  const most = Math.max(CHUNK, body.length / LETTERS_IN_A_WORD / CHUNKS);
  let unspaced = false;
  let section = -1;
  let next = sections[0]?.start ?? body.length;
  let size = 0;
  let last = 0;
  const begin = (start: number): void => {
    if (starts.length > 0) lengths.push(counter.endChunk(starts.length));
    starts.push(start);
    size = 0;
    // A heading speaks for the whole of its section, twice where it stands.
    const heading = sections[section]?.heading ?? title;
    if (heading !== title) words.eachNumber(heading, countWord);
  };
  return {
    visit(number: number, start: number, end: number): void {
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
      countWord(number);
      if ((lexicon.codeOf(number) & 1) === 0) size++;
      else {
        const word = lexicon.wordAt(number);
        if (word.extra !== "") extra.add(word.extra);
        if (word.size < 1) unspaced = true;
        size += word.size;
      }
      last = end;
    },
    end(): Pick<NoteWords, "starts" | "lengths" | "unspaced"> {
      if (starts.length === 0) begin(0);
      lengths.push(counter.endChunk(starts.length));
      return { starts, lengths, unspaced };
    },
  };
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
