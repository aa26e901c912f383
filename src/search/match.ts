/** Matching: the words of a query as an expression of the full-text table. What the user wrote is always quoted; nothing of it is syntax. */

import { foldText, foldWords } from "./fold.ts";
import { stretchesOf } from "./scripts.ts";

/** What to look for in a text to show where it matched: words in a row, a piece of text anywhere, or whatever has one of some terms. */
export type Mark = { words: string[]; prefix: boolean } | { part: string } | { terms: ReadonlySet<string> };

/** What a snippet may show, and where it is looked for first. */
export type Sought = { mark: Mark; in: "title" | "body" | "either" };

/** A note matches if it meets the expression, where there is one, and holds each stretch of writing without spaces. */
export type Match = { expression: string | null; unspaced: string[]; marks: Mark[] };

/** Matches every word of the text; words without a space between them must stand in a row. Null where the text has no letter. */
export const matchWords = (text: string, how: { prefix?: boolean } = {}): Match | null =>
  join(text.normalize("NFC").split(/\s+/), how.prefix ?? false);

/** Matches the words in a row. Where some are of a script without spaces, each stretch must be there, in whatever order. */
export const matchPhrase = (text: string): Match | null => join([text.normalize("NFC")], false);

function join(chunks: string[], prefix: boolean): Match | null {
  const rows = chunks.map(stretchesOf).filter((row) => row.length > 0);
  if (rows.length === 0) return null;
  const expressions: string[] = [];
  const unspaced: string[] = [];
  const marks: Mark[] = [];
  rows.forEach((row, at) => {
    const goesOn = prefix && at === rows.length - 1;
    if (row.every(({ spaced }) => spaced)) {
      const words = row.map(({ text }) => text);
      expressions.push(quoted(words, goesOn));
      marks.push({ words: words.map(foldWords), prefix: goesOn });
      return;
    }
    row.forEach(({ text, spaced }, place) => {
      if (spaced) expressions.push(quoted([text], goesOn && place === row.length - 1));
      else unspaced.push(text);
      marks.push({ part: foldText(text) });
    });
  });
  return { expression: expressions.length === 0 ? null : expressions.join(" AND "), unspaced, marks };
}

/** The words as written, or in usual width. They are letters only, so there is no quotation mark to double. */
function quoted(words: string[], prefix: boolean): string {
  const row = (each: string[]): string => `"${each.join(" ")}"${prefix ? " *" : ""}`;
  const usual = words.map((word) => word.normalize("NFKC"));
  return usual.every((word, at) => word === words[at]) ? row(words) : `(${row(words)} OR ${row(usual)})`;
}
