/** Edits of one section: its text replaced, added to or taken out, with the blank lines around it kept. */

import { insertLines, type Edit } from "./edits.ts";
import { NoteError } from "./errors.ts";
import { readFront } from "./frontmatter.ts";
import { dropBlankLines, eolOf, lineEnd, lineStart, skipBlankLines, withEol } from "./line-bounds.ts";
import { headingsOf, sectionOf, type Heading, type SectionName } from "./sections.ts";

/** What the heading rules, as it stands in the text. */
export function sectionText(text: string, name: SectionName, headings?: readonly Heading[]): string {
  const { contentStart, end } = findSection(text, name, headings);
  return text.slice(contentStart, end);
}

/** The heading, and what it rules. */
export function wholeSection(text: string, name: SectionName): string {
  const { start, end } = findSection(text, name);
  return text.slice(start, end);
}

/** The heading stays, and so do the blank lines after it and before the next one. */
export function replaceSection(name: SectionName, content: string): Edit {
  return (text, headings) => {
    const { start, contentStart, end, guard } = findSection(text, name, headings?.());
    const eol = eolOf(text);
    const added = withEol(content, eol);
    const oldStart = skipBlankLines(text, contentStart, end);
    const gap = text.slice(contentStart, oldStart);
    if (oldStart === end) {
      if (added === "") return text;
      const after = gap === "" ? guard : end === text.length ? "" : gap;
      return insertLines(text, end, ended(added, eol) + after, eol);
    }
    const oldEnd = dropBlankLines(text, oldStart, end);
    const tail = text.slice(oldEnd);
    if (added === "") return atFileEnd(text, text.slice(0, contentStart) + tail, start);
    const lines = text[oldEnd - 1] === "\n" ? ended(added, eol) : unended(added, eol);
    const kept = added.startsWith(eol) ? contentStart : oldStart;
    return text.slice(0, kept) + lines + (oldEnd === end ? guard : "") + tail;
  };
}

/**
 * At the section's end, before the blank lines that part it from the next heading. `line`: right under the last line.
 * `block`: as Markdown needs it to stand for itself, under a blank line, unless it goes on with a list, table or quote.
 */
export function appendToSection(name: SectionName, addition: string, gap: "line" | "block"): Edit {
  return (text, headings) => {
    if (addition === "") return text;
    const { contentStart, end, guard } = findSection(text, name, headings?.());
    const eol = eolOf(text);
    const at = dropBlankLines(text, contentStart, end);
    const added = withEol(addition, eol);
    const before = at > contentStart ? lastLine(text.slice(contentStart, at)) : "";
    const apart = gap === "block" ? !goesOn(before, firstLine(added)) : UNDERLINE.test(firstLine(added));
    const blank = before !== "" && apart ? eol : "";
    return insertLines(text, at, blank + ended(added, eol) + (at === end ? guard : ""), eol);
  };
}

/** Under the heading, and above a blank line, unless what follows goes on with its list, table or quote. */
export function prependToSection(name: SectionName, addition: string): Edit {
  return (text, headings) => {
    if (addition === "") return text;
    const { contentStart, end } = findSection(text, name, headings?.());
    const at = skipBlankLines(text, contentStart, end);
    if (at === end) return appendToSection(name, addition, "block")(text, headings);
    const eol = eolOf(text);
    const added = ended(withEol(addition, eol), eol);
    const blank = added.endsWith(eol + eol) || goesOn(lastLine(added), firstLine(text.slice(at))) ? "" : eol;
    return text.slice(0, at) + added + blank + text.slice(at);
  };
}

/** With its heading. The last one of a file takes the blank lines above it along. */
export function deleteSection(name: SectionName): Edit {
  return (text, headings) => {
    const { start, end, guard, bodyStart } = findSection(text, name, headings?.());
    if (end === text.length) {
      const keep = dropBlankLines(text, bodyStart, start);
      return atFileEnd(text, text.slice(0, keep), bodyStart);
    }
    const apart = dropBlankLines(text, bodyStart, start) < start || start === bodyStart;
    return text.slice(0, start) + (apart ? "" : guard) + text.slice(end);
  };
}

const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/;
const LIST = /^\s*(?:[-*+]|\d{1,9}[.)])\s|^(?: {2,}|\t)\S/;

function goesOn(before: string, after: string): boolean {
  if (UNDERLINE.test(after)) return false;
  return [LIST, /^\s*\|/, /^\s*>/].some((kind) => kind.test(before) && kind.test(after));
}

function findSection(text: string, name: SectionName, headings: readonly Heading[] = headingsOf(text)) {
  const section = sectionOf(text, headings, name);
  if (!section) {
    const there = headings.filter((heading) => !heading.nested).map((heading) => heading.text);
    throw new NoteError("section_missing", "The note has no such section; name one of its headings.", {
      section: name.text,
      headings: there.slice(0, 20),
    });
  }
  // Text right above an underlined heading would become part of it; a blank line guards against that.
  const next = headings.find((heading) => heading.start === section.end && !heading.nested);
  const guard = next?.kind === "setext" ? eolOf(text) : "";
  return {
    start: section.start,
    contentStart: section.contentStart,
    end: section.end,
    guard,
    bodyStart: readFront(text).front.bodyStart,
  };
}

function ended(text: string, eol: string): string {
  return text.endsWith(eol) ? text : text + eol;
}

function unended(text: string, eol: string): string {
  return text.endsWith(eol) ? text.slice(0, -eol.length) : text;
}

/** A file that lacked its last line ending goes on lacking it; nothing before `least` is touched. */
function atFileEnd(before: string, after: string, least: number): string {
  const eol = eolOf(before);
  return before.endsWith("\n") || after.length <= least ? after : unended(after, eol);
}

function firstLine(text: string): string {
  return text.slice(0, lineEnd(text, 0));
}

function lastLine(text: string): string {
  const start = lineStart(text, text.endsWith("\n") ? text.length - 1 : text.length);
  return text.slice(start, lineEnd(text, start));
}
