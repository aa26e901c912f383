/** Prose: one pass over a note's blocks that tells headings and running text from code, HTML, comments and math, so that nothing is found in those. */

import { RETURN, STAR, PLUS, DASH, GREATER, isDigit } from "./characters.ts";
import { isTableRule, listMarkerAt, mayBegin } from "./block-starts.ts";
import { continues, DEPTH_LIMIT, enterItem, enterQuote, QUOTE } from "./containers.ts";
import { headingList, type HeadingList } from "./heading-list.ts";
import {
  addRun,
  begin,
  beginLeaf,
  beginParagraph,
  beginTable,
  blanked,
  continueLeaf,
  continueParagraph,
  endLeaf,
  INDENTED,
  lastLineHasPipe,
  leaveContainers,
  NONE,
  PARAGRAPH,
  RUN_ROW,
  TABLE,
  type Blocks,
} from "./leaves.ts";
import { look } from "./lines.ts";
import { rawBlockReader } from "./raw-blocks.ts";
import { atOnce, type Steps } from "./steps.ts";

export type Prose = {
  /** The text, its length kept, but for the quote marks before a paragraph's later lines: those are blanked. */
  mask: string;
  /** Stretches of running text, whose ends links, tags and code spans never reach across: start, end, kind, start, end, kind … */
  runs: number[][];
  headings: HeadingList;
};

export const proseOf = (text: string, from: number, firstLine: number): Prose =>
  atOnce(readProse(text, from, firstLine));

/** Lines read in one step. */
const STEP = 4096;

export function* readProse(text: string, from: number, firstLine: number): Steps<Prose> {
  const blocks = blocksOf(text, from);
  const { line, containers } = blocks;
  let number = firstLine;
  for (let start = from; start < text.length; start = blocks.next, number++) {
    if (number % STEP === 0) yield;
    const newline = text.indexOf("\n", start);
    blocks.start = start;
    blocks.number = number;
    blocks.next = newline < 0 ? text.length : newline + 1;
    line.end = newline < 0 ? text.length : newline;
    if (line.end > start && text.charCodeAt(line.end - 1) === RETURN) line.end--;
    // Most lines of most notes: plain text in no container.
    if (containers.length === 0 && line.end > start && !mayBegin(text.charCodeAt(start))) {
      if (blocks.leaf === PARAGRAPH) {
        continueParagraph(blocks, start);
        continue;
      }
      if (blocks.leaf === NONE) {
        beginParagraph(blocks, start);
        continue;
      }
    }
    readLine(blocks);
  }
  endLeaf(blocks);
  return { mask: blanked(text, blocks.blanks), runs: blocks.runs, headings: blocks.headings };
}

function blocksOf(text: string, from: number): Blocks {
  const block: number[] = [];
  return {
    text,
    from,
    runs: [block],
    block,
    headings: headingList(text),
    containers: [],
    matched: 0,
    emptyItem: false,
    leaf: NONE,
    paragraph: { start: 0, end: 0, line: 0, lastLine: 0, blanks: 0 },
    blanks: [],
    opensRaw: rawBlockReader(text),
    line: { text, end: 0, at: 0, column: 0, mark: 0, markColumn: 0, indent: 0, blank: false },
    number: 0,
    start: from,
    next: from,
  };
}

function readLine(blocks: Blocks): void {
  const { text, line, containers } = blocks;
  line.at = blocks.start;
  line.column = 0;
  matchContainers(blocks);
  if (blocks.matched === containers.length) {
    if (continueLeaf(blocks)) return;
  } else if (blocks.leaf !== PARAGRAPH) endLeaf(blocks);
  for (look(line); !line.blank && line.indent < 4; look(line)) {
    const code = text.charCodeAt(line.mark);
    if (!mayBegin(code)) break;
    const inParagraph = blocks.leaf === PARAGRAPH && blocks.matched === containers.length;
    if (beginLeaf(blocks, code, inParagraph)) return;
    if (!enterContainer(blocks, code, inParagraph)) break;
  }
  if (line.blank) {
    endLeaf(blocks);
    leaveContainers(blocks);
  } else if (blocks.leaf === PARAGRAPH && blocks.matched < containers.length) {
    // CommonMark's lazy continuation: text without the marks of the quote or list it goes on with.
    continueParagraph(blocks, line.mark);
  } else {
    leaveContainers(blocks);
    readText(blocks);
  }
}

/** A line, or the rest of one, that begins nothing of its own. */
function readText(blocks: Blocks): void {
  const { text, line, leaf } = blocks;
  if (leaf === PARAGRAPH) {
    if (isTableRule(text, line.mark, line.end) && lastLineHasPipe(blocks)) beginTable(blocks);
    else continueParagraph(blocks, line.mark);
  } else if (line.indent > 3) begin(blocks, INDENTED);
  else if (leaf === TABLE) addRun(blocks, line.mark, line.end, RUN_ROW);
  else beginParagraph(blocks, line.mark);
}

function matchContainers(blocks: Blocks): void {
  const { line, containers } = blocks;
  let matched = 0;
  while (matched < containers.length && continues(line, containers[matched]!)) {
    matched++;
    if (!line.blank) continue;
    // A blank line goes on with every list item, and with no quote.
    const quote = containers.indexOf(QUOTE, matched);
    matched = quote >= 0 ? quote : containers.length - (blocks.emptyItem ? 1 : 0);
    break;
  }
  blocks.matched = matched;
  blocks.emptyItem = false;
}

function enterContainer(blocks: Blocks, code: number, inParagraph: boolean): boolean {
  const { text, line, containers } = blocks;
  if (blocks.matched >= DEPTH_LIMIT) return false;
  if (code === GREATER) {
    begin(blocks, NONE);
    enterQuote(line);
    containers.push(QUOTE);
  } else {
    if (code !== DASH && code !== STAR && code !== PLUS && !isDigit(code)) return false;
    const length = listMarkerAt(text, line.mark, line.end, inParagraph);
    if (length === 0) return false;
    begin(blocks, NONE);
    containers.push(enterItem(line, length));
    blocks.emptyItem = line.at >= line.end;
  }
  blocks.matched++;
  return true;
}
