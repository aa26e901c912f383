/** What stands in running text: links, tags and block ids, found in one walk that steps over code, math, comments, HTML and escapes. */

import {
  NEWLINE,
  SPACE,
  BANG,
  HASH,
  DOLLAR,
  OPEN_PAREN,
  DASH,
  LESS,
  OPEN_BRACKET,
  BACKSLASH,
  CLOSE_BRACKET,
  CARET,
  BACKTICK,
  PIPE,
  asciiTable,
  isDigit,
  isLetter,
  isPunctuation,
  countSame,
  seeker,
} from "./characters.ts";
import { definitionAt, linkTargetAt } from "./destinations.ts";
import { inlineHtmlReader } from "./html.ts";
import { markdownLink, wikiLink } from "./link-forms.ts";
import type { LinkMark } from "./links.ts";
import { RUN_PARAGRAPH, RUN_ROW, type Prose } from "./prose.ts";
import type { Steps } from "./steps.ts";
import { tagEnd } from "./tags.ts";

export type Inline = { links: LinkMark[]; tags: string[]; blocks: string[] };

const SPECIAL = asciiTable("\\`<%$![]#");

const isWhite = (code: number): boolean => code <= 32 || code === 0xa0 || code === 0x3000;

/** Characters read in one step, and what a run of few counts at least. */
const STEP = 65_536;
const LEAST = 16;

