/** Where lines begin and end: the ending a text uses, the bounds of one line, and blank lines passed over. */

/** The ending of the first line; a text of one line gets LF. */
export function eolOf(text: string): "\n" | "\r\n" {
  const first = text.indexOf("\n");
  return first > 0 && text[first - 1] === "\r" ? "\r\n" : "\n";
}

/** Gives the lines another ending; a carriage return on its own is left. */
export function withEol(text: string, eol: "\n" | "\r\n"): string {
  return text.replace(/\r?\n/g, eol);
}

export function lineStart(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** Offset of the line's own ending (of its `\r`, where it has one), or the end of the text. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  if (end === -1) return text.length;
  return end > offset && text[end - 1] === "\r" ? end - 1 : end;
}

/** Offset just after the line's ending, or the end of the text. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end + 1;
}

/** `start` moved forward over blank lines, not past `end`. `start` is the beginning of a line. */
export function skipBlankLines(text: string, start: number, end: number): number {
  let at = start;
  while (at < end) {
    const next = Math.min(nextLine(text, at), end);
    if (!isBlank(text, at, next)) break;
    at = next;
  }
  return at;
}

/** `end` moved back over blank lines, not before `start`. `end` is the beginning of a line, or the end of the text. */
export function dropBlankLines(text: string, start: number, end: number): number {
  let at = end;
  while (at > start) {
    const line = Math.max(lineStart(text, at - 1), start);
    if (!isBlank(text, line, at)) break;
    at = line;
  }
  return at;
}

/** Holds nothing but spaces, tabs and line endings. */
export function isBlank(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit !== 32 && unit !== 9 && unit !== 10 && unit !== 13) return false;
  }
  return true;
}
