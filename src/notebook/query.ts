/** The query language, text to Filter: words, "phrases", title: tag: folder:, AND OR NOT -, parentheses. Words side by side must all match. */

import { NoteError } from "../markdown/errors.ts";
import type { Filter } from "./filter.ts";
import { folderPath } from "./paths.ts";

export type TagMeaning = { under?: boolean; from?: "fields" | "all" };

const LENGTH_LIMIT = 2000;
const DEPTH_LIMIT = 30;
const TERM_LIMIT = 100;

type Token =
  | { kind: "open" | "close" | "and" | "or" | "not"; at: number }
  | { kind: "term"; field: "" | "title" | "tag" | "folder"; text: string; quoted: boolean; at: number };

/** `tag` says what `tag:` means on this surface: the tag alone, or those under it too; from fields, or everywhere. */
export function parseQuery(text: string, tag: TagMeaning = {}): Filter {
  if (text.length > LENGTH_LIMIT)
    throw malformed(LENGTH_LIMIT, `the query is longer than ${LENGTH_LIMIT} characters`);
  const tokens = tokensOf(text);
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
    return sides.length === 1 ? sides[0]! : { any: sides };
  };
  const both = (depth: number): Filter => {
    const parts = [one(depth)];
    for (;;) {
      const token = tokens[next];
      if (!token || token.kind === "or" || token.kind === "close") break;
      if (token.kind === "and") next++;
      parts.push(one(depth));
    }
    return joinWords(parts);
  };
  const one = (depth: number): Filter => {
    const token = tokens[next];
    if (!token) throw malformed(text.length, "something is missing at the end");
    next++;
    if (token.kind === "not") return { not: one(depth + 1) };
    if (token.kind === "term") return termFilter(token, tag);
    if (token.kind !== "open") throw malformed(token.at, `"${wordFor(token.kind)}" has nothing before it`);
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

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text[at]!;
    const begins = at === 0 || /[\s(]/.test(text[at - 1]!);
    if (/\s/.test(char)) at++;
    else if (char === "(" || char === ")") tokens.push({ kind: char === "(" ? "open" : "close", at: at++ });
    else if (char === "-" && begins && /[^\s)]/.test(text[at + 1] ?? " "))
      tokens.push({ kind: "not", at: at++ });
    else {
      const term = termAt(text, at);
      tokens.push(term.token);
      at = term.end;
    }
    if (tokens.length > TERM_LIMIT) throw malformed(at, `the query has more than ${TERM_LIMIT} terms`);
  }
  return tokens;
}

function termAt(text: string, at: number): { token: Token; end: number } {
  const field = (/^(title|tag|folder):/i.exec(text.slice(at, at + 8))?.[1]?.toLowerCase() ?? "") as
    "" | "title" | "tag" | "folder";
  const start = field === "" ? at : at + field.length + 1;
  if (text[start] === '"') {
    const close = text.indexOf('"', start + 1);
    if (close < 0) throw malformed(start, "this quotation is never closed");
    return {
      token: { kind: "term", field, text: text.slice(start + 1, close), quoted: true, at },
      end: close + 1,
    };
  }
  let end = start;
  while (end < text.length && !/[\s()"]/.test(text[end]!)) end++;
  const word = text.slice(start, end);
  if (field !== "" && word === "") throw malformed(at, `"${field}:" needs a value right after it`);
  const operator = field === "" ? ({ AND: "and", OR: "or", NOT: "not" } as const)[word] : undefined;
  return {
    token: operator ? { kind: operator, at } : { kind: "term", field, text: word, quoted: false, at },
    end,
  };
}

function termFilter(term: Token & { kind: "term" }, tag: TagMeaning): Filter {
  if (term.text.trim() === "") throw malformed(term.at, "this term is empty");
  if (term.field === "tag") return { tag: term.text.replace(/^#/, ""), ...tag };
  if (term.field === "folder") return { folder: folderPath(term.text), deep: true };
  if (term.quoted) return { phrase: term.text, ...(term.field === "title" ? { in: "title" as const } : {}) };
  return term.field === "title" ? { title: term.text } : { words: term.text };
}

// Neighbouring words are one question to the full-text index, not several.
function joinWords(parts: Filter[]): Filter {
  const words = parts.flatMap((part) => ("words" in part ? [part.words] : []));
  const others = parts.filter((part) => !("words" in part));
  const all: Filter[] = words.length > 0 ? [{ words: words.join(" ") }, ...others] : others;
  return all.length === 1 ? all[0]! : { all };
}

const wordFor = (kind: Token["kind"]): string =>
  ({ open: "(", close: ")", and: "AND", or: "OR", not: "NOT", term: "" })[kind];

function malformed(at: number, why: string): NoteError {
  return new NoteError("query_malformed", `The query cannot be read: ${why} (character ${at + 1}).`, {
    at,
    why,
  });
}
