/** Hits: where in a text the words stand that were asked for. */

import type { Analyzer } from "./analyzer.ts";
import { foldText, foldWords } from "./fold.ts";
import type { Lexicon } from "./lexicon.ts";
import type { Mark } from "./match.ts";

export type Span = [start: number, end: number];
/** `what` tells hits of different words apart. */
export type Hit = { span: Span; what: string };

/** Hits are in order and may overlap. `most`: how many of each mark are looked for. */
export function hitsIn(analyzer: Analyzer, text: string, marks: readonly Mark[], most: number): Hit[] {
  // The text is folded once for each kind of mark, and only if there is such a mark.
  let folded: string | null = null;
  let words: string | null = null;
  const hits: Hit[] = [];
  marks.forEach((mark, number) => {
    if ("terms" in mark) return void hits.push(...termHits(analyzer, text, mark.terms, most));
    const next = (from: number): Span | null =>
      "part" in mark
        ? partIn((folded ??= foldText(text)), mark.part, from)
        : wordsIn((words ??= foldWords(text)), mark.words, mark.prefix, from);
    let span = next(0);
    for (let left = most; span && left > 0; left--) {
      hits.push({ span, what: `mark ${number}` });
      span = next(span[1]);
    }
  });
  return hits.toSorted((a, b) => a.span[0] - b.span[0] || b.span[1] - a.span[1]);
}

/** Spans are in order; hits that overlap become one. */
export function marksIn(analyzer: Analyzer, text: string, marks: readonly Mark[]): Span[] {
  const joined: Span[] = [];
  for (const { span } of hitsIn(analyzer, text, marks, Number.POSITIVE_INFINITY)) {
    const last = joined.at(-1);
    if (last && span[0] < last[1]) last[1] = Math.max(last[1], span[1]);
    else joined.push([...span]);
  }
  return joined;
}

function termHits(
  { lexicon, words }: Analyzer,
  text: string,
  terms: ReadonlySet<string>,
  most: number,
): Hit[] {
  const wanted = new Set(Array.from(terms, (term) => lexicon.termFor(term).number));
  const hits: Hit[] = [];
  words.eachNumber(text, (word, start, end) => {
    const term = hits.length < most ? oneOf(lexicon, wanted, word) : -1;
    if (term >= 0) hits.push({ span: [start, end], what: String(term) });
  });
  return hits;
}

/** The number of the first wanted term of a word, or -1. Most words have only one term. */
function oneOf({ codeOf, wordAt }: Lexicon, wanted: ReadonlySet<number>, word: number): number {
  const code = codeOf(word);
  if (wanted.has(code >> 1)) return code >> 1;
  return (code & 1) === 0 ? -1 : (wordAt(word).terms.find(({ number }) => wanted.has(number))?.number ?? -1);
}

/** Looks for the part as it is, and with white space folded as in a snippet. */
function partIn(text: string, part: string, from: number): Span | null {
  const onOneLine = part.replace(/\s+/g, " ");
  for (const wanted of onOneLine === part ? [part] : [part, onOneLine]) {
    const at = text.indexOf(wanted, from);
    if (at >= 0) return [at, at + wanted.length];
  }
  return null;
}

const LETTER = /[\p{L}\p{N}\p{Co}\p{M}]/u;
const NO_LETTERS = /[^\p{L}\p{N}\p{Co}\p{M}]*/uy;
const REST = /[\p{L}\p{N}\p{Co}\p{M}]*/uy;

function wordsIn(text: string, words: readonly string[], prefix: boolean, from: number): Span | null {
  for (let at = text.indexOf(words[0]!, from); at >= 0; at = text.indexOf(words[0]!, at + 1)) {
    if (at > 0 && LETTER.test(lastCharacter(text, at))) continue;
    const end = rowEnd(text, words, prefix, at);
    if (end !== null) return [at, end];
  }
  return null;
}

function rowEnd(text: string, words: readonly string[], prefix: boolean, at: number): number | null {
  let end = at;
  for (const [place, word] of words.entries()) {
    if (place > 0) end += runAt(NO_LETTERS, text, end);
    if (!text.startsWith(word, end)) return null;
    end += word.length;
    const more = runAt(REST, text, end);
    if (more > 0 && !(prefix && place === words.length - 1)) return null;
    end += more;
  }
  return end;
}

function runAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)![0].length;
}

const lastCharacter = (text: string, end: number): string =>
  /[\udc00-\udfff]/.test(text[end - 1]!) ? text.slice(end - 2, end) : text[end - 1]!;
