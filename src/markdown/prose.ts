/** Prose: one pass over a note's blocks that tells headings and running text from code, HTML, comments and math, so that nothing is found in those. */

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
import { htmlBlockAt, htmlBlockEnd, seeker, type HtmlKind } from "./html.ts";
import { look, type Line } from "./lines.ts";
import type { Heading } from "./sections.ts";

/** A stretch of running text; links, tags and code spans never reach across its ends. Only a paragraph may open with link definitions. */
export type Run = { start: number; end: number; kind: "paragraph" | "line" | "row" };

export type Prose = {
  /** The text, its length kept, but for the quote marks before a paragraph's later lines: those are blanked. */
  mask: string;
  runs: Run[];
  headings: Heading[];
};

type Leaf =
  | { kind: "none" | "paragraph" | "table" | "indented" }
  | { kind: "fence"; code: number; length: number }
  | { kind: "html"; html: HtmlKind }
  /** Obsidian's `%%` and `$$` blocks. `held`: the lines so far, which are prose after all if the quote or list around them ends first. */
  | { kind: "raw"; mark: string; held: Run[] };

const NONE: Leaf = { kind: "none" };
const PARAGRAPH: Leaf = { kind: "paragraph" };
const TABLE: Leaf = { kind: "table" };
const INDENTED: Leaf = { kind: "indented" };

