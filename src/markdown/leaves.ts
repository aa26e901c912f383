/** Leaves: what a line of a note begins, goes on with or ends inside its quotes and lists, and the runs and headings that come of it. */

import {
  HASH,
  DOLLAR,
  PERCENT,
  STAR,
  DASH,
  LESS,
  EQUALS,
  UNDERSCORE,
  BACKTICK,
  TILDE,
} from "./characters.ts";
import { atxAt, closesFence, fenceAt, isRule, underlineAt } from "./block-starts.ts";
import { definitionAt } from "./destinations.ts";
import { addAtx, addSetext, type HeadingList } from "./heading-list.ts";
import { htmlBlockAt, htmlBlockEnd, type HtmlKind } from "./html.ts";
import { look, type Line } from "./lines.ts";
import type { rawBlockReader, RawMark } from "./raw-blocks.ts";

/** Kinds of runs. Only a paragraph may open with link definitions. */
export const RUN_PARAGRAPH = 0;
const RUN_LINE = 1;
export const RUN_ROW = 2;

type Leaf =
  | { kind: "none" | "paragraph" | "table" | "indented" }
  | { kind: "fence"; code: number; length: number }
  | { kind: "html"; html: HtmlKind }
  /** Obsidian's `%%` and `$$` blocks. `held`: the lines so far, which are prose after all if the quote or list around them ends first. */
  | { kind: "raw"; mark: RawMark; held: number[] };

export const NONE: Leaf = { kind: "none" };
export const PARAGRAPH: Leaf = { kind: "paragraph" };
export const TABLE: Leaf = { kind: "table" };
export const INDENTED: Leaf = { kind: "indented" };

/** A note's blocks, as far as they are read. */
export type Blocks = {
  text: string;
  /** Where the body begins. */
  from: number;
  /**
   * Start, end and kind of each run. Plain numbers, because a hostile note has a million, and an object for each takes more
   * memory than all the rest; in several lists, of which `block` is the last.
   */
  runs: number[][];
  block: number[];
  headings: HeadingList;
  containers: number[];
  /** How many of the open containers the line goes on with. */
  matched: number;
  /** The last container is an item with nothing on its first line: it ends if the next line is blank too. */
  emptyItem: boolean;
  leaf: Leaf;
  paragraph: { start: number; end: number; line: number; lastLine: number; blanks: number };
  /** The container marks before a paragraph's later lines: start, end, start, end … */
  blanks: number[];
  opensRaw: ReturnType<typeof rawBlockReader>;
  /** The line that is being read, its number, where it starts, and where the next one does. */
  line: Line;
  number: number;
  start: number;
  next: number;
};

/** Numbers in one list: one of millions would be copied again and again as it grows. */
const BLOCK = 3 * 4096;

export function addRun(blocks: Blocks, from: number, to: number, kind: number): void {
  if (blocks.block.length === BLOCK) blocks.runs.push((blocks.block = []));
  blocks.block.push(from, to, kind);
}

export function leaveContainers({ containers, matched }: Blocks): void {
  if (containers.length > matched) containers.length = matched;
}

/** Something new begins on the line: whatever it does not go on with has ended. */
export function begin(blocks: Blocks, begun: Leaf): void {
  endLeaf(blocks);
  leaveContainers(blocks);
  blocks.leaf = begun;
}

export function endLeaf(blocks: Blocks): void {
  const { leaf, paragraph } = blocks;
  if (leaf.kind === "paragraph") addRun(blocks, paragraph.start, paragraph.end, RUN_PARAGRAPH);
  else if (leaf.kind === "raw") {
    const { held } = leaf;
    for (let at = 0; at < held.length; at += 3) addRun(blocks, held[at]!, held[at + 1]!, held[at + 2]!);
  }
  blocks.leaf = NONE;
}

/** Whether the line is a block of its own, or the first of one that is not running text. */
export function beginLeaf(blocks: Blocks, code: number, inParagraph: boolean): boolean {
  const { text, line } = blocks;
  const { mark, end } = line;
  if (code === HASH) return readAtx(blocks);
  if (code === BACKTICK || code === TILDE) {
    const length = fenceAt(text, mark, end);
    if (length > 0) begin(blocks, { kind: "fence", code, length });
    return length > 0;
  }
  if (code === LESS) {
    const html = htmlBlockAt(text, mark, end);
    if (!html || (html === 7 && blocks.leaf === PARAGRAPH)) return false;
    begin(blocks, { kind: "html", html });
    endHtml(blocks, html);
    return true;
  }
  if (code === PERCENT || code === DOLLAR) {
    const sign = code === PERCENT ? "%%" : "$$";
    if (!blocks.opensRaw(sign, mark, end, inParagraph ? blocks.paragraph : null)) return false;
    begin(blocks, { kind: "raw", mark: sign, held: [mark, end, RUN_LINE] });
    return true;
  }
  if (inParagraph && (code === EQUALS || code === DASH)) {
    const level = underlineAt(text, mark, end);
    if (level > 0 && underline(blocks, level)) return true;
  }
  if ((code !== DASH && code !== STAR && code !== UNDERSCORE) || !isRule(text, mark, end)) return false;
  begin(blocks, NONE);
  return true;
}

