/** What stands in running text: links, tags and block ids, found in one walk that steps over code, math, comments, HTML and escapes. */

import {
  SPACE,
  BANG,
  HASH,
  OPEN_PAREN,
  DASH,
  OPEN_BRACKET,
  BACKSLASH,
  CLOSE_BRACKET,
  CARET,
  BACKTICK,
  LESS,
  PIPE,
  asciiTable,
  isDigit,
  isLetter,
  isPunctuation,
  isWhite,
  countSame,
} from "./characters.ts";
import { definitionAt, linkTargetAt } from "./destinations.ts";
import { RUN_PARAGRAPH, RUN_ROW } from "./leaves.ts";
import { markdownLink, wikiLink } from "./link-forms.ts";
import type { LinkMark } from "./links.ts";
import type { Prose } from "./prose.ts";
import { spanEnd, spansOf, wikiEnd, type Spans } from "./spans.ts";
import type { Steps } from "./steps.ts";
import { tagEnd } from "./tags.ts";

export type Inline = { links: LinkMark[]; tags: string[]; blocks: string[] };

const SPECIAL = asciiTable("\\`<%$![]#");

/** Characters read in one step, and what a run of few counts at least. */
const STEP = 65_536;
const LEAST = 16;

type OnTag = (tag: string, at: number) => void;

type Reading = {
  text: string;
  spans: Spans;
  onTag: OnTag | undefined;
  links: LinkMark[];
  tags: Set<string>;
  /** The run that is being read. */
  start: number;
  end: number;
  kind: number;
  /** Open brackets: twice the offset, and one more for an image's. Links do not nest: below `spent` only images may still close. */
  open: number[];
  spent: number;
  /** Where the last thing that is not prose ended. */
  hidden: number;
};

/** `onTag` is called with every tag, and where its `#` stands. */
export function* readInline({ mask: text, runs }: Prose, onTag?: OnTag): Steps<Inline> {
  const reading = readingOf(text, onTag);
  const blocks = new Set<string>();
  let left = STEP;
  for (const block of runs)
    for (let run = 0; run < block.length; run += 3) {
      const end = block[run + 1]!;
      beginRun(reading, block[run]!, end, block[run + 2]!);
      left -= LEAST;
      for (let at = readDefinitions(reading); at < end;) {
        const stop = Math.min(end, at + STEP);
        left -= stop - at;
        at = read(reading, at, stop);
        if (left > 0) continue;
        yield;
        left = STEP;
      }
      const id = blockId(reading);
      if (id) blocks.add(id);
    }
  return { links: reading.links, tags: [...reading.tags], blocks: [...blocks] };
}

const readingOf = (text: string, onTag: OnTag | undefined): Reading => ({
  text,
  spans: spansOf(text),
  onTag,
  links: [],
  tags: new Set(),
  start: 0,
  end: 0,
  kind: 0,
  open: [],
  spent: 0,
  hidden: 0,
});

function beginRun(reading: Reading, start: number, end: number, kind: number): void {
  reading.start = start;
  reading.end = end;
  reading.kind = kind;
  reading.spans.lastBackticks = null;
  if (reading.open.length > 0) reading.open.length = 0;
  reading.spent = 0;
  reading.hidden = start;
}

/** Gives where to go on: at `stop`, or behind what reaches across it. */
function read(reading: Reading, from: number, stop: number): number {
  const { text } = reading;
  let at = from;
  while (at < stop) {
    const code = text.charCodeAt(at);
    if (code > 127 || SPECIAL[code] === 0) at++;
    else if (code === OPEN_BRACKET || code === BANG) at = openBracket(reading, at, code === BANG);
    else if (code === CLOSE_BRACKET) at = closeBracket(reading, at);
    else if (code === HASH) at = readTag(reading, at);
    else at = stepOver(reading, at, code);
  }
  return at;
}

/** Code, HTML, comments, formulas and escapes: to their end, or past the mark where it opens nothing. */
function stepOver(reading: Reading, at: number, code: number): number {
  const { text, end } = reading;
  if (code === BACKSLASH) return (reading.hidden = at + (isPunctuation(text.charCodeAt(at + 1)) ? 2 : 1));
  const double = at + 1 < end && text.charCodeAt(at + 1) === code;
  const after = spanEnd(reading.spans, at, end, code, double);
  if (after > 0) return (reading.hidden = after);
  if (code === BACKTICK) return at + countSame(text, at, end);
  return at + (double && code !== LESS ? 2 : 1);
}

function openBracket(reading: Reading, at: number, embed: boolean): number {
  const { text, end, open } = reading;
  const bracket = embed ? at + 1 : at;
  if (bracket >= end || text.charCodeAt(bracket) !== OPEN_BRACKET) return at + 1;
  const after = text.charCodeAt(bracket + 1) === OPEN_BRACKET ? wikiEnd(reading.spans, bracket, end) : -1;
  if (after < 0) {
    open.push(at * 2 + (embed ? 1 : 0));
    return bracket + 1;
  }
  const mark = wikiLink(text, at, after, "body");
  if (mark) reading.links.push(mark);
  if (!embed) reading.spent = open.length;
  return after;
}

function closeBracket(reading: Reading, at: number): number {
  const { text, end, open } = reading;
  const opener = open.pop();
  const active = open.length >= reading.spent;
  reading.spent = Math.min(reading.spent, open.length);
  if (opener === undefined || text.charCodeAt(at + 1) !== OPEN_PAREN || at + 1 >= end) return at + 1;
  const image = opener % 2 === 1;
  const start = (opener - (image ? 1 : 0)) / 2;
  if (!image && !active) return at + 1;
  const target = linkTargetAt(text, at + 2, end);
  if (!target) return at + 1;
  const label = onOneLine(text.slice(start + (image ? 2 : 1), at));
  const mark = markdownLink(text, target, { start, end: target.after, embed: image, label });
  if (mark) reading.links.push(mark);
  if (!image) reading.spent = open.length;
  return target.after;
}

function readTag({ text, start, end, kind, tags, onTag }: Reading, at: number): number {
  const before = at > start ? text.charCodeAt(at - 1) : SPACE;
  if (!isWhite(before) && !(kind === RUN_ROW && before === PIPE)) return at + 1;
  const after = tagEnd(text, at, end);
  if (after < 0) return at + 1;
  const tag = text.slice(at + 1, after);
  tags.add(tag);
  onTag?.(tag, at);
  return after;
}

/** The link definitions that a paragraph opens with; gives where they end. */
function readDefinitions({ text, start, end, kind, links }: Reading): number {
  let at = start;
  if (kind !== RUN_PARAGRAPH || text.charCodeAt(at) !== OPEN_BRACKET) return at;
  for (;;) {
    const found = definitionAt(text, at, end);
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
function blockId({ text, start: from, hidden, end }: Reading): string | null {
  let stop = end;
  while (stop > hidden && isWhite(text.charCodeAt(stop - 1))) stop--;
  let start = stop;
  const least = Math.max(hidden, stop - LONGEST_ID);
  while (start > least && isIdCharacter(text.charCodeAt(start - 1))) start--;
  const mark = start - 1;
  if (start === stop || mark < hidden || text.charCodeAt(mark) !== CARET) return null;
  return mark === from || isWhite(text.charCodeAt(mark - 1)) ? text.slice(start, stop) : null;
}

const isIdCharacter = (code: number): boolean => isLetter(code) || isDigit(code) || code === DASH;
