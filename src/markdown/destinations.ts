/** Where a Markdown link points: the `(target "title")` of a link and the `[label]: target "title"` of a definition, by CommonMark's rules. */

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
  if (i > target.after && i < end && text.charCodeAt(i) !== 41) {
    i = titleEnd(text, i, end);
    if (i < 0) return null;
    i = skipWhite(text, i, end);
  }
  return i < end && text.charCodeAt(i) === 41 ? { ...target, after: i + 1 } : null;
}

/** A definition that begins at `at`, white space before it allowed. A footnote (`[^1]: …`) is none. */
export function definitionAt(text: string, at: number, end: number): Definition | null {
  const start = skipWhite(text, at, end);
  if (text.charCodeAt(start) !== 91 || text.charCodeAt(start + 1) === 94) return null;
  const labelEnd = endOfLabel(text, start + 1, end);
  if (labelEnd < 0 || text.charCodeAt(labelEnd + 1) !== 58) return null;
  const target = destinationAt(text, skipWhite(text, labelEnd + 2, end), end);
  if (!target || (target.start === target.end && text.charCodeAt(target.start - 1) !== 60)) return null;
  const ends = lineEndAt(text, target.after, end);
  const title = skipWhite(text, target.after, end);
  if (title > target.after && title < end) {
    const titleStop = titleEnd(text, title, end);
    const after = titleStop < 0 ? -1 : lineEndAt(text, titleStop, end);
    if (after >= 0) return { start, target, end: titleStop, next: after };
  }
  return ends < 0 ? null : { start, target, end: target.after, next: ends };
}

export const isPunctuation = (code: number): boolean =>
  (code > 32 && code < 48) ||
  (code > 57 && code < 65) ||
  (code > 90 && code < 97) ||
  (code > 122 && code < 127);

function skipWhite(text: string, at: number, end: number): number {
  let i = at;
  for (; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code !== 32 && code !== 10 && code !== 9 && code !== 13) break;
  }
  return i;
}

/** The beginning of the next line where only white space is left on this one, else -1. */
function lineEndAt(text: string, at: number, end: number): number {
  for (let i = at; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 10) return i + 1;
    if (code !== 32 && code !== 9 && code !== 13) return -1;
  }
  return end;
}

function destinationAt(text: string, at: number, end: number): Destination | null {
  if (text.charCodeAt(at) === 60 && at < end) {
    for (let i = at + 1; i < end; i++) {
      const code = text.charCodeAt(i);
      if (code === 62) return { start: at + 1, end: i, after: i + 1 };
      if (code === 60 || code === 10) return null;
      if (code === 92 && isPunctuation(text.charCodeAt(i + 1))) i++;
    }
    return null;
  }
  let depth = 0;
  let i = at;
  for (; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code <= 32 || code === 127) break;
    if (code === 92 && isPunctuation(text.charCodeAt(i + 1))) i++;
    else if (code === 40 && ++depth > PAREN_LIMIT) return null;
    else if (code === 41 && --depth < 0) break;
  }
  return depth > 0 ? null : { start: at, end: Math.min(i, end), after: Math.min(i, end) };
}

/** Just after a title in quotes or parentheses, or -1. */
function titleEnd(text: string, at: number, end: number): number {
  const open = text.charCodeAt(at);
  if (open !== 34 && open !== 39 && open !== 40) return -1;
  const close = open === 40 ? 41 : open;
  for (let i = at + 1; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === close) return i + 1;
    if (code === 40 && open === 40) return -1;
    if (code === 92) i++;
  }
  return -1;
}

/** The offset of a label's closing bracket, or -1. */
function endOfLabel(text: string, at: number, end: number): number {
  const limit = Math.min(end, at + LABEL_LIMIT + 1);
  let words = false;
  for (let i = at; i < limit; i++) {
    const code = text.charCodeAt(i);
    if (code === 93) return words ? i : -1;
    if (code === 91) return -1;
    if (code === 92) i++;
    if (code > 32) words = true;
  }
  return -1;
}
