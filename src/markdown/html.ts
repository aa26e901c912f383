/** HTML as CommonMark sees it (version 0.31): the seven ways a block of it begins and ends, and the tags and comments that stand in running text. */

import {
  SPACE,
  BANG,
  DOUBLE_QUOTE,
  SINGLE_QUOTE,
  PLUS,
  DASH,
  DOT,
  SLASH,
  COLON,
  LESS,
  EQUALS,
  GREATER,
  QUESTION,
  UNDERSCORE,
  BACKTICK,
  isDigit,
  isLetter,
  isSpace,
  isSpaceOrNewline,
  skipWhite,
  seeker,
} from "./characters.ts";

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
  if (code === QUESTION) return 3;
  if (code === BANG) {
    if (text.startsWith("--", at + 2)) return 2;
    if (text.startsWith("[CDATA[", at + 2)) return 5;
    return isLetter(text.charCodeAt(at + 2)) ? 4 : null;
  }
  const closing = code === SLASH;
  const nameStart = closing ? at + 2 : at + 1;
  const nameEnd = endOfName(text, nameStart, end);
  if (nameEnd === nameStart) return null;
  const name = text.slice(nameStart, Math.min(nameEnd, nameStart + 12));
  const after = nameEnd < end ? text.charCodeAt(nameEnd) : SPACE;
  const ends = isSpace(after) || after === GREATER;
  if (VERBATIM.test(name)) {
    if (!closing) return ends ? 1 : null;
  } else if (BLOCK_NAMES.has(name.toLowerCase())) {
    if (ends || (after === SLASH && text.charCodeAt(nameEnd + 1) === GREATER)) return 6;
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
    if (code === SLASH) return closingTagEnd(text, at, end);
    if (code === QUESTION) return until("?>", at + 2, end);
    if (code === BANG) {
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

function endOfName(text: string, at: number, end: number): number {
  if (at >= end || !isLetter(text.charCodeAt(at))) return at;
  let i = at + 1;
  for (; i < end; i++) {
    const code = text.charCodeAt(i);
    if (!isLetter(code) && !isDigit(code) && code !== DASH) break;
  }
  return i;
}

function closingTagEnd(text: string, at: number, end: number): number {
  const nameEnd = endOfName(text, at + 2, end);
  if (nameEnd === at + 2) return -1;
  const close = skipWhite(text, nameEnd, end);
  return close < end && text.charCodeAt(close) === GREATER ? close + 1 : -1;
}

function openTagEnd(text: string, at: number, limit: number): number {
  const end = Math.min(limit, at + TAG_LIMIT);
  let i = endOfName(text, at + 1, end);
  if (i === at + 1) return -1;
  for (;;) {
    const next = skipWhite(text, i, end);
    if (next >= end) return -1;
    const code = text.charCodeAt(next);
    if (code === GREATER) return next + 1;
    if (code === SLASH) return text.charCodeAt(next + 1) === GREATER && next + 1 < end ? next + 2 : -1;
    if (next === i) return -1;
    i = attributeEnd(text, next, end);
    if (i < 0) return -1;
  }
}

function attributeEnd(text: string, at: number, end: number): number {
  const first = text.charCodeAt(at);
  if (!isLetter(first) && first !== UNDERSCORE && first !== COLON) return -1;
  let i = at + 1;
  for (; i < end; i++) {
    const code = text.charCodeAt(i);
    if (
      !isLetter(code) &&
      !isDigit(code) &&
      code !== UNDERSCORE &&
      code !== COLON &&
      code !== DOT &&
      code !== DASH
    )
      break;
  }
  const equals = skipWhite(text, i, end);
  if (text.charCodeAt(equals) !== EQUALS || equals >= end) return i;
  const value = skipWhite(text, equals + 1, end);
  if (value >= end) return -1;
  const quote = text.charCodeAt(value);
  if (quote === DOUBLE_QUOTE || quote === SINGLE_QUOTE) {
    for (i = value + 1; i < end; i++) if (text.charCodeAt(i) === quote) return i + 1;
    return -1;
  }
  for (i = value; i < end; i++) {
    const code = text.charCodeAt(i);
    if (isSpaceOrNewline(code) || code === GREATER) break;
    if (
      code === DOUBLE_QUOTE ||
      code === SINGLE_QUOTE ||
      code === EQUALS ||
      code === LESS ||
      code === BACKTICK
    )
      return -1;
  }
  return i > value ? i : -1;
}

function addressEnd(text: string, at: number, end: number): number {
  let i = at + 1;
  for (; i < end; i++) {
    const code = text.charCodeAt(i);
    if (!isLetter(code) && !isDigit(code) && code !== PLUS && code !== DASH && code !== DOT) break;
  }
  if (text.charCodeAt(i) !== COLON || i - at < 3 || i - at > 33) return -1;
  for (; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === GREATER) return i + 1;
    if (code === LESS || code <= 32) return -1;
  }
  return -1;
}
