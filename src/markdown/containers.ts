/** Quotes and list items: how a line goes on with one that is open, and how it enters a new one. */

import { GREATER, isSpace } from "./characters.ts";
import { look, skipColumns, stepOver, type Line } from "./lines.ts";

/** A container is a quote, or a list item with the columns its lines are indented by. */
export const QUOTE = 0;
/** Deeper quotes and lists are read as text: what keeps a hostile note cheap. */
export const DEPTH_LIMIT = 100;

/** Whether the line goes on with a container; if so the cursor is behind what marks it. */
export function continues(line: Line, container: number): boolean {
  look(line);
  if (container === QUOTE) {
    if (line.indent > 3 || line.blank || line.text.charCodeAt(line.mark) !== GREATER) return false;
    enterQuote(line);
    return true;
  }
  if (line.blank) {
    stepOver(line, 0);
    return true;
  }
  if (line.indent < container) return false;
  skipColumns(line, container);
  return true;
}

export function enterQuote(line: Line): void {
  stepOver(line, 1);
  if (line.at < line.end && isSpace(line.text.charCodeAt(line.at))) skipColumns(line, 1);
}

/** Gives the columns that the item's further lines are indented by. */
export function enterItem(line: Line, markerLength: number): number {
  const { indent } = line;
  stepOver(line, markerLength);
  look(line);
  const space = line.blank || line.indent > 4 ? 1 : line.indent;
  if (line.blank) stepOver(line, 0);
  else skipColumns(line, space);
  return indent + markerLength + space;
}