export function proseOf(text: string, from: number, firstLine: number): Prose {
  const runs: Run[] = [];
  const headings: Heading[] = [];
  const containers: number[] = [];
  const blanks: number[] = [];
  const nextMark = { "%%": seeker(text, "%%"), $$: seeker(text, "$$") };
  const tallies = { "%%": { paragraph: -1, at: 0, count: 0 }, $$: { paragraph: -1, at: 0, count: 0 } };
  const line: Line = { text, end: 0, at: 0, column: 0, mark: 0, indent: 0, blank: false };
  let leaf: Leaf = NONE;
  /** An item that began with nothing on its line: it ends if the next line is blank too. */
  let emptyItem = false;
  let paragraph = { start: 0, end: 0, line: 0, lastLine: 0, blanks: 0 };
  let number = firstLine;
  let next = from;

  const endLeaf = () => {
    if (leaf.kind === "paragraph")
      runs.push({ start: paragraph.start, end: paragraph.end, kind: "paragraph" });
    else if (leaf.kind === "raw") for (const held of leaf.held) runs.push(held);
    leaf = NONE;
  };
  const beginParagraph = (start: number, lineStart: number) => {
    paragraph = { start, end: line.end, line: number, lastLine: lineStart, blanks: blanks.length };
    leaf = PARAGRAPH;
  };
  const continueParagraph = (lineStart: number, start: number) => {
    if (containers.length > 0 && text.slice(lineStart, start).includes(">")) blanks.push(lineStart, start);
    paragraph.end = line.end;
    paragraph.lastLine = lineStart;
  };
  const paragraphText = () => {
    const own = blanks.slice(paragraph.blanks).map((offset) => offset - paragraph.start);
    return blanked(text.slice(paragraph.start, paragraph.end), own);
  };

  /** A setext heading, unless its paragraph is nothing but link definitions. */
  const underlined = (level: number): boolean => {
    const content = paragraphText();
    let skip = 0;
    for (
      let found = definitionAt(content, 0, content.length);
      found;
      found = definitionAt(content, skip, content.length)
    )
      skip = found.next;
    if (skip >= content.length) return false;
    const start = paragraph.start + skip;
    if (skip > 0) runs.push({ start: paragraph.start, end: start, kind: "paragraph" });
    runs.push({ start, end: paragraph.end, kind: "line" });
    const lines = content.slice(skip).split("\n");
    headings.push({
      level,
      text: lines.map((each) => each.trim()).join(" "),
      kind: "setext",
      nested: containers.length > 0,
      line: paragraph.line + content.slice(0, skip).split("\n").length - 1,
      start: Math.max(from, text.lastIndexOf("\n", start - 1) + 1),
      end: next,
    });
    leaf = NONE;
    return true;
  };

  /** What the line does to code, HTML, comment or math it stands in. False: that has ended, and the line is to be read on. */
  const continueLeaf = (): boolean => {
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
      const close = text.slice(line.at, line.end).indexOf(leaf.mark);
      if (close < 0) {
        if (containers.length > 0) leaf.held.push({ start: line.at, end: line.end, kind: "line" });
        return true;
      }
      const mark = leaf.mark;
      leaf = NONE;
      addRest(line.at + close + mark.length);
      return true;
    }
    if (leaf.kind !== "indented") return false;
    if (line.blank || line.indent > 3) return true;
    leaf = NONE;
    return false;
  };
  const endHtml = (kind: HtmlKind) => {
    const end = htmlBlockEnd(kind, text.slice(line.at, line.end));
    if (end < 0) return;
    leaf = NONE;
    // CommonMark takes the whole line; a link after a comment on its line is still a link to whoever wrote it.
    if (kind === 2) addRest(line.at + end);
  };
  const addRest = (start: number) => {
    if (start < line.end) runs.push({ start, end: line.end, kind: "line" });
  };

  /** `%%` or `$$` opens a block where a line begins with it and it is closed on a later line. */
  const opensRaw = (mark: "%%" | "$$", inParagraph: boolean): boolean => {
    if (!text.startsWith(mark, line.mark)) return false;
    if (nextMark[mark](line.mark + 2) === Infinity) return false;
    if (text.slice(line.mark + 2, line.end).includes(mark)) return false;
    return !inParagraph || !leavesOpen(mark);
  };
  /** Whether one is open in the paragraph's lines so far, so that the next is its end. Counted on from the last time, or many would cost too much. */
  const leavesOpen = (mark: "%%" | "$$"): boolean => {
    const tally = tallies[mark];
    if (tally.paragraph !== paragraph.start)
      Object.assign(tally, { paragraph: paragraph.start, at: paragraph.start, count: 0 });
    for (
      let found = text.indexOf(mark, tally.at);
      found < paragraph.end;
      found = text.indexOf(mark, tally.at)
    ) {
      tally.count++;
      tally.at = found + 2;
    }
    return tally.count % 2 === 1;
  };

  for (let start = from; start < text.length; start = next, number++) {
    const newline = text.indexOf("\n", start);
    next = newline < 0 ? text.length : newline + 1;
    line.end = newline < 0 ? text.length : newline;
    if (line.end > start && text.charCodeAt(line.end - 1) === 13) line.end--;

    // Most lines of most notes: plain text in no container.
    if (containers.length === 0 && line.end > start && !mayBegin(text.charCodeAt(start))) {
      if (leaf === PARAGRAPH) {
        paragraph.end = line.end;
        paragraph.lastLine = start;
        continue;
      }
      if (leaf === NONE) {
        beginParagraph(start, start);
        continue;
      }
    }

    line.at = start;
    line.column = 0;
    let matched = 0;
    while (matched < containers.length && continues(line, containers[matched]!)) {
      if (emptyItem && line.blank && matched === containers.length - 1) break;
      matched++;
    }
    emptyItem = false;
    if (matched === containers.length) {
      if (continueLeaf()) continue;
    } else if (leaf !== PARAGRAPH) endLeaf();

    /** Ends what the line does not go on with, because something new begins on it. */
    const begin = (begun: Leaf) => {
      endLeaf();
      containers.length = matched;
      leaf = begun;
    };
    let done = false;
    while (!done) {
      look(line);
      const inParagraph = leaf === PARAGRAPH && matched === containers.length;
      if (line.blank) break;
      if (line.indent > 3) {
        if (leaf === PARAGRAPH) break;
        begin(INDENTED);
        done = true;
        break;
      }
      const { mark, end } = line;
      const code = text.charCodeAt(mark);
      if (!mayBegin(code)) break;
      if (code === 62) {
        if (matched >= DEPTH_LIMIT) break;
        begin(NONE);
        enterQuote(line);
        containers.push(QUOTE);
        matched++;
        continue;
      }
      if (code === 35) {
        const atx = atxAt(text, mark, end);
        if (!atx) break;
        begin(NONE);
        const nested = containers.length > 0;
        headings.push({
          level: atx.level,
          text: text.slice(atx.start, atx.end),
          kind: "atx",
          nested,
          line: number,
          start,
          end: next,
        });
        runs.push({ start: atx.start, end: atx.end, kind: "line" });
        done = true;
      } else if (code === 96 || code === 126) {
        const length = fenceAt(text, mark, end);
        if (length === 0) break;
        begin({ kind: "fence", code, length });
        done = true;
      } else if (code === 60) {
        const html = htmlBlockAt(text, mark, end);
        if (!html || (html === 7 && leaf === PARAGRAPH)) break;
        begin({ kind: "html", html });
        endHtml(html);
        done = true;
      } else if (code === 37 || code === 36) {
        const sign = code === 37 ? "%%" : "$$";
        if (!opensRaw(sign, inParagraph)) break;
        begin({ kind: "raw", mark: sign, held: [{ start: mark, end, kind: "line" }] });
        done = true;
      } else {
        const level = inParagraph && (code === 61 || code === 45) ? underlineAt(text, mark, end) : 0;
        if (level > 0 && underlined(level)) done = true;
        else if ((code === 45 || code === 42 || code === 95) && isRule(text, mark, end)) {
          begin(NONE);
          done = true;
        } else if (code === 45 || code === 42 || code === 43 || (code >= 48 && code <= 57)) {
          const length = matched < DEPTH_LIMIT ? listMarkerAt(text, mark, end, inParagraph) : 0;
          if (length === 0) break;
          begin(NONE);
          containers.push(enterItem(line, length));
          matched++;
          emptyItem = line.at >= line.end;
        } else break;
      }
    }
    if (done) continue;

    if (line.blank) {
      if (leaf !== NONE) endLeaf();
      containers.length = matched;
    } else if (leaf === PARAGRAPH && matched < containers.length) {
      continueParagraph(start, line.mark);
    } else {
      containers.length = matched;
      if (leaf === TABLE) runs.push({ start: line.mark, end: line.end, kind: "row" });
      else if (leaf !== PARAGRAPH) beginParagraph(line.mark, start);
      else if (
        isTableRule(text, line.mark, line.end) &&
        text.slice(paragraph.lastLine, paragraph.end).includes("|")
      )
        beginTable();
      else continueParagraph(start, line.mark);
    }
  }
  endLeaf();
  return { mask: blanked(text, blanks), runs, headings };

  function beginTable(): void {
    const header = Math.max(paragraph.start, paragraph.lastLine);
    if (header > paragraph.start) runs.push({ start: paragraph.start, end: header, kind: "paragraph" });
    runs.push({ start: header, end: paragraph.end, kind: "row" });
    leaf = TABLE;
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
