/** The query language, text to Filter: words, "phrases", name:value and comparisons, AND OR NOT -, parentheses. */

import type { Filter } from "./filter.ts";
import { termFilter, type QueryMeaning } from "./query-terms.ts";
import { isSentence } from "./query-sentence.ts";
import { malformed, tokensOf, type Token } from "./query-tokens.ts";

const DEPTH_LIMIT = 30;
/** A page of text is asked by as much of it as this. */
const SENTENCE_LIMIT = 20_000;

export function parseQuery(text: string, how: QueryMeaning = {}): Filter {
  const any = how.words === "any";
  if (any && isSentence(text)) return { ask: text.trim().slice(0, SENTENCE_LIMIT) };
  const tokens = tokensOf(text, any ? "full" : "short");
  if (tokens.length === 0) throw malformed(0, "the query is empty");
  let next = 0;

  const either = (depth: number): Filter => {
    if (depth > DEPTH_LIMIT)
      throw malformed(
        tokens[next]?.at ?? text.length,
        `parentheses are nested more than ${DEPTH_LIMIT} deep`,
      );
    const sides = [both(depth)];
    while (tokens[next]?.kind === "or") {
      next++;
      sides.push(both(depth));
    }
    return sides.length === 1 ? sides[0]! : oneOf(sides);
  };
  const both = (depth: number): Filter => {
    const rows = [[one(depth)]];
    for (;;) {
      const token = tokens[next];
      if (!token || token.kind === "or" || token.kind === "close") break;
      if (token.kind === "and") {
        next++;
        // Side by side, any of the words may match; AND says that it must.
        if (any) rows.push([]);
      }
      rows.at(-1)!.push(one(depth));
    }
    const all = rows.flatMap(joinWords);
    return all.length === 1 ? all[0]! : { all };
  };
  const one = (depth: number): Filter => {
    const token = tokens[next];
    if (!token) throw malformed(text.length, "something is missing at the end");
    next++;
    if (token.kind === "not") return { not: exactly(one(depth + 1)) };
    if (token.kind === "term") return termFilter(token, how);
    if (token.kind !== "open") throw malformed(token.at, `"${SIGNS[token.kind]}" has nothing before it`);
    const inner = either(depth + 1);
    if (tokens[next]?.kind !== "close") throw malformed(token.at, 'this "(" is never closed');
    next++;
    return inner;
  };

  const filter = either(0);
  const rest = tokens[next];
  if (rest) throw malformed(rest.at, 'this ")" closes nothing');
  return filter;
}

const SIGNS: Record<Token["kind"], string> = {
  open: "(",
  close: ")",
  and: "AND",
  or: "OR",
  not: "NOT",
  term: "",
};

/** Neighbouring words are one question to the index, not several. */
function joinWords(parts: Filter[]): Filter[] {
  const words = parts.filter((part) => "words" in part);
  const asked = parts.flatMap((part) => ("ask" in part ? [part.ask] : []));
  const others = parts.filter((part) => !("words" in part) && !("ask" in part));
  return [
    ...(words.length > 0 ? [{ ...words[0]!, words: words.map((part) => part.words).join(" ") }] : []),
    ...(asked.length > 0 ? [{ ask: asked.join(" ") }] : []),
    ...others,
  ];
}

/** Questions joined by OR are one question. */
function oneOf(sides: Filter[]): Filter {
  const asked = sides.flatMap((side) => ("ask" in side ? [side.ask] : []));
  return asked.length === sides.length ? { ask: asked.join(" ") } : { any: sides };
}

/** What is to be left out is what was written, no other form of it. */
const exactly = (filter: Filter): Filter => ("ask" in filter ? { words: filter.ask } : filter);
