/** Edits of a note's body: text put before, after, between or instead of text. The frontmatter stays. */

import { NoteError } from "./errors.ts";
import type { Heading } from "./sections.ts";
import { readFront } from "./frontmatter.ts";
import {
  dropBlankLines,
  eolOf,
  isBlank,
  lineEnd,
  lineStart,
  nextLine,
  skipBlankLines,
  withEol,
} from "./line-bounds.ts";

/** May throw a NoteError. An edit that has nothing to change gives back the same text. `headings`: those of the text, where they are known already. */
export type Edit = (text: string, headings?: () => readonly Heading[]) => string;

/**
 * `blank`: one blank line between what is there and what comes, and a last line ending where there was one.
 * `line`: a line ending and the text, whatever was there.
 */
export function append(addition: string, gap: "blank" | "line"): Edit {
  return (text) => {
    const eol = eolOf(text);
    const added = withEol(addition, eol);
    if (gap === "line") return text + eol + added;
    if (added === "") return text;
    if (isBlank(text, text.startsWith("\uFEFF") ? 1 : 0, text.length)) return text + added;
    const ended = text + gapAfter(text, eol) + added;
    return text.endsWith("\n") && !ended.endsWith("\n") ? ended + eol : ended;
  };
}

/** After the frontmatter (and the blank lines that part it from the body), a blank line before what was there. */
export function prepend(addition: string): Edit {
  return (text) => {
    const { front } = readFront(text);
    if (addition === "") return text;
    if (isBlank(text, front.bodyStart, text.length)) return append(addition, "blank")(text);
    const eol = eolOf(text);
    const at = front.yaml ? skipBlankLines(text, front.bodyStart, text.length) : front.bodyStart;
    const added = withEol(addition, eol);
    return text.slice(0, at) + added + gapAfter(added, eol) + text.slice(at);
  };
}

/** The frontmatter is kept to the byte, and so are blank lines under it, unless the new body brings its own. */
export function replaceBody(body: string): Edit {
  return (text) => {
    const { front } = readFront(text);
    const eol = eolOf(text);
    const added = withEol(body, eol);
    if (!front.yaml) return text.slice(0, front.bodyStart) + added;
    const fence = text.slice(0, front.bodyStart);
    if (!fence.endsWith("\n")) return added === "" ? text : fence + eol + added;
    const gap = text.slice(front.bodyStart, skipBlankLines(text, front.bodyStart, text.length));
    return gap.endsWith("\n") && !added.startsWith(eol) ? fence + gap + added : fence + added;
  };
}

export function replaceText(find: string, by: string, which: "first" | "all" | "only"): Edit {
  return (text) => {
    const places = findText(text, find);
    const eol = eolOf(text);
    if (places.starts.length === 0) {
      throw new NoteError(
        "text_missing",
        "The text to replace is not in the note's body; read the note and copy it exactly.",
        {
          text: find,
        },
      );
    }
    if (which === "only" && places.starts.length > 1) {
      throw new NoteError(
        "text_ambiguous",
        `The text to replace stands in the note ${places.starts.length} times; give more of what is around it.`,
        { text: find, count: places.starts.length },
      );
    }
    let result = "";
    let at = 0;
    for (const start of which === "all" ? places.starts : places.starts.slice(0, 1)) {
      result += text.slice(at, start) + withEol(by, eol);
      at = start + places.length;
    }
    return result + text.slice(at);
  };
}

/** How often a text stands in the body, not counting one that overlaps the one before. */
export function countText(text: string, find: string): number {
  return findText(text, find).starts.length;
}

/** On lines of its own, before or after the first line of the body that is the given one, white space at its ends apart. */
export function insertLine(addition: string, where: { before: string } | { after: string }): Edit {
  return (text) => {
    const pattern = "before" in where ? where.before : where.after;
    const wanted = pattern.trim();
    if (wanted === "")
      throw new NoteError("input_refused", "The line to insert at cannot be empty; give its text.");
    const eol = eolOf(text);
    for (let line = readFront(text).front.bodyStart; line < text.length; line = nextLine(text, line)) {
      if (text.slice(line, lineEnd(text, line)).trim() !== wanted) continue;
      return insertLines(text, "before" in where ? line : nextLine(text, line), addition, eol);
    }
    throw new NoteError(
      "text_missing",
      "No line of the note's body is the given one; read the note and copy a whole line.",
      {
        text: pattern,
        pattern: true,
      },
    );
  };
}

/** Whole lines put in at the beginning of a line, or at the end of a text that may lack its last line ending. */
export function insertLines(text: string, at: number, addition: string, eol: "\n" | "\r\n"): string {
  const lines = withEol(addition, eol);
  const open = at > 0 && text[at - 1] !== "\n" && at === text.length;
  if (open) return text + eol + (lines.endsWith(eol) ? lines.slice(0, -eol.length) : lines);
  return text.slice(0, at) + (lines.endsWith(eol) ? lines : lines + eol) + text.slice(at);
}

/** What a text lacks at its end so that a blank line stands before what follows. */
function gapAfter(text: string, eol: string): string {
  const lastLine = lineStart(text, text.length);
  if (!isBlank(text, lastLine, text.length)) return eol + eol;
  if (lastLine < text.length) return eol;
  return dropBlankLines(text, 0, lastLine) < lastLine ? "" : eol;
}

// The caller may have read the note through something that shows every line ending as LF, so the file's own is tried first.
function findText(text: string, find: string): { starts: number[]; length: number } {
  if (find === "")
    throw new NoteError("input_refused", "The text to find cannot be empty; give some of the note's text.");
  const { front } = readFront(text);
  for (const needle of new Set([withEol(find, eolOf(text)), find])) {
    const starts: number[] = [];
    for (
      let at = text.indexOf(needle, front.bodyStart);
      at !== -1;
      at = text.indexOf(needle, at + needle.length)
    ) {
      starts.push(at);
    }
    if (starts.length > 0) return { starts, length: needle.length };
  }
  return { starts: [], length: 0 };
}
