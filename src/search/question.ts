/** A question's words and what is filed under each: stop words are left out, words that no note has are corrected, and the labels of links count for the notes they lead to. */

import { wordsFrom } from "./correct.ts";
import type { Term, Word } from "./lexicon.ts";
import { LINKS_FROM } from "./note-words.ts";
import { addPlace, joinPlaces, noPlaces, type PlacePool, type Places } from "./posting-bytes.ts";
import { placesOf } from "./postings.ts";
import type { WeightedWord } from "./rank.ts";
import type { Search } from "./search.ts";
import { STOP_WORDS } from "./stop-words.ts";

/** A part of a question. Where it is `forgiving`, a word that no note has may be read as another. */
export type QuestionPart = { text: string; forgiving: boolean };
/** `plain` are the spellings that count as the very word, `terms` all that counts as it. A `whole` word is no piece of writing without spaces. */
export type QuestionWord = WeightedWord & {
  plain: ReadonlySet<string>;
  terms: ReadonlySet<string>;
  whole: boolean;
};
/** The notes that links lead to, by `source:at`; links that lead nowhere are left out. */
export type TargetsOf = (links: readonly (readonly [source: number, at: number])[]) => Map<string, number>;
export type Question = {
  words: QuestionWord[];
  corrected: { from: string; to: string }[];
};

/** A query of more words is cut off. */
const WORDS = 200;
/** This many links are looked up by their labels. */
const LABELS = 200;

type Wanted = { word: Word; terms: Term[]; plain: Set<string>; weight: number; group: number; last: boolean };

/** Each part is a group of its own. */
export function readQuestion(search: Search, texts: readonly QuestionPart[], targetsOf: TargetsOf): Question {
  const { each: eachWord } = search.analyzer.words;
  const wordsIn = (text: string): Word[] => {
    const words: Word[] = [];
    eachWord(text, (word) => words.push(word));
    return words;
  };
  const wanted = texts.flatMap(({ text }, group) => wantedIn(text, wordsIn(text), group));
  const places = placesOf(
    search,
    wanted.flatMap(({ terms }) => terms),
  );
  const corrected: Question["corrected"] = [];
  for (const each of wanted) {
    if (
      !texts[each.group]!.forgiving ||
      each.word.size < 1 ||
      each.terms.some(({ text }) => places.get(text)!.size > 0)
    )
      continue;
    const reading = readingOf(search, each);
    if (reading.corrected) corrected.push({ from: each.word.plain, to: reading.words[0]! });
    const others = reading.words.flatMap(wordsIn);
    each.terms = others.map(({ terms }) => terms[0]!);
    each.plain = new Set(others.map(({ plain }) => plain));
    for (const [text, found] of placesOf(search, each.terms)) places.set(text, found);
  }
  const words = wanted.map(({ word, terms, plain, weight, group }) => ({
    whole: word.size === 1,
    terms: new Set(terms.map(({ text }) => text)),
    places: joinPlaces(
      terms.map(({ text }) => places.get(text)!),
      search.pool,
    ),
    plain,
    weight,
    group,
  }));
  return { words: withLabels(search.pool, words, targetsOf), corrected };
}

/** A word that is there twice counts twice. A name in camelCase is asked for as a whole and in parts. */
function wantedIn(text: string, found: readonly Word[], group: number): Wanted[] {
  const all = found.slice(0, WORDS);
  const telling = all.filter(({ plain }) => !STOP_WORDS.has(plain));
  const words = telling.length > 0 ? telling : all;
  const wanted = new Map<string, Wanted>();
  words.forEach((word, at) => {
    for (const [part, term] of word.terms.entries()) {
      const found = wanted.get(term.text);
      if (found) {
        found.weight++;
        found.plain.add(word.plain);
      } else
        wanted.set(term.text, {
          word: part === 0 ? word : { ...word, size: 0 },
          terms: [term],
          plain: new Set([word.plain]),
          weight: 1,
          group,
          last: at === words.length - 1 && /[\p{L}\p{M}\p{N}]$/u.test(text),
        });
    }
  });
  return [...wanted.values()];
}

/** The last word may be one that is still being typed. */
function readingOf(
  { sql, corrections }: Search,
  { word, last }: Wanted,
): { words: string[]; corrected: boolean } {
  const begun = last ? wordsFrom(sql, word.plain) : [];
  if (begun.length > 0) return { words: begun, corrected: false };
  const correction = corrections.correctionFor(word.plain);
  if (correction !== null) return { words: [correction], corrected: true };
  return { words: last ? [] : wordsFrom(sql, word.plain), corrected: false };
}

/** The label of a link is filed under the note it stands in; it counts for the note it leads to. */
function withLabels(pool: PlacePool, words: readonly QuestionWord[], targetsOf: TargetsOf): QuestionWord[] {
  const parted = words.map((word) => ({ word, ...partedBy(word.places, pool) }));
  const links = parted.flatMap(({ links: each }) => each).slice(0, LABELS);
  const targets = links.length === 0 ? new Map<string, number>() : targetsOf(links);
  return parted.map(({ word, own, links: each }) => {
    if (each.length === 0) return word;
    const places = joinPlaces([own, noPlaces(pool)], pool);
    for (const [source, at] of each) {
      const note = targets.get(`${source}:${at}`);
      if (note !== undefined) addPlace(places, note, 0, 1);
    }
    return { ...word, places };
  });
}

function partedBy(places: Places, pool: PlacePool): { own: Places; links: [source: number, at: number][] } {
  const { data, size, highest } = places;
  const links: [number, number][] = [];
  if (highest < LINKS_FROM) return { own: places, links };
  for (let at = 0; at < size; at += 3)
    if (data[at + 1]! >= LINKS_FROM) links.push([data[at]!, data[at + 1]! - LINKS_FROM]);
  const own = noPlaces(pool);
  for (let at = 0; at < size; at += 3)
    if (data[at + 1]! < LINKS_FROM) addPlace(own, data[at]!, data[at + 1]!, data[at + 2]!);
  return { own, links };
}
