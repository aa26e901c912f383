/** A cursor over one line, counted in columns: a tab reaches to the next multiple of four, and a quote or list may take only part of it. */

import { TAB, SPACE } from "./characters.ts";

export type Line = {
  text: string;
  /** Where its content ends: before CR and LF. */
  end: number;
  at: number;
  column: number;
  /** The first thing after the cursor that is not white space, and the columns up to it; set by `look`. */
  mark: number;
  markColumn: number;
  indent: number;
  blank: boolean;
};

export function look(line: Line): void {
  // Seen before, and only white space taken since: each of a hundred nested lists looks at the same long indentation.
  if (line.at < line.mark) {
    line.indent = line.markColumn - line.column;
    return;
  }
  const { text, end } = line;
  let at = line.at;
  let column = line.column;
  for (; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code === SPACE) column++;
    else if (code === TAB) column += 4 - (column & 3);
    else break;
  }
  line.mark = at;
  line.markColumn = column;
  line.indent = column - line.column;
  line.blank = at >= end;
}

/** Moves over characters that are not tabs, from the mark on. */
export function stepOver(line: Line, count: number): void {
  line.column += line.indent + count;
  line.at = line.mark + count;
}

/** Moves over that many columns of white space; of a tab that reaches further, the rest is still to come. */
export function skipColumns(line: Line, count: number): void {
  for (let left = count; left > 0 && line.at < line.end;) {
    const width = line.text.charCodeAt(line.at) === TAB ? 4 - (line.column & 3) : 1;
    if (width <= left) line.at++;
    line.column += Math.min(width, left);
    left -= width;
  }
}