/** `onTag` is called with every tag, and where its `#` stands. */
export function* readInline(
  { mask: text, runs }: Prose,
  onTag?: (tag: string, at: number) => void,
): Steps<Inline> {
  const links: LinkMark[] = [];
  const tags = new Set<string>();
  const blocks = new Set<string>();
  const htmlEnd = inlineHtmlReader(text);
  const nextComment = seeker(text, "%%");
  const nextMath = seeker(text, "$$");
  const nextNewline = seeker(text, "\n");
  /** The run that is being read. */
  let runStart = 0;
  let runEnd = 0;
  let runKind = 0;
  /** For each length of backtick run where the last one begins: a search is made only where it must succeed. */
  let lastBackticks: Map<number, number> | null = null;
  /** No formula, and no wikilink, that begins before these is closed on its line. */
  let noMathBefore = -1;
  let noWikiBefore = -1;
  /** Open brackets: twice the offset, and one more for an image's. Links do not nest: below `spent` only images may still close. */
  const open: number[] = [];
  let spent = 0;
  /** Where the last thing that is not prose ended. */
  let hidden = 0;
  let left = STEP;
  for (const block of runs)
    for (let run = 0; run < block.length; run += 3) {
      runStart = block[run]!;
      runEnd = block[run + 1]!;
      runKind = block[run + 2]!;
      lastBackticks = null;
      if (open.length > 0) open.length = 0;
      spent = 0;
      hidden = runStart;
      left -= LEAST;
      for (let at = runKind === RUN_PARAGRAPH ? readDefinitions() : runStart; at < runEnd;) {
        const stop = Math.min(runEnd, at + STEP);
        left -= stop - at;
        at = read(at, stop);
        if (left > 0) continue;
        yield;
        left = STEP;
      }
      const id = blockId(text, runStart, hidden, runEnd);
      if (id) blocks.add(id);
    }
  return { links, tags: [...tags], blocks: [...blocks] };

  /** Gives where to go on: at `stop`, or behind what reaches across it. */
  function read(from: number, stop: number): number {
    let at = from;
    while (at < stop) {
      const code = text.charCodeAt(at);
      if (code > 127 || SPECIAL[code] === 0) at++;
      else if (code === OPEN_BRACKET || code === BANG) at = openBracket(at, code === BANG);
      else if (code === CLOSE_BRACKET) at = closeBracket(at);
      else if (code === HASH) at = readTag(at);
      else at = stepOver(at, code);
    }
    return at;
  }

  /** Code, HTML, comments, formulas and escapes: to their end, or past the mark where it opens nothing. */
  function stepOver(at: number, code: number): number {
    const double = at + 1 < runEnd && text.charCodeAt(at + 1) === code;
    if (code === BACKSLASH) return (hidden = at + (isPunctuation(text.charCodeAt(at + 1)) ? 2 : 1));
    let after = -1;
    if (code === BACKTICK) after = codeEnd(at);
    else if (code === LESS) after = htmlEnd(at, runEnd);
    else if (code === DOLLAR) after = double ? within(nextMath(at + 2) + 2) : mathEnd(at);
    else if (double) after = within(nextComment(at + 2) + 2);
    if (after > 0) return (hidden = after);
    if (code === BACKTICK) return at + countSame(text, at, runEnd);
    return at + (double && code !== LESS ? 2 : 1);
  }

  function within(offset: number): number {
    return offset <= runEnd ? offset : -1;
  }

  function openBracket(at: number, embed: boolean): number {
    const bracket = embed ? at + 1 : at;
    if (bracket >= runEnd || text.charCodeAt(bracket) !== OPEN_BRACKET) return at + 1;
    const end = text.charCodeAt(bracket + 1) === OPEN_BRACKET ? wikiEnd(bracket) : -1;
    if (end < 0) {
      open.push(at * 2 + (embed ? 1 : 0));
      return bracket + 1;
    }
    const mark = wikiLink(text, at, end, "body");
    if (mark) links.push(mark);
    if (!embed) spent = open.length;
    return end;
  }

  function readTag(at: number): number {
    const before = at > runStart ? text.charCodeAt(at - 1) : SPACE;
    if (!isWhite(before) && !(runKind === RUN_ROW && before === PIPE)) return at + 1;
    const end = tagEnd(text, at, runEnd);
    if (end < 0) return at + 1;
    const tag = text.slice(at + 1, end);
    tags.add(tag);
    onTag?.(tag, at);
    return end;
  }

  function codeEnd(at: number): number {
    lastBackticks ??= backtickRuns(text, at, runEnd);
    const length = countSame(text, at, runEnd);
    const last = lastBackticks.get(length);
    if (last === undefined || last < at + length) return -1;
    for (let i = text.indexOf("`", at + length); ; i = text.indexOf("`", i)) {
      const count = countSame(text, i, runEnd);
      i += count;
      if (count === length) return i;
    }
  }

  /** The offset after `]]`. Code and HTML inside are stepped over, so that brackets in them count for nothing. */
  function wikiEnd(at: number): number {
    if (at < noWikiBefore || text.charCodeAt(at + 2) === OPEN_BRACKET) return -1;
    let i = at + 2;
    while (i < runEnd) {
      const code = text.charCodeAt(i);
      if (code === CLOSE_BRACKET && text.charCodeAt(i + 1) === CLOSE_BRACKET && i + 1 < runEnd) return i + 2;
      if (code === OPEN_BRACKET && text.charCodeAt(i + 1) === OPEN_BRACKET) return -1;
      if (code === NEWLINE) break;
      if (code === BACKTICK || code === LESS) {
        const after = code === LESS ? htmlEnd(i, runEnd) : codeEnd(i);
        if (after > nextNewline(i)) break;
        i = after > 0 ? after : i + countSame(text, i, runEnd);
      } else i += code === BACKSLASH && isEscapedInside(text.charCodeAt(i + 1)) ? 2 : 1;
    }
    noWikiBefore = i;
    return -1;
  }

  /** Obsidian's rule: no space inside the dollar signs, no digit after them, all on one line. */
  function mathEnd(at: number): number {
    if (at < noMathBefore || at + 1 >= runEnd || isWhite(text.charCodeAt(at + 1))) return -1;
    const stop = Math.min(runEnd, nextNewline(at));
    for (let i = at + 1; i < stop; i++) {
      const code = text.charCodeAt(i);
      if (code === BACKSLASH) i++;
      else if (code === DOLLAR && !isWhite(text.charCodeAt(i - 1))) {
        const after = i + 1 < stop ? text.charCodeAt(i + 1) : SPACE;
        if (!isDigit(after)) return i + 1;
      }
    }
    noMathBefore = stop;
    return -1;
  }

  function closeBracket(at: number): number {
    const opener = open.pop();
    const active = open.length >= spent;
    spent = Math.min(spent, open.length);
    if (opener === undefined || text.charCodeAt(at + 1) !== OPEN_PAREN || at + 1 >= runEnd) return at + 1;
    const image = opener % 2 === 1;
    const start = (opener - (image ? 1 : 0)) / 2;
    if (!image && !active) return at + 1;
    const target = linkTargetAt(text, at + 2, runEnd);
    if (!target) return at + 1;
    const label = onOneLine(text.slice(start + (image ? 2 : 1), at));
    const mark = markdownLink(text, target, { start, end: target.after, embed: image, label });
    if (mark) links.push(mark);
    if (!image) spent = open.length;
    return target.after;
  }

  function readDefinitions(): number {
    let at = runStart;
    if (text.charCodeAt(at) !== OPEN_BRACKET) return at;
    for (;;) {
      const found = definitionAt(text, at, runEnd);
      if (!found) return at;
      const mark = markdownLink(text, found.target, {
        start: found.start,
        end: found.end,
        embed: false,
        label: null,
      });
      if (mark) links.push(mark);
      at = found.next;
    }
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

/** A label may run over lines; it is given on one. */
const onOneLine = (written: string): string =>
  written.includes("\n")
    ? written
        .split("\n")
        .map((line) => line.trim())
        .join(" ")
    : written;

/** What is longer is no id: a hostile note is one word of eight million letters. */
const LONGEST_ID = 1000;

/** `^id` at the end of a run, alone or after white space, and behind whatever is hidden in it. */
function blockId(text: string, from: number, hidden: number, end: number): string | null {
  let stop = end;
  while (stop > hidden && isWhite(text.charCodeAt(stop - 1))) stop--;
  let start = stop;
  const least = Math.max(hidden, stop - LONGEST_ID);
  while (start > least && isIdCharacter(text.charCodeAt(start - 1))) start--;
  const mark = start - 1;
  if (start === stop || mark < hidden || text.charCodeAt(mark) !== CARET) return null;
  return mark === from || isWhite(text.charCodeAt(mark - 1)) ? text.slice(start, stop) : null;
}

/** In a wikilink brackets count even after a backslash, as in Obsidian. */
const isEscapedInside = (code: number): boolean =>
  isPunctuation(code) && code !== OPEN_BRACKET && code !== CLOSE_BRACKET;

const isIdCharacter = (code: number): boolean => isLetter(code) || isDigit(code) || code === DASH;
