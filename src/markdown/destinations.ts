/** Where a Markdown link points: the `(target "title")` of a link and the `[label]: target "title"` of a definition, by CommonMark's rules. */

import {
  NEWLINE,
  DOUBLE_QUOTE,
  SINGLE_QUOTE,
  OPEN_PAREN,
  CLOSE_PAREN,
  COLON,
  LESS,
  GREATER,
  OPEN_BRACKET,
  BACKSLASH,
  CLOSE_BRACKET,
  CARET,
  isSpaceOrNewline,
  isPunctuation,
  skipWhite,
} from "./characters.ts";

/** Offsets of the target as written, without angle brackets; `end` is just after the whole. */
export type Destination = { start: number; end: number; after: number };
/** `end` is just after the target or title; `next` is where the following line begins. */
export type Definition = { start: number; target: Destination; end: number; next: number };

/** CommonMark asks for at least three levels of parentheses and allows a limit; cmark and micromark stop at 32. */
const PAREN_LIMIT = 32;
const LABEL_LIMIT = 999;

/** The target of a link, from just after its `(`; `after` is behind the `)`. */
export function linkTargetAt(text: string, at: number, end: number): Destination | null {
  const open = skipWhite(text, at, end);
  const target = destinationAt(text, open, end);
  if (!target) return null;
  let i = skipWhite(text, target.after, end);
  if (i > target.after && i < end && text.charCodeAt(i) !== CLOSE_PAREN) {
    i = titleEnd(text, i, end);
    if (i < 0) return null;
    i = skipWhite(text, i, end);
  }
  return i < end && text.charCodeAt(i) === CLOSE_PAREN ? { ...target, after: i + 1 } : null;
}

/** A definition that begins at `at`, white space before it allowed. A footnote (`[^1]: …`) is none. */
export function definitionAt(text: string, at: number, end: number): Definition | null {
  const start = skipWhite(text, at, end);
  if (text.charCodeAt(start) !== OPEN_BRACKET || text.charCodeAt(start + 1) === CARET) return null;
  const labelEnd = endOfLabel(text, start + 1, end);
  if (labelEnd < 0 || text.charCodeAt(labelEnd + 1) !== COLON) return null;
  const target = destinationAt(text, skipWhite(text, labelEnd + 2, end), end);
  if (!target || (target.start === target.end && text.charCodeAt(target.start - 1) !== LESS)) return null;
  const ends = lineEndAt(text, target.after, end);
  const title = skipWhite(text, target.after, end);
  if (title > target.after && title < end) {
    const titleStop = titleEnd(text, title, end);
    const after = titleStop < 0 ? -1 : lineEndAt(text, titleStop, end);
    if (after >= 0) return { start, target, end: titleStop, next: after };
  }
  return ends < 0 ? null : { start, target, end: target.after, next: ends };
}

/** The beginning of the next line where only white space is left on this one, else -1. */
function lineEndAt(text: string, at: number, end: number): number {
  for (let i = at; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === NEWLINE) return i + 1;
    if (!isSpaceOrNewline(code)) return -1;
  }
  return end;
}

function destinationAt(text: string, at: number, end: number): Destination | null {
  if (text.charCodeAt(at) === LESS && at < end) {
    for (let i = at + 1; i < end; i++) {
      const code = text.charCodeAt(i);
      if (code === GREATER) return { start: at + 1, end: i, after: i + 1 };
      if (code === LESS || code === NEWLINE) return null;
      if (code === BACKSLASH && isPunctuation(text.charCodeAt(i + 1))) i++;
    }
    return null;
  }
  let depth = 0;
  let i = at;
  for (; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code <= 32 || code === 127) break;
    if (code === BACKSLASH && isPunctuation(text.charCodeAt(i + 1))) i++;
    else if (code === OPEN_PAREN && ++depth > PAREN_LIMIT) return null;
    else if (code === CLOSE_PAREN && --depth < 0) break;
  }
  return depth > 0 ? null : { start: at, end: Math.min(i, end), after: Math.min(i, end) };
}

/** Just after a title in quotes or parentheses, or -1. */
function titleEnd(text: string, at: number, end: number): number {
  const open = text.charCodeAt(at);
  if (open !== DOUBLE_QUOTE && open !== SINGLE_QUOTE && open !== OPEN_PAREN) return -1;
  const close = open === OPEN_PAREN ? 41 : open;
  for (let i = at + 1; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === close) return i + 1;
    if (code === OPEN_PAREN && open === OPEN_PAREN) return -1;
    if (code === BACKSLASH) i++;
  }
  return -1;
}

/** The offset of a label's closing bracket, or -1. */
function endOfLabel(text: string, at: number, end: number): number {
  const limit = Math.min(end, at + LABEL_LIMIT + 1);
  let words = false;
  for (let i = at; i < limit; i++) {
    const code = text.charCodeAt(i);
    if (code === CLOSE_BRACKET) return words ? i : -1;
    if (code === OPEN_BRACKET) return -1;
    if (code === BACKSLASH) i++;
    if (code > 32) words = true;
  }
  return -1;
}
