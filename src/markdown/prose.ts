/** Prose: one pass over a note's blocks that tells headings and running text from code, HTML, comments and math, so that nothing is found in those. */

import {
  RETURN,
  HASH,
  DOLLAR,
  PERCENT,
  STAR,
  PLUS,
  DASH,
  LESS,
  EQUALS,
  GREATER,
  UNDERSCORE,
  BACKTICK,
  TILDE,
  isDigit,
} from "./characters.ts";
import {
  atxAt,
  closesFence,
  fenceAt,
  isRule,
  isTableRule,
  listMarkerAt,
  mayBegin,
  underlineAt,
} from "./block-starts.ts";
import { continues, DEPTH_LIMIT, enterItem, enterQuote, QUOTE } from "./containers.ts";
import { definitionAt } from "./destinations.ts";
import { addAtx, addSetext, headingList, type HeadingList } from "./heading-list.ts";
import { htmlBlockAt, htmlBlockEnd, type HtmlKind } from "./html.ts";
import { look, type Line } from "./lines.ts";
import { rawBlockReader, type RawMark } from "./raw-blocks.ts";
import { atOnce, type Steps } from "./steps.ts";

/** Kinds of runs. Only a paragraph may open with link definitions. */
export const RUN_PARAGRAPH = 0;
export const RUN_LINE = 1;
export const RUN_ROW = 2;

export type Prose = {
  /** The text, its length kept, but for the quote marks before a paragraph's later lines: those are blanked. */
  mask: string;
  /**
   * Stretches of running text, whose ends links, tags and code spans never reach across: start, end, kind, start, end, kind …
   * Plain numbers, because a hostile note has a million, and an object for each takes more memory than all the rest; in several lists.
   */
  runs: number[][];
  headings: HeadingList;
};

type Leaf =
  | { kind: "none" | "paragraph" | "table" | "indented" }
  | { kind: "fence"; code: number; length: number }
  | { kind: "html"; html: HtmlKind }
  /** Obsidian's `%%` and `$$` blocks. `held`: the lines so far, which are prose after all if the quote or list around them ends first. */
  | { kind: "raw"; mark: RawMark; held: number[] };

const NONE: Leaf = { kind: "none" };
const PARAGRAPH: Leaf = { kind: "paragraph" };
const TABLE: Leaf = { kind: "table" };
const INDENTED: Leaf = { kind: "indented" };

export const proseOf = (text: string, from: number, firstLine: number): Prose =>
  atOnce(readProse(text, from, firstLine));

/** Numbers in one list: one of millions would be copied again and again as it grows. */
const BLOCK = 3 * 4096;
/** Lines read in one step. */
const STEP = 4096;