function readAtx(blocks: Blocks): boolean {
  const { text, line, containers, number, start } = blocks;
  const atx = atxAt(text, line.mark, line.end);
  if (!atx) return false;
  begin(blocks, NONE);
  const found = { level: atx.level, nested: containers.length > 0, line: number, start };
  addAtx(blocks.headings, found, atx.start, atx.end);
  addRun(blocks, atx.start, atx.end, RUN_LINE);
  return true;
}

/** What the line does to code, HTML, comment or formula it stands in. False: there is none, or it has ended before this line. */
export function continueLeaf(blocks: Blocks): boolean {
  const { text, line, leaf } = blocks;
  look(line);
  if (leaf.kind === "fence") {
    if (line.indent < 4 && closesFence(text, line.mark, line.end, leaf.code, leaf.length)) blocks.leaf = NONE;
    return true;
  }
  if (leaf.kind === "html") {
    if (leaf.html > 5 && line.blank) blocks.leaf = NONE;
    else endHtml(blocks, leaf.html);
    return true;
  }
  if (leaf.kind === "raw") {
    const { mark, held } = leaf;
    const close = text.slice(line.at, line.end).indexOf(mark);
    if (close >= 0) endRaw(blocks, line.at + close + mark.length);
    // In no container it is sure to be closed.
    else if (blocks.containers.length > 0) held.push(line.at, line.end, RUN_LINE);
    return true;
  }
  if (leaf.kind === "indented") {
    if (line.blank || line.indent > 3) return true;
    blocks.leaf = NONE;
  }
  return false;
}

function endHtml(blocks: Blocks, kind: HtmlKind): void {
  const { text, line } = blocks;
  const end = htmlBlockEnd(kind, text.slice(line.at, line.end));
  // CommonMark takes the whole line; a link after a comment on its line is still a link to whoever wrote it.
  if (end >= 0) endRaw(blocks, kind === 2 ? line.at + end : line.end);
}

/** Ends what is not prose at that offset; the rest of the line is prose again. */
function endRaw(blocks: Blocks, at: number): void {
  blocks.leaf = NONE;
  if (at < blocks.line.end) addRun(blocks, at, blocks.line.end, RUN_LINE);
}

export function beginParagraph(blocks: Blocks, at: number): void {
  const { line, number, blanks } = blocks;
  blocks.paragraph = { start: at, end: line.end, line: number, lastLine: at, blanks: blanks.length };
  blocks.leaf = PARAGRAPH;
}

export function continueParagraph({ text, line, start, blanks, paragraph }: Blocks, at: number): void {
  if (at > start && text.slice(start, at).includes(">")) blanks.push(start, at);
  paragraph.end = line.end;
  paragraph.lastLine = at;
}

export const lastLineHasPipe = ({ text, paragraph }: Blocks): boolean =>
  text.slice(paragraph.lastLine, paragraph.end).includes("|");

/** The line before is the header; each row is a run of its own, since nothing reaches from cell row to cell row. */
export function beginTable(blocks: Blocks): void {
  const { start: first, lastLine: header, end } = blocks.paragraph;
  if (header > first) addRun(blocks, first, header, RUN_PARAGRAPH);
  addRun(blocks, header, end, RUN_ROW);
  blocks.leaf = TABLE;
}

/** Makes the paragraph a setext heading, but for link definitions before it; false where it is nothing else. */
function underline(blocks: Blocks, level: number): boolean {
  const { text, paragraph } = blocks;
  const own = blocks.blanks.slice(paragraph.blanks).map((offset) => offset - paragraph.start);
  const content = blanked(text.slice(paragraph.start, paragraph.end), own);
  const skip = definitionsEnd(content);
  if (skip >= content.length) return false;
  const at = paragraph.start + skip;
  if (skip > 0) addRun(blocks, paragraph.start, at, RUN_PARAGRAPH);
  addRun(blocks, at, paragraph.end, RUN_LINE);
  const lines = content.slice(skip).split("\n");
  const found = {
    level,
    nested: blocks.containers.length > 0,
    line: paragraph.line + content.slice(0, skip).split("\n").length - 1,
    start: Math.max(blocks.from, text.lastIndexOf("\n", at - 1) + 1),
  };
  addSetext(blocks.headings, found, blocks.next, lines.map((each) => each.trim()).join(" "));
  blocks.leaf = NONE;
  return true;
}

/** Where the link definitions that a paragraph opens with end. */
function definitionsEnd(content: string): number {
  for (let at = 0; ;) {
    const found = definitionAt(content, at, content.length);
    if (!found) return at;
    at = found.next;
  }
}

/** The text with spaces in place of these spans: start, end, start, end … */
export function blanked(text: string, spans: readonly number[]): string {
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
