/** What stands in running text: links, tags and block ids, found in one walk that steps over code, math, comments, HTML and escapes. */

import { countSame } from "./block-starts.ts";
import { definitionAt, isPunctuation, linkTargetAt } from "./destinations.ts";
import { inlineHtmlReader, seeker } from "./html.ts";
import { markdownLink, wikiLink } from "./link-forms.ts";
import type { LinkMark } from "./links.ts";
import type { Prose, Run } from "./prose.ts";
import { tagEnd } from "./tags.ts";

export type Inline = { links: LinkMark[]; tags: string[]; blocks: string[] };

const NEWLINE = 10;
const SPECIAL = new Uint8Array(128);
for (const character of "\\`<%$![]#") SPECIAL[character.charCodeAt(0)] = 1;

const isWhite = (code: number): boolean => code <= 32 || code === 0xa0 || code === 0x3000;

export function inlineOf({ mask: text, runs }: Prose): Inline {
  const links: LinkMark[] = [];
  const tags = new Set<string>();
  const blocks = new Set<string>();
  const htmlEnd = inlineHtmlReader(text);
  const nextComment = seeker(text, "%%");
  const nextMath = seeker(text, "$$");
  const nextNewline = seeker(text, "\n");
  for (const run of runs) read(run);
  return { links, tags: [...tags], blocks: [...blocks] };

  function read(run: Run): void {
    const { end } = run;
    /** For each length of backtick run where the last one begins: a search is made only where it must succeed. */
    let lastBackticks: Map<number, number> | null = null;
    /** No formula, and no wikilink, that begins before these is closed on its line. */
    let noMathBefore = -1;
    let noWikiBefore = -1;
    /** Open brackets. Links do not nest: of those below `spent` only an image's may still close. */
    const open: { at: number; image: boolean }[] = [];
    let spent = 0;
    /** Where the last thing that is not prose ended. */
    let hidden = run.start;

    const codeEnd = (at: number): number => {
      lastBackticks ??= backtickRuns(text, at, end);
      const length = countSame(text, at, end);
      const last = lastBackticks.get(length);
      if (last === undefined || last < at + length) return -1;
      for (let i = text.indexOf("`", at + length); ; i = text.indexOf("`", i)) {
        const count = countSame(text, i, end);
        i += count;
        if (count === length) return i;
      }
    };

    /** The offset after `]]`. Code inside is stepped over, so that brackets in it count for nothing. */
    const wikiEnd = (at: number): number => {
      if (at < noWikiBefore || text.charCodeAt(at + 2) === 91) return -1;
      let i = at + 2;
      while (i < end) {
        const code = text.charCodeAt(i);
        if (code === 93 && text.charCodeAt(i + 1) === 93 && i + 1 < end) return i + 2;
        if (code === 91 && text.charCodeAt(i + 1) === 91) return -1;
        if (code === NEWLINE) break;
        if (code === 96) {
          const after = codeEnd(i);
          if (after > nextNewline(i)) break;
          i = after > 0 ? after : i + countSame(text, i, end);
        } else i++;
      }
      noWikiBefore = i;
      return -1;
    };

    /** Obsidian's rule: no space inside the dollar signs, no digit after them, all on one line. */
    const mathEnd = (at: number): number => {
      if (at < noMathBefore || at + 1 >= end || isWhite(text.charCodeAt(at + 1))) return -1;
      const stop = Math.min(end, nextNewline(at));
      for (let i = at + 1; i < stop; i++) {
        const code = text.charCodeAt(i);
        if (code === 92) i++;
        else if (code === 36 && !isWhite(text.charCodeAt(i - 1))) {
          const after = i + 1 < stop ? text.charCodeAt(i + 1) : 32;
          if (after < 48 || after > 57) return i + 1;
        }
      }
      noMathBefore = stop;
      return -1;
    };

    const closeBracket = (at: number): number => {
      const opener = open.pop();
      const active = open.length >= spent;
      spent = Math.min(spent, open.length);
      if (opener === undefined || text.charCodeAt(at + 1) !== 40 || at + 1 >= end) return at + 1;
      const { at: start, image } = opener;
      if (!image && !active) return at + 1;
      const target = linkTargetAt(text, at + 2, end);
      if (!target) return at + 1;
      const mark = markdownLink(text, target, { start, end: target.after, embed: image });
      if (mark) links.push({ ...mark, label: label(text.slice(start + (image ? 2 : 1), at)) });
      if (!image) spent = open.length;
      return target.after;
    };

    let at = run.start;
    if (run.kind === "paragraph" && text.charCodeAt(at) === 91) at = readDefinitions(at, end);
    while (at < end) {
      const code = text.charCodeAt(at);
      if (code > 127 || SPECIAL[code] === 0) {
        at++;
        continue;
      }
      const following = at + 1 < end ? text.charCodeAt(at + 1) : 32;
      let after = -1;
      if (code === 92) {
        at += isPunctuation(following) ? 2 : 1;
        hidden = at;
        continue;
      } else if (code === 96) {
        after = codeEnd(at);
        if (after < 0) at += countSame(text, at, end) - 1;
      } else if (code === 60) after = htmlEnd(at, end);
      else if (code === 37) {
        if (following === 37) after = within(nextComment(at + 2) + 2, end);
        if (following === 37 && after < 0) at++;
      } else if (code === 36) {
        after = following === 36 ? within(nextMath(at + 2) + 2, end) : mathEnd(at);
        if (following === 36 && after < 0) at++;
      } else if (code === 35) {
        if (mayPrecedeTag(at, run)) {
          const stop = tagEnd(text, at, end);
          if (stop > 0) {
            tags.add(text.slice(at + 1, stop));
            at = stop;
            continue;
          }
        }
      } else if (code === 93) {
        at = closeBracket(at);
        continue;
      } else {
        const embed = code === 33;
        const bracket = embed ? at + 1 : at;
        if (embed && following !== 91) {
          at++;
          continue;
        }
        const stop = bracket + 1 < end && text.charCodeAt(bracket + 1) === 91 ? wikiEnd(bracket) : -1;
        if (stop > 0) {
          const mark = wikiLink(text, at, stop, "body");
          if (mark) links.push(mark);
          if (!embed) spent = open.length;
          at = stop;
          continue;
        }
        open.push({ at, image: embed });
        at = bracket;
      }
      if (after > 0) at = hidden = after;
      else at++;
    }
    const id = blockId(text, run.start, hidden, end);
    if (id) blocks.add(id);
  }

  function readDefinitions(from: number, end: number): number {
    let at = from;
    for (let found = definitionAt(text, at, end); found; found = definitionAt(text, at, end)) {
      const mark = markdownLink(text, found.target, { start: found.start, end: found.end, embed: false });
      if (mark) links.push(mark);
      at = found.next;
    }
    return at;
  }

  function mayPrecedeTag(at: number, run: Run): boolean {
    if (at === run.start) return true;
    const before = text.charCodeAt(at - 1);
    return isWhite(before) || (run.kind === "row" && before === 124);
  }
}

const within = (offset: number, end: number): number => (offset <= end ? offset : -1);

function backtickRuns(text: string, from: number, end: number): Map<number, number> {
  const last = new Map<number, number>();
  for (let i = text.indexOf("`", from); i >= 0 && i < end; i = text.indexOf("`", i)) {
    const count = countSame(text, i, end);
    last.set(count, i);
    i += count;
  }
  return last;
}

/** A label may run over lines; it is given on one. */
const label = (written: string): string =>
  written.includes("\n")
    ? written
        .split("\n")
        .map((line) => line.trim())
        .join(" ")
    : written;

/** `^id` at the end of a run, alone or after white space, and behind whatever is hidden in it. */
function blockId(text: string, from: number, hidden: number, end: number): string | null {
  let stop = end;
  while (stop > hidden && isWhite(text.charCodeAt(stop - 1))) stop--;
  let start = stop;
  while (start > hidden && isIdCharacter(text.charCodeAt(start - 1))) start--;
  const mark = start - 1;
  if (start === stop || mark < hidden || text.charCodeAt(mark) !== 94) return null;
  return mark === from || isWhite(text.charCodeAt(mark - 1)) ? text.slice(start, stop) : null;
}

const isIdCharacter = (code: number): boolean =>
  (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 45;
