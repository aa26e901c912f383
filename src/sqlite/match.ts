/** Words of a query, as an expression of the full-text table. What the user wrote is always quoted; nothing of it is syntax. */

import { foldText, foldWords } from "./fold.ts";
import { isUnspaced, LETTERS, pieceExpression, stretches } from "./pieces.ts";

/** What to look for in a text to show where it matched: words in a row, or a piece of text anywhere. */
export type Term = { words: string[]; prefix: boolean } | { part: string };
export type Match = { expression: string; terms: Term[] };

/** Every word of the text; what stands between two spaces is found in a row. Null where there is no letter in it. */
export function matchWords(text: string, how: { prefix?: boolean } = {}): Match | null {
  return join(text.normalize("NFC").split(/\s+/), how.prefix ?? false);
}

/** Any word of the text. */
export const matchAny = (text: string): Match | null =>
  join(text.normalize("NFC").split(/\s+/), false, " OR ");

/** The words in a row. Where some are of a script without spaces, each stretch must be there, in whatever order. */
export const matchPhrase = (text: string): Match | null => join([text.normalize("NFC")], false);

function join(chunks: string[], prefix: boolean, joint = " AND "): Match | null {
  const found = chunks.map((chunk) => chunk.match(LETTERS) ?? []).filter((runs) => runs.length > 0);
  if (found.length === 0) return null;
  const matches = found.map((runs, at) => matchRuns(runs, prefix && at === found.length - 1));
  return {
    expression: matches
      .map(({ expression }) => (joint === " OR " ? `(${expression})` : expression))
      .join(joint),
    terms: matches.flatMap(({ terms }) => terms),
  };
}

function matchRuns(runs: string[], prefix: boolean): Match {
  if (!runs.some(isUnspaced))
    return {
      expression: quoted(runs, prefix),
      terms: [{ words: runs.map(foldWords), prefix }],
    };
  const parts = runs.flatMap(stretches);
  return {
    expression: parts
      .map(({ text, size }, at) =>
        size === 0 ? quoted([text], prefix && at === parts.length - 1) : pieceExpression(text, size),
      )
      .join(" AND "),
    terms: parts.map(({ text }) => ({ part: foldText(text) })),
  };
}

// Letters only, so there is no quotation mark to double.
const quoted = (words: string[], prefix: boolean): string => `"${words.join(" ")}"${prefix ? " *" : ""}`;
