/** Corrections: for a word that no note has, the word of the vault that is one letter away, or the words that begin with it (decision 10). Both are looked up in the vault's own vocabulary. */

import { blockChanges, newestMark } from "./block-changes.ts";
import type { Sql } from "../sqlite/sql.ts";

/** A shorter word is one letter away from too many others; a longer one is no word. */
const SHORTEST = 4;
const LONGEST = 30;
/** This many letters at the beginning leave few words to look through. */
const BEGINNING = 4;
/** How many words a beginning may stand for. */
const ENDINGS = 20;
const LOOKED_AT = 200;

/** Corrections that were found, good until notes change. A person who pages or types asks for the same word again, and a correction takes two hundred lookups. */
type Cache = { mark: string; words: Map<string, string | null> };
const REMEMBERED = 100;

export type Corrections = {
  /** The word of the vault that a misspelled one stands for. `word` is folded. */
  correctionFor(word: string): string | null;
};

export function openCorrections(sql: Sql): Corrections {
  let known: Cache = { mark: "", words: new Map() };
  return {
    correctionFor(word) {
      const mark = newestMark(blockChanges(sql));
      if (known.mark !== mark || known.words.size >= REMEMBERED) known = { mark, words: new Map() };
      let correction = known.words.get(word);
      if (correction === undefined) known.words.set(word, (correction = lookFor(sql, word)));
      return correction;
    },
  };
}

/** The word in most notes wins, but the first letter is seldom the wrong one. Numbers are not corrected: the next one is another thing. */
function lookFor(sql: Sql, word: string): string | null {
  const letters = Array.from(word);
  if (letters.length < SHORTEST || letters.length > LONGEST || /[^\p{L}\p{M}]/u.test(word)) return null;
  const found = [...wrongBefore(sql, letters, BEGINNING), ...wrongAfter(sql, letters, BEGINNING)];
  const worth = ({ term, doc }: Known): number => doc * (term.startsWith(letters[0]!) ? 10 : 1);
  const [best] = found.toSorted((a, b) => worth(b) - worth(a) || (a.term < b.term ? -1 : 1));
  return best?.term ?? null;
}

type Known = { term: string; doc: number };

/** The slip is among the first letters: each word that it could be is looked up. */
const wrongBefore = (sql: Sql, letters: readonly string[], end: number): Known[] =>
  sql.all<Known>(
    "SELECT v.term, v.doc FROM json_each(?) j JOIN vocabulary v ON v.term = j.value",
    JSON.stringify(oneAway(letters, end)),
  );

/** The first letters are right: the words that begin with them are looked through, which is quicker than to look up hundreds. */
function wrongAfter(sql: Sql, letters: readonly string[], end: number): Known[] {
  const beginning = letters.slice(0, end).join("");
  return sql
    .all<Known>(
      "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ?",
      beginning,
      `${beginning}\u{10ffff}`,
    )
    .filter(({ term }) => isOneAway(letters, Array.from(term)));
}

/** Whether one letter is missing, added or wrong, or two neighbours are swapped. */
export function isOneAway(one: readonly string[], other: readonly string[]): boolean {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let [start, end] = [0, 0];
  while (start < short.length && short[start] === long[start]) start++;
  while (end < short.length - start && short.at(-1 - end) === long.at(-1 - end)) end++;
  const left = short.length - start - end;
  if (short.length < long.length) return left === 0;
  return left === 1 || (left === 2 && short[start] === long[start + 1] && short[start + 1] === long[start]);
}

/** The words that begin so; words of most notes come first. */
export function wordsFrom(sql: Sql, beginning: string): string[] {
  if (beginning.length < 2) return [];
  return sql
    .all<{ term: string; doc: number }>(
      "SELECT term, doc FROM vocabulary WHERE term >= ? AND term < ? LIMIT ?",
      beginning,
      `${beginning}\u{10ffff}`,
      LOOKED_AT,
    )
    .toSorted((a, b) => b.doc - a.doc || (a.term < b.term ? -1 : 1))
    .slice(0, ENDINGS)
    .map(({ term }) => term);
}

/** Every word that is one slip away, where the slip stands before `end`. */
export function oneAway(letters: readonly string[], end: number): string[] {
  const found = new Set<string>();
  const alphabet = alphabetOf(letters[0]!);
  for (let at = 0; at <= letters.length && at < end; at++) {
    const [before, after] = [letters.slice(0, at).join(""), letters.slice(at)];
    const rest = after.slice(1).join("");
    for (const letter of alphabet) found.add(before + letter + after.join(""));
    if (after.length === 0) break;
    found.add(before + rest);
    for (const letter of alphabet) found.add(before + letter + rest);
    if (after.length > 1) found.add(before + after[1]! + after[0]! + after.slice(2).join(""));
  }
  found.delete(letters.join(""));
  return [...found];
}

const LATIN = "abcdefghijklmnopqrstuvwxyz";

/** The letters of a script stand together; a hundred and twenty-eight of them are enough for all that have spaces. */
function alphabetOf(letter: string): string[] {
  const code = letter.codePointAt(0)!;
  if (code < 0x250) return Array.from(LATIN);
  const first = code - (code % 0x80);
  return Array.from({ length: 0x80 }, (_, at) => String.fromCodePoint(first + at)).filter(
    (each) => /[\p{L}\p{M}]/u.test(each) && each === each.toLowerCase(),
  );
}