export function* readProse(text: string, from: number, firstLine: number): Steps<Prose> {
  let block: number[] = [];
  const runs = [block];
  const headings = headingList(text);
  const containers: number[] = [];
  /** The container marks before a paragraph's later lines: start, end, start, end … */
  const blanks: number[] = [];
  const opensRaw = rawBlockReader(text);
  const line: Line = { text, end: 0, at: 0, column: 0, mark: 0, markColumn: 0, indent: 0, blank: false };
  let leaf: Leaf = NONE;
  let paragraph = { start: 0, end: 0, line: 0, lastLine: 0, blanks: 0 };
  /** How many of the open containers the line goes on with. */
  let matched = 0;
  /** The last container is an item with nothing on its first line: it ends if the next line is blank too. */
  let emptyItem = false;
  let number = firstLine;
  let start = from;
  let next = from;

  for (; start < text.length; start = next, number++) {
    if (number % STEP === 0) yield;
    const newline = text.indexOf("\n", start);
    next = newline < 0 ? text.length : newline + 1;
    line.end = newline < 0 ? text.length : newline;
    if (line.end > start && text.charCodeAt(line.end - 1) === RETURN) line.end--;
    // Most lines of most notes: plain text in no container.
    if (containers.length === 0 && line.end > start && !mayBegin(text.charCodeAt(start))) {
      if (leaf === PARAGRAPH) {
        continueParagraph(start);
        continue;
      }
      if (leaf === NONE) {
        beginParagraph(start);
        continue;
      }
    }
    readLine();
  }
  endLeaf();
  return { mask: blanked(text, blanks), runs, headings };

  function addRun(from: number, to: number, kind: number): void {
    if (block.length === BLOCK) runs.push((block = []));
    block.push(from, to, kind);
  }

  function readLine(): void {
    line.at = start;
    line.column = 0;
    matchContainers();
    if (matched === containers.length) {
      if (continueLeaf()) return;
    } else if (leaf !== PARAGRAPH) endLeaf();
    for (look(line); !line.blank && line.indent < 4; look(line)) {
      const code = text.charCodeAt(line.mark);
      if (!mayBegin(code)) break;
      const inParagraph = leaf === PARAGRAPH && matched === containers.length;
      if (beginLeaf(code, inParagraph)) return;
      if (!enterContainer(code, inParagraph)) break;
    }
    if (line.blank) {
      endLeaf();
      leaveContainers();
    } else if (leaf === PARAGRAPH && matched < containers.length) {
      // CommonMark's lazy continuation: text without the marks of the quote or list it goes on with.
      continueParagraph(line.mark);
    } else {
      leaveContainers();
      if (leaf === PARAGRAPH) {
        if (isTableRule(text, line.mark, line.end) && lastLineHasPipe()) beginTable();
        else continueParagraph(line.mark);
      } else if (line.indent > 3) begin(INDENTED);
      else if (leaf === TABLE) addRun(line.mark, line.end, RUN_ROW);
      else beginParagraph(line.mark);
    }
  }

  function matchContainers(): void {
    matched = 0;
    while (matched < containers.length && continues(line, containers[matched]!)) {
      matched++;
      if (!line.blank) continue;
      // A blank line goes on with every list item, and with no quote.
      const quote = containers.indexOf(QUOTE, matched);
      matched = quote >= 0 ? quote : containers.length - (emptyItem ? 1 : 0);
      break;
    }
    emptyItem = false;
  }

  function leaveContainers(): void {
    if (containers.length > matched) containers.length = matched;
  }

  function enterContainer(code: number, inParagraph: boolean): boolean {
    if (matched >= DEPTH_LIMIT) return false;
    if (code === GREATER) {
      begin(NONE);
      enterQuote(line);
      containers.push(QUOTE);
    } else {
      if (code !== DASH && code !== STAR && code !== PLUS && !isDigit(code)) return false;
      const length = listMarkerAt(text, line.mark, line.end, inParagraph);
      if (length === 0) return false;
      begin(NONE);
      containers.push(enterItem(line, length));
      emptyItem = line.at >= line.end;
    }
    matched++;
    return true;
  }

  /** Something new begins on the line: whatever it does not go on with has ended. */
  function begin(begun: Leaf): void {
    endLeaf();
    leaveContainers();
    leaf = begun;
  }

  function endLeaf(): void {
    if (leaf.kind === "paragraph") addRun(paragraph.start, paragraph.end, RUN_PARAGRAPH);
    else if (leaf.kind === "raw") {
      const { held } = leaf;
      for (let at = 0; at < held.length; at += 3) addRun(held[at]!, held[at + 1]!, held[at + 2]!);
    }
    leaf = NONE;
  }

  /** Whether the line is a block of its own, or the first of one that is not running text. */
  function beginLeaf(code: number, inParagraph: boolean): boolean {
    const { mark, end } = line;
    if (code === HASH) {
      const atx = atxAt(text, mark, end);
      if (!atx) return false;
      begin(NONE);
      const found = { level: atx.level, nested: containers.length > 0, line: number, start };
      addAtx(headings, found, atx.start, atx.end);
      addRun(atx.start, atx.end, RUN_LINE);
      return true;
    }
    if (code === BACKTICK || code === TILDE) {
      const length = fenceAt(text, mark, end);
      if (length > 0) begin({ kind: "fence", code, length });
      return length > 0;
    }
    if (code === LESS) {
      const html = htmlBlockAt(text, mark, end);
      if (!html || (html === 7 && leaf === PARAGRAPH)) return false;
      begin({ kind: "html", html });
      endHtml(html);
      return true;
    }
    if (code === PERCENT || code === DOLLAR) {
      const sign = code === PERCENT ? "%%" : "$$";
      if (!opensRaw(sign, mark, end, inParagraph ? paragraph : null)) return false;
      begin({ kind: "raw", mark: sign, held: [mark, end, RUN_LINE] });
      return true;
    }
    if (inParagraph && (code === EQUALS || code === DASH)) {
      const level = underlineAt(text, mark, end);
      if (level > 0 && underline(level)) return true;
    }
    if ((code !== DASH && code !== STAR && code !== UNDERSCORE) || !isRule(text, mark, end)) return false;
    begin(NONE);
    return true;
  }

  /** What the line does to code, HTML, comment or formula it stands in. False: there is none, or it has ended before this line. */
  function continueLeaf(): boolean {
    look(line);
    if (leaf.kind === "fence") {
      if (line.indent < 4 && closesFence(text, line.mark, line.end, leaf.code, leaf.length)) leaf = NONE;
      return true;
    }
    if (leaf.kind === "html") {
      if (leaf.html > 5 && line.blank) leaf = NONE;
      else endHtml(leaf.html);
      return true;
    }
    if (leaf.kind === "raw") {
      const { mark, held } = leaf;
      const close = text.slice(line.at, line.end).indexOf(mark);
      if (close >= 0) endRaw(line.at + close + mark.length);
      // In no container it is sure to be closed.
      else if (containers.length > 0) held.push(line.at, line.end, RUN_LINE);
      return true;
    }
    if (leaf.kind === "indented") {
      if (line.blank || line.indent > 3) return true;
      leaf = NONE;
    }
    return false;
  }

  function endHtml(kind: HtmlKind): void {
    const end = htmlBlockEnd(kind, text.slice(line.at, line.end));
    // CommonMark takes the whole line; a link after a comment on its line is still a link to whoever wrote it.
    if (end >= 0) endRaw(kind === 2 ? line.at + end : line.end);
  }

  /** Ends what is not prose at that offset; the rest of the line is prose again. */
  function endRaw(at: number): void {
    leaf = NONE;
    if (at < line.end) addRun(at, line.end, RUN_LINE);
  }

  function beginParagraph(at: number): void {
    paragraph = { start: at, end: line.end, line: number, lastLine: at, blanks: blanks.length };
    leaf = PARAGRAPH;
  }

  function continueParagraph(at: number): void {
    if (at > start && text.slice(start, at).includes(">")) blanks.push(start, at);
    paragraph.end = line.end;
    paragraph.lastLine = at;
  }

  function lastLineHasPipe(): boolean {
    return text.slice(paragraph.lastLine, paragraph.end).includes("|");
  }

  /** The line before is the header; each row is a run of its own, since nothing reaches from cell row to cell row. */
  function beginTable(): void {
    const { start: first, lastLine: header, end } = paragraph;
    if (header > first) addRun(first, header, RUN_PARAGRAPH);
    addRun(header, end, RUN_ROW);
    leaf = TABLE;
  }

  /** Makes the paragraph a setext heading, but for link definitions before it; false where it is nothing else. */
  function underline(level: number): boolean {
    const own = blanks.slice(paragraph.blanks).map((offset) => offset - paragraph.start);
    const content = blanked(text.slice(paragraph.start, paragraph.end), own);
    const skip = definitionsEnd(content);
    if (skip >= content.length) return false;
    const at = paragraph.start + skip;
    if (skip > 0) addRun(paragraph.start, at, RUN_PARAGRAPH);
    addRun(at, paragraph.end, RUN_LINE);
    const lines = content.slice(skip).split("\n");
    const found = {
      level,
      nested: containers.length > 0,
      line: paragraph.line + content.slice(0, skip).split("\n").length - 1,
      start: Math.max(from, text.lastIndexOf("\n", at - 1) + 1),
    };
    addSetext(headings, found, next, lines.map((each) => each.trim()).join(" "));
    leaf = NONE;
    return true;
  }
}

/** Where the link definitions that a paragraph opens with end. */
function definitionsEnd(content: string): number {
  for (let at = 0; ;) {
    const found = definitionAt(content, at, content.length);
    if (!found) return at;
    at = found.next;
  }
}

function blanked(text: string, spans: readonly number[]): string {
  if (spans.length === 0) return text;
  let result = "";
  let at = 0;
  for (let i = 0; i < spans.length; i += 2) {
    const [start, end] = [spans[i]!, spans[i + 1]!];
    result += text.slice(at, start) + " ".repeat(end - start);
    at = end;
  }
  return result + text.slice(at);
}
