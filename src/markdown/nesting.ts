/** How deep and how manifold a line of JSON is, counted before it is parsed: what is parsed is walked by functions that call themselves, here and in libraries (decision 6). */

/** Arguments of tools are a few levels deep; fields of notes are cut at a hundred. */
export const DEPTH_LIMIT = 200;
/** A note is one value, however long; each value takes many times its two bytes once it is parsed. */
export const VALUE_LIMIT = 200_000;

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const OPENS = new Set([91, 123]);
const CLOSES = new Set([93, 125]);

/** Where a string ends that begins at `from`; the end of the line where it does not. */
const stringEnd = (line: string, from: number): number => {
  for (let at = line.indexOf('"', from + 1); at !== -1; at = line.indexOf('"', at + 1)) {
    let before = at;
    while (line.charCodeAt(before - 1) === BACKSLASH) before--;
    if ((at - before) % 2 === 0) return at;
  }
  return line.length;
};

/** What is too much about the line, in words; null where nothing is. Lines that are no JSON are for the parser to refuse. */
export const tooNested = (line: string): string | null => {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < line.length; at++) {
    const code = line.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(line, at);
    else if (code === COMMA) values++;
    else if (OPENS.has(code)) [depth, values] = [depth + 1, values + 1];
    else if (CLOSES.has(code)) depth--;
    if (depth > DEPTH_LIMIT) return `it is nested more than ${DEPTH_LIMIT} levels deep`;
    if (values > VALUE_LIMIT) return `it holds more than ${VALUE_LIMIT} values`;
  }
  return null;
};
