/** The words and signs of a query, each with where it stands. */

import { NoteError } from "../markdown/errors.ts";
import type { FieldOp } from "./filter.ts";

/** `name` is what stands before the sign of a term such as `tag:x` or `rating>3`; empty for plain words. */
export type Term = {
  kind: "term";
  name: string;
  op: FieldOp;
  text: string;
  quoted: boolean;
  at: number;
};
export type Token = { kind: "open" | "close" | "and" | "or" | "not"; at: number } | Term;

const LENGTH_LIMIT = 2000;
const TERM_LIMIT = 100;
/** A long question is no long query. */
const WORD_LIMIT = 400;

/** `short` knows title:, tag: and folder: only; `full` has any name, and comparisons. */
export type Language = "short" | "full";

export function tokensOf(text: string, language: Language): Token[] {
  if (text.length > LENGTH_LIMIT)
    throw malformed(LENGTH_LIMIT, `the query is longer than ${LENGTH_LIMIT} characters`);
  const most = language === "full" ? WORD_LIMIT : TERM_LIMIT;
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
      const term = termAt(text, at, language);
      tokens.push(term.token);
      at = term.end;
    }
    if (tokens.length > most) throw malformed(at, `the query has more than ${most} terms`);
  }
  return tokens;
}

const SHORT = /(title|tag|folder)(:)/iy;
// A name, and right after it a sign: `rating>3`, `created:>=2026`. What follows a colon and a slash is an address.
const FULL = /([\p{L}_][\p{L}\p{N}_]*(?:[.-][\p{L}\p{N}_]+)*)(:(?:[<>]=?|=)|:(?!\/\/)|[<>]=?|=)/uy;
/** Names that are never plain words. */
const KNOWN = new Set(["title", "tag", "folder", "path", "link", "is", "created", "modified"]);

function termAt(text: string, at: number, language: Language): { token: Token; end: number } {
  const { name, op, start } = namedAt(text, at, language);
  if (text[start] === '"') {
    const close = text.indexOf('"', start + 1);
    if (close < 0) throw malformed(start, "this quotation is never closed");
    const inside = text.slice(start + 1, close);
    return { token: { kind: "term", name, op, text: inside, quoted: true, at }, end: close + 1 };
  }
  const link = name === "link" && text.startsWith("[[", start) ? text.indexOf("]]", start) : -1;
  let end = link < 0 ? start : link + 2;
  while (end < text.length && !/[\s()"]/.test(text[end]!)) end++;
  const word = text.slice(start, end);
  if (name !== "" && word === "")
    throw malformed(at, `"${text.slice(at, start)}" needs a value right after it`);
  const operator = name === "" ? ({ AND: "and", OR: "or", NOT: "not" } as const)[word] : undefined;
  return {
    token: operator ? { kind: operator, at } : { kind: "term", name, op, text: word, quoted: false, at },
    end,
  };
}

function namedAt(text: string, at: number, language: Language): { name: string; op: FieldOp; start: number } {
  const pattern = language === "short" ? SHORT : FULL;
  pattern.lastIndex = at;
  const [whole, written = "", sign = ":"] = pattern.exec(text) ?? [""];
  const plain = { name: "", op: ":" as const, start: at };
  if (whole === "") return plain;
  const start = at + whole.length;
  const known = KNOWN.has(written.toLowerCase());
  // `Re: the plan` and `a = b` are words.
  if (!known && (start >= text.length || /[\s()]/.test(text[start]!))) return plain;
  const op = (sign.length > 1 && sign.startsWith(":") ? sign.slice(1) : sign) as FieldOp;
  return { name: known ? written.toLowerCase() : written, op, start };
}

/** A query that cannot be read: where, and why. */
export const malformed = (at: number, why: string): NoteError =>
  new NoteError("query_malformed", `The query cannot be read: ${why} (character ${at + 1}).`, { at, why });
