/** HTML as CommonMark sees it (version 0.31): the seven ways a block of it begins and ends, and the tags and comments that stand in running text. */

import { isSpace } from "./lines.ts";

/** The seven kinds, numbered as in CommonMark's section 4.6. */
export type HtmlKind = 1 | 2 | 3 | 4 | 5 | 6 | 7;

const VERBATIM = /^(?:script|pre|style|textarea)$/i;
const VERBATIM_END = /<\/(?:script|pre|style|textarea)>/i;
const BLOCK_NAMES = new Set(
  (
    "address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt " +
    "fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hr html iframe legend li link " +
    "main menu menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead " +
    "title tr track ul"
  ).split(" "),
);

/** A tag longer than this is taken for text, so that many unclosed ones stay cheap. */
const TAG_LIMIT = 4000;

export function htmlBlockAt(text: string, at: number, end: number): HtmlKind | null {
  const code = text.charCodeAt(at + 1);
  if (code === 63) return 3;
  if (code === 33) {
    if (text.startsWith("--", at + 2)) return 2;
    if (text.startsWith("[CDATA[", at + 2)) return 5;
    return isLetter(text.charCodeAt(at + 2)) ? 4 : null;
  }
  const closing = code === 47;
  const nameStart = closing ? at + 2 : at + 1;
  const nameEnd = endOfName(text, nameStart, end);
  if (nameEnd === nameStart) return null;
  const name = text.slice(nameStart, Math.min(nameEnd, nameStart + 12));
  const after = nameEnd < end ? text.charCodeAt(nameEnd) : 32;
  const ends = isSpace(after) || after === 62;
  if (VERBATIM.test(name)) {
    if (!closing) return ends ? 1 : null;
  } else if (BLOCK_NAMES.has(name.toLowerCase())) {
    if (ends || (after === 47 && text.charCodeAt(nameEnd + 1) === 62)) return 6;
  }
  let rest = closing ? closingTagEnd(text, at, end) : openTagEnd(text, at, end);
  if (rest < 0) return null;
  while (rest < end && isSpace(text.charCodeAt(rest))) rest++;
  return rest === end ? 7 : null;
}

/** The offset after what ends such a block on this line, or -1. Kinds 6 and 7 end at a blank line instead. */
export function htmlBlockEnd(kind: HtmlKind, line: string): number {
  if (kind > 5) return -1;
  if (kind === 1) return line.search(VERBATIM_END);
  const mark = kind === 2 ? "-->" : kind === 3 ? "?>" : kind === 4 ? ">" : "]]>";
  const at = line.indexOf(mark);
  return at < 0 ? -1 : at + mark.length;
}

/** Finds a mark at or after an offset; offsets must not go back. Each part of the text is searched once, however often it is asked. */
export type Seek = (from: number) => number;
export function seeker(text: string, mark: string): Seek {
  let found = -1;
  return (from) => {
    if (found < from) {
      found = text.indexOf(mark, from);
      if (found < 0) found = Infinity;
    }
    return found;
  };
}

/** Where a tag, comment or `<scheme:address>` that begins at `at` ends, or -1. */
export function inlineHtmlReader(text: string): (at: number, end: number) => number {
  const seeks = {
    "-->": seeker(text, "-->"),
    "?>": seeker(text, "?>"),
    "]]>": seeker(text, "]]>"),
    ">": seeker(text, ">"),
  };
  const until = (mark: keyof typeof seeks, from: number, end: number): number => {
    const found = seeks[mark](from) + mark.length;
    return found <= end ? found : -1;
  };
  return (at, end) => {
    const code = text.charCodeAt(at + 1);
    if (code === 47) return closingTagEnd(text, at, end);
    if (code === 63) return until("?>", at + 2, end);
    if (code === 33) {
      if (text.startsWith("-->", at + 2)) return at + 5;
      if (text.startsWith("--->", at + 2)) return at + 6;
      if (text.startsWith("--", at + 2)) return until("-->", at + 4, end);
      if (text.startsWith("[CDATA[", at + 2)) return until("]]>", at + 9, end);
      return isLetter(text.charCodeAt(at + 2)) ? until(">", at + 2, end) : -1;
    }
    if (!isLetter(code)) return -1;
    const address = addressEnd(text, at, end);
    return address > 0 ? address : openTagEnd(text, at, end);
  };
}

const isLetter = (code: number): boolean => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const isWhite = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;

function endOfName(text: string, at: number, end: number): number {
  if (at >= end || !isLetter(text.charCodeAt(at))) return at;
  let i = at + 1;
  for (; i < end; i++) {
    const code = text.charCodeAt(i);
    if (!isLetter(code) && !isDigit(code) && code !== 45) break;
  }
  return i;
}

const skipWhite = (text: string, at: number, end: number): number => {
  let i = at;
  while (i < end && isWhite(text.charCodeAt(i))) i++;
  return i;
};

function closingTagEnd(text: string, at: number, end: number): number {
  const nameEnd = endOfName(text, at + 2, end);
  if (nameEnd === at + 2) return -1;
  const close = skipWhite(text, nameEnd, end);
  return close < end && text.charCodeAt(close) === 62 ? close + 1 : -1;
}

function openTagEnd(text: string, at: number, limit: number): number {
  const end = Math.min(limit, at + TAG_LIMIT);
  let i = endOfName(text, at + 1, end);
  if (i === at + 1) return -1;
  for (;;) {
    const next = skipWhite(text, i, end);
    if (next >= end) return -1;
    const code = text.charCodeAt(next);
    if (code === 62) return next + 1;
    if (code === 47) return text.charCodeAt(next + 1) === 62 && next + 1 < end ? next + 2 : -1;
    if (next === i) return -1;
    i = attributeEnd(text, next, end);
    if (i < 0) return -1;
  }
}

function attributeEnd(text: string, at: number, end: number): number {
  const first = text.charCodeAt(at);
  if (!isLetter(first) && first !== 95 && first !== 58) return -1;
  let i = at + 1;
  for (; i < end; i++) {
    const code = text.charCodeAt(i);
    if (!isLetter(code) && !isDigit(code) && code !== 95 && code !== 58 && code !== 46 && code !== 45) break;
  }
  const equals = skipWhite(text, i, end);
  if (text.charCodeAt(equals) !== 61 || equals >= end) return i;
  const value = skipWhite(text, equals + 1, end);
  if (value >= end) return -1;
  const quote = text.charCodeAt(value);
  if (quote === 34 || quote === 39) {
    for (i = value + 1; i < end; i++) if (text.charCodeAt(i) === quote) return i + 1;
    return -1;
  }
  for (i = value; i < end; i++) {
    const code = text.charCodeAt(i);
    if (isWhite(code) || code === 62) break;
    if (code === 34 || code === 39 || code === 61 || code === 60 || code === 96) return -1;
  }
  return i > value ? i : -1;
}

function addressEnd(text: string, at: number, end: number): number {
  let i = at + 1;
  for (; i < end; i++) {
    const code = text.charCodeAt(i);
    if (!isLetter(code) && !isDigit(code) && code !== 43 && code !== 45 && code !== 46) break;
  }
  if (text.charCodeAt(i) !== 58 || i - at < 3 || i - at > 33) return -1;
  for (; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === 62) return i + 1;
    if (code === 60 || code <= 32) return -1;
  }
  return -1;
}
