/** How the blocks of CommonMark begin: headings, fences, rules, list items, table rows. Each function looks at one line, from an offset to its end. */

import {
  HASH,
  CLOSE_PAREN,
  DASH,
  DOT,
  COLON,
  EQUALS,
  BACKTICK,
  PIPE,
  asciiTable,
  isDigit,
  isSpace,
  countSame,
} from "./characters.ts";

/** A character that may begin a block; a line that begins with any other is running text. */
export const mayBegin = (code: number): boolean => code < 128 && BEGINNINGS[code] === 1;
const BEGINNINGS = asciiTable("\t #>`~<=-*_+%$|:0123456789");

/** `# text ##`: its level and where its text stands, closing marks left off. */
export function atxAt(
  text: string,
  at: number,
  end: number,
): { level: number; start: number; end: number } | null {
  let start = at;
  while (start < end && text.charCodeAt(start) === HASH) start++;
  const level = start - at;
  if (level > 6 || (start < end && !isSpace(text.charCodeAt(start)))) return null;
  const last = trimEnd(text, start, end);
  let marks = last;
  while (marks > start && text.charCodeAt(marks - 1) === HASH) marks--;
  const closed = marks < last && (marks === start || isSpace(text.charCodeAt(marks - 1)));
  const stop = closed ? trimEnd(text, start, marks) : last;
  while (start < stop && isSpace(text.charCodeAt(start))) start++;
  return { level, start, end: stop };
}

function trimEnd(text: string, from: number, end: number): number {
  let i = end;
  while (i > from && isSpace(text.charCodeAt(i - 1))) i--;
  return i;
}

/** The length of an opening fence, or 0. */
export function fenceAt(text: string, at: number, end: number): number {
  const length = countSame(text, at, end);
  if (length < 3) return 0;
  return text.charCodeAt(at) === BACKTICK && text.slice(at + length, end).includes("`") ? 0 : length;
}

/** Whether a fence of that character and length is closed by this line. */
export function closesFence(text: string, at: number, end: number, code: number, length: number): boolean {
  if (text.charCodeAt(at) !== code) return false;
  const count = countSame(text, at, end);
  return count >= length && trimEnd(text, at + count, end) === at + count;
}

/** The level of a setext heading that this line underlines, or 0. */
export function underlineAt(text: string, at: number, end: number): number {
  const length = countSame(text, at, end);
  if (trimEnd(text, at + length, end) > at + length) return 0;
  return text.charCodeAt(at) === EQUALS ? 1 : 2;
}

export function isRule(text: string, at: number, end: number): boolean {
  const code = text.charCodeAt(at);
  let count = 0;
  for (let i = at; i < end; i++) {
    const here = text.charCodeAt(i);
    if (here === code) count++;
    else if (!isSpace(here)) return false;
  }
  return count > 2;
}

/** The length of a list marker, or 0. Only an item that is not empty, and not numbered other than 1, may cut a paragraph short. */
export function listMarkerAt(text: string, at: number, end: number, inParagraph: boolean): number {
  let i = at;
  const code = text.charCodeAt(at);
  if (isDigit(code)) {
    while (i < end && i - at < 10 && isDigit(text.charCodeAt(i))) i++;
    const stop = text.charCodeAt(i);
    if (i - at > 9 || i >= end || (stop !== DOT && stop !== CLOSE_PAREN)) return 0;
    if (inParagraph && text.slice(at, i) !== "1") return 0;
  }
  i++;
  if (i < end && !isSpace(text.charCodeAt(i))) return 0;
  if (inParagraph && trimEnd(text, i, end) === i) return 0;
  return i - at;
}

/** `| --- | :-: |`: the row below a table's header. */
export function isTableRule(text: string, at: number, end: number): boolean {
  let [pipes, dashes] = [0, 0];
  for (let i = at; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === PIPE) pipes++;
    else if (code === DASH) dashes++;
    else if (code !== COLON && !isSpace(code)) return false;
  }
  return pipes > 0 && dashes > 0;
}
