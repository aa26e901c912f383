/** Snippets: the piece of a title or body that shows why a note was found, on one line, with the hits marked. */

import type { Page, Snippet } from "../notebook/filter.ts";
import type { Sought } from "./filter-sql.ts";
import { foldText, foldWords } from "./fold.ts";
import { wholeCharacters } from "./link-context.ts";
import type { Term } from "./match.ts";

type Size = NonNullable<Page["snippet"]>;
type Span = [number, number];

/** White space may be many characters wide before it is folded; a snippet is not sought in more than this. */
const SPREAD = 4;

/** `at`: where in the body it was found; null for the title, or where nothing was. */
export type Shown = { snippet: Snippet; at: number | null };

/** Title and body in NFC. Where a piece of text was asked for in the title too, the title comes first; else the body does. */
export function snippetOf(title: string, body: string, sought: readonly Sought[], size: Size): Shown | null {
  const titleFirst = sought.filter(
    ({ term, in: place }) => place === "title" || ("part" in term && place === "either"),
  );
  const inBody = sought.filter((each) => each.in !== "title");
  return (
    shown("title", title, titleFirst, size) ??
    shown("body", body, inBody, size) ??
    shown("title", title, sought, size) ??
    opening(body, size)
  );
}

function shown(place: Snippet["in"], text: string, sought: readonly Sought[], size: Size): Shown | null {
  const terms = sought.map(({ term }) => term);
  const hit = firstHit(text, terms);
  if (!hit) return null;
  const [first, last] = paragraphAt(text, hit);
  const from = Math.max(first, hit[0] - size.before * SPREAD);
  const to = Math.min(last, hit[0] + size.width * SPREAD);
  const left = onOneLine(text.slice(from, hit[0])).trimStart();
  const before = wholeCharacters(left.slice(Math.max(0, left.length - size.before)));
  const right = onOneLine(text.slice(hit[0], to)).trimEnd();
  const after = wholeCharacters(right.slice(0, Math.max(1, size.width - before.length)));
  const line = before + after;
  const snippet = {
    in: place,
    text: line,
    marks: allHits(line, terms),
    cutBefore: before.length < left.length || text.slice(0, from).trim() !== "",
    cutAfter: after.length < right.length || text.slice(to).trim() !== "",
  };
  return { snippet, at: place === "body" ? hit[0] : null };
}

function opening(body: string, size: Size): Shown | null {
  const start = body.search(/\S/);
  if (start < 0) return null;
  const to = Math.min(paragraphAt(body, [start, start])[1], start + size.width * SPREAD);
  const line = onOneLine(body.slice(start, to)).trimEnd();
  const text = wholeCharacters(line.slice(0, size.width));
  const cutAfter = text.length < line.length || body.slice(to).trim() !== "";
  return { snippet: { in: "body", text, marks: [], cutBefore: false, cutAfter }, at: null };
}

const onOneLine = (text: string): string => text.replace(/\s+/g, " ");

const NEAR = 8000;

/** The lines around a hit, up to an empty one on either side. */
function paragraphAt(text: string, [start, end]: Span): Span {
  const from = Math.max(0, start - NEAR);
  const before = [...text.slice(from, start).matchAll(/\n[^\S\n]*(?=\n)/g)].at(-1);
  const after = /\n[^\S\n]*\n/.exec(text.slice(end, end + NEAR));
  return [before ? from + before.index + before[0].length : from, end + (after ? after.index : NEAR)];
}

function firstHit(text: string, terms: readonly Term[]): Span | null {
  const find = finder(text);
  let best: Span | null = null;
  for (const term of terms) {
    const hit = find(term, 0);
    if (hit && (!best || hit[0] < best[0])) best = hit;
  }
  return best;
}

/** In order, none inside another. */
function allHits(text: string, terms: readonly Term[]): Span[] {
  const find = finder(text);
  const hits: Span[] = [];
  for (const term of terms) for (let hit = find(term, 0); hit; hit = find(term, hit[1])) hits.push(hit);
  const sorted = hits.toSorted((a, b) => a[0] - b[0] || b[1] - a[1]);
  let end = 0;
  return sorted.filter(([from, to]) => from >= end && (end = to));
}

// Folded once for each kind of term, and only if there is one.
function finder(text: string): (term: Term, from: number) => Span | null {
  let folded: string | null = null;
  let words: string | null = null;
  return (term, from) => {
    if ("part" in term) {
      const part = onOneLine(term.part);
      folded ??= foldText(text);
      for (const wanted of part === term.part ? [part] : [term.part, part]) {
        const at = folded.indexOf(wanted, from);
        if (at >= 0) return [at, at + wanted.length];
      }
      return null;
    }
    words ??= foldWords(text);
    return wordsIn(words, term.words, term.prefix, from);
  };
}

const LETTER = /[\p{L}\p{N}\p{Co}\p{M}]/u;
const NO_LETTERS = /[^\p{L}\p{N}\p{Co}\p{M}]*/uy;
const REST = /[\p{L}\p{N}\p{Co}\p{M}]*/uy;

function wordsIn(text: string, words: readonly string[], prefix: boolean, from: number): Span | null {
  for (let at = text.indexOf(words[0]!, from); at >= 0; at = text.indexOf(words[0]!, at + 1)) {
    if (at > 0 && LETTER.test(lastCharacter(text, at))) continue;
    const end = rowEnd(text, words, prefix, at);
    if (end !== null) return [at, end];
  }
  return null;
}

function rowEnd(text: string, words: readonly string[], prefix: boolean, at: number): number | null {
  let end = at;
  for (const [place, word] of words.entries()) {
    if (place > 0) end += runAt(NO_LETTERS, text, end);
    if (!text.startsWith(word, end)) return null;
    end += word.length;
    const more = runAt(REST, text, end);
    if (more > 0 && !(prefix && place === words.length - 1)) return null;
    end += more;
  }
  return end;
}

function runAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text)![0].length;
}

const lastCharacter = (text: string, end: number): string =>
  /[\udc00-\udfff]/.test(text[end - 1]!) ? text.slice(end - 2, end) : text[end - 1]!;
