/** Spans in running text that hide what stands in them: code, HTML, comments and formulas; and wikilinks, which step over those. */

import {
  NEWLINE,
  SPACE,
  DOLLAR,
  LESS,
  OPEN_BRACKET,
  BACKSLASH,
  CLOSE_BRACKET,
  BACKTICK,
  isDigit,
  isPunctuation,
  isWhite,
  countSame,
  seeker,
} from "./characters.ts";
import { inlineHtmlReader } from "./html.ts";

/** What is known of a text's spans, so that nothing is sought twice. */
export type Spans = {
  text: string;
  htmlEnd: ReturnType<typeof inlineHtmlReader>;
  nextComment: ReturnType<typeof seeker>;
  nextMath: ReturnType<typeof seeker>;
  nextNewline: ReturnType<typeof seeker>;
  /** For each length of backtick run where the last one in this run of text begins: a search is made only where it must succeed. */
  lastBackticks: Map<number, number> | null;
  /** No formula, and no wikilink, that begins before these is closed on its line. */
  noMathBefore: number;
  noWikiBefore: number;
};

export const spansOf = (text: string): Spans => ({
  text,
  htmlEnd: inlineHtmlReader(text),
  nextComment: seeker(text, "%%"),
  nextMath: seeker(text, "$$"),
  nextNewline: seeker(text, "\n"),
  lastBackticks: null,
  noMathBefore: -1,
  noWikiBefore: -1,
});

/** The offset after the span that the mark at `at` opens, or -1. `double`: the mark stands there twice. */
export function spanEnd(spans: Spans, at: number, end: number, code: number, double: boolean): number {
  if (code === BACKTICK) return codeEnd(spans, at, end);
  if (code === LESS) return spans.htmlEnd(at, end);
  if (code === DOLLAR && !double) return mathEnd(spans, at, end);
  if (!double) return -1;
  const after = (code === DOLLAR ? spans.nextMath(at + 2) : spans.nextComment(at + 2)) + 2;
  return after <= end ? after : -1;
}

function codeEnd(spans: Spans, at: number, end: number): number {
  const { text } = spans;
  spans.lastBackticks ??= backtickRuns(text, at, end);
  const length = countSame(text, at, end);
  const last = spans.lastBackticks.get(length);
  if (last === undefined || last < at + length) return -1;
  for (let i = text.indexOf("`", at + length); ; i = text.indexOf("`", i)) {
    const count = countSame(text, i, end);
    i += count;
    if (count === length) return i;
  }
}

function backtickRuns(text: string, from: number, end: number): Map<number, number> {
  const last = new Map<number, number>();
  for (let i = text.indexOf("`", from); i >= 0 && i < end; i = text.indexOf("`", i)) {
    const count = countSame(text, i, end);
    last.set(count, i);
    i += count;
  }
  return last;
}

/** Obsidian's rule: no space inside the dollar signs, no digit after them, all on one line. */
function mathEnd(spans: Spans, at: number, end: number): number {
  const { text } = spans;
  if (at < spans.noMathBefore || at + 1 >= end || isWhite(text.charCodeAt(at + 1))) return -1;
  const stop = Math.min(end, spans.nextNewline(at));
  for (let i = at + 1; i < stop; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i++;
    else if (code === DOLLAR && !isWhite(text.charCodeAt(i - 1))) {
      const after = i + 1 < stop ? text.charCodeAt(i + 1) : SPACE;
      if (!isDigit(after)) return i + 1;
    }
  }
  spans.noMathBefore = stop;
  return -1;
}

/** The offset after `]]`. Code and HTML inside are stepped over, so that brackets in them count for nothing. */
export function wikiEnd(spans: Spans, at: number, end: number): number {
  const { text } = spans;
  if (at < spans.noWikiBefore || text.charCodeAt(at + 2) === OPEN_BRACKET) return -1;
  let i = at + 2;
  while (i < end) {
    const code = text.charCodeAt(i);
    if (code === CLOSE_BRACKET && text.charCodeAt(i + 1) === CLOSE_BRACKET && i + 1 < end) return i + 2;
    if (code === OPEN_BRACKET && text.charCodeAt(i + 1) === OPEN_BRACKET) return -1;
    if (code === NEWLINE) break;
    if (code === BACKTICK || code === LESS) {
      const after = code === LESS ? spans.htmlEnd(i, end) : codeEnd(spans, i, end);
      if (after > spans.nextNewline(i)) break;
      i = after > 0 ? after : i + countSame(text, i, end);
    } else i += code === BACKSLASH && isEscapedInside(text.charCodeAt(i + 1)) ? 2 : 1;
  }
  spans.noWikiBefore = i;
  return -1;
}

/** In a wikilink brackets count even after a backslash, as in Obsidian. */
const isEscapedInside = (code: number): boolean =>
  isPunctuation(code) && code !== OPEN_BRACKET && code !== CLOSE_BRACKET;
