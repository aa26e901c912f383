/** Frontmatter: the YAML block a note may open with. Read whole, edited by splicing, so that lines not set keep their bytes. */

import { readPlainYaml } from "./plain-yaml.ts";
import { readYaml } from "./yaml-read.ts";

/** A YAML value as read: dates, times, `yes`, `1.10` and `1e3` stay the strings they were typed as. Maps have no prototype. */
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };
export type Fields = { [key: string]: Value };

/** Where the block stands. Offsets count UTF-16 units of the note's text (a BOM, if any, is its first unit). */
export type Front = {
  /** Offset of the first unit after the closing fence's line; 0 (or 1 after a BOM) where there is no block. */
  bodyStart: number;
  /** The line of the file, counted from 1, on which the body begins. */
  bodyLine: number;
  /** The YAML between the fences, as offsets; null where there is no block. */
  yaml: { start: number; end: number } | null;
  /** Why the block cannot be read as a map of fields; then `fields` is empty and edits of fields are refused. */
  trouble: string | null;
};

export function readFront(text: string): { front: Front; fields: Fields } {
  const front = findFront(text);
  if (!front.yaml) return { front, fields: Object.create(null) };
  const source = text.slice(front.yaml.start, front.yaml.end);
  const plain = readPlainYaml(source);
  if (plain) return { front, fields: plain };
  const read = readYaml(source);
  if ("trouble" in read) return { front: { ...front, trouble: read.trouble }, fields: Object.create(null) };
  return { front, fields: read.fields };
}

// `---` alone: a word after it (`---js`) names another language, which is never run and never read.
const OPENING = /^\uFEFF?---[ \t]*\r?\n/;
const CLOSING = /(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/y;

function findFront(text: string): Front {
  const opening = OPENING.exec(text);
  if (opening) {
    const start = opening[0].length;
    for (let line = start, number = 2; line > 0; line = text.indexOf("\n", line) + 1, number++) {
      if (text[line] !== "-" && text[line] !== ".") continue;
      CLOSING.lastIndex = line;
      const closing = CLOSING.exec(text);
      if (!closing) continue;
      return {
        bodyStart: line + closing[0].length,
        bodyLine: number + (closing[0].endsWith("\n") ? 1 : 0),
        yaml: { start, end: line },
        trouble: null,
      };
    }
  }
  return { bodyStart: text.startsWith("\uFEFF") ? 1 : 0, bodyLine: 1, yaml: null, trouble: null };
}
