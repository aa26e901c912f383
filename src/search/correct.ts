/** Words the vault does not have: the one that was meant, if a single letter is wrong, or those that go on where it stops. Looked up in the vault's own vocabulary. */

import { marksIn, newestMark } from "./block-changes.ts";
import type { Sql } from "../sqlite/sql.ts";

/** A shorter word is one letter away from too many others; a longer one is no word. */
const SHORTEST = 4;
const LONGEST = 30;
/** So many letters of a beginning leave few words to look through. */
const BEGINNING = 4;
/** How many words a beginning may stand for. */
const ENDINGS = 20;
const LOOKED_AT = 200;

/** What words were found to mean, good until notes change: who pages, types or waits asks the same again, and it takes two hundred lookups. */
type Meant = { mark: string; words: Map<string, string | null> };
const REMEMBERED = 100;

export type Corrections = {
  /** The word of the vault that was meant. `word` is folded. */
  nearestWord(word: string): string | null;
};

export function openCorrections(sql: Sql): Corrections {
  let known: Meant = { mark: "", words: new Map() };
  return {
    nearestWord(word) {
      const mark = newestMark(marksIn(sql));
      if (known.mark !== mark || known.words.size >= REMEMBERED) known = { mark, words: new Map() };
      let nearest = known.words.get(word);
      if (nearest === undefined) known.words.set(word, (nearest = lookFor(sql, word)));
      return nearest;
    },
  };
}

/** Where several words could be meant, it is the one in most notes, but the first letter is seldom the wrong one. Numbers are not corrected: the next one is another thing. */
function lookFor(sql: Sql, word: string): string | null {
  const letters = Array.from(word);
  if (letters.length < SHORTEST || letters.length > LONGEST || /[^\p{L}\p{M}]/u.test(word)) return null;
  const found = [...wrongBefore(sql, letters, BEGINNING), ...wrongAfter(sql, letters, BEGINNING)];
  const worth = ({ term, doc }: Known): number => doc * (term.startsWith(letters[0]!) ? 10 : 1);
  const [best] = found.toSorted((a, b) => worth(b) - worth(a) || (a.term < b.term ? -1 : 1));
  return best?.term ?? null;
}

type Known = { term: string; doc: number };

/** The slip is among the first letters: each word that could be meant is looked up. */
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

/** One letter too few, too many or wrong, or two neighbours swapped. */
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

/** The words that begin so, those of most notes first. */
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

/** Every word that is one away, by a slip before `end`. */
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
