/** Snippets: the piece of a title or body that shows why a note was found, on one line, with the hits marked (decision 11). */

import type { Page, Snippet } from "../notebook/filter.ts";
import type { Analyzer } from "./analyzer.ts";
import { hitsIn, marksIn, type Hit, type Span } from "./hits.ts";
import type { Mark, Sought } from "./match.ts";
import { mayCutAt, wholeCharacters } from "./scripts.ts";

type Size = NonNullable<Page["snippet"]>;

/** White space may be many characters wide before it is folded; a snippet is not sought in more than this. */
const SPREAD = 4;
/** This many hits of a word are compared for the best place. */
const HITS = 1000;

/** `at` is where in the body it was found; null for the title. */
export type Shown = { snippet: Snippet; at: number | null };

/** Title and body are in NFC. Where the title was searched for a piece of text too, it comes first; otherwise the body does, and in it the chunk that fits best. */
export function snippetOf(
  analyzer: Analyzer,
  title: string,
  body: string,
  sought: readonly Sought[],
  size: Size,
  chunk: Span | null,
): Shown | null {
  const titleFirst = sought.filter(
    ({ mark, in: place }) => place === "title" || ("part" in mark && place === "either"),
  );
  const inBody = sought.filter((each) => each.in !== "title").map(({ mark }) => mark);
  return (
    shown(analyzer, "title", title, [0, title.length], marksOf(titleFirst), size) ??
    (chunk && shown(analyzer, "body", body, chunk, inBody, size)) ??
    shown(analyzer, "body", body, [0, body.length], inBody, size) ??
    shown(analyzer, "title", title, [0, title.length], marksOf(sought), size) ??
    opening(body, size, chunk?.[0] ?? 0)
  );
}

const marksOf = (sought: readonly Sought[]): Mark[] => sought.map(({ mark }) => mark);

function shown(
  analyzer: Analyzer,
  place: Snippet["in"],
  text: string,
  [start, end]: Span,
  marks: readonly Mark[],
  size: Size,
): Shown | null {
  const hits = hitsIn(analyzer, text.slice(start, end), marks, HITS);
  const best = bestOf(hits, size.width - size.before);
  if (!best) return null;
  const hit: Span = [start + best.span[0], start + best.span[1]];
  return { snippet: pieceAt(analyzer, place, text, hit, marks, size), at: place === "body" ? hit[0] : null };
}

/** The first hit from which the most different words are in sight. */
function bestOf(hits: readonly Hit[], sight: number): Hit | null {
  const inSight = new Map<string, number>();
  let best: Hit | null = null;
  let most = 0;
  let next = 0;
  for (const hit of hits) {
    for (; next < hits.length && hits[next]!.span[1] <= hit.span[0] + Math.max(sight, 1); next++)
      inSight.set(hits[next]!.what, (inSight.get(hits[next]!.what) ?? 0) + 1);
    if (inSight.size > most || best === null) [best, most] = [hit, inSight.size];
    const left = (inSight.get(hit.what) ?? 1) - 1;
    if (left > 0) inSight.set(hit.what, left);
    else inSight.delete(hit.what);
  }
  return best;
}

function pieceAt(
  analyzer: Analyzer,
  place: Snippet["in"],
  text: string,
  hit: Span,
  marks: readonly Mark[],
  size: Size,
): Snippet {
  const [first, last] = paragraphAt(text, hit);
  const from = Math.max(first, hit[0] - size.before * SPREAD);
  const to = Math.min(last, hit[0] + size.width * SPREAD);
  const left = onOneLine(text.slice(from, hit[0])).trimStart();
  const before = left.slice(cutFrom(left, left.length - size.before)).trimStart();
  const right = onOneLine(text.slice(hit[0], to)).trimEnd();
  const after = right.slice(0, cutTo(right, Math.max(1, size.width - before.length))).trimEnd();
  const line = before + after;
  return {
    in: place,
    text: line,
    marks: marksIn(analyzer, line, marks),
    cutBefore: before.length < left.length || text.slice(0, from).trim() !== "",
    cutAfter: after.length < right.length || text.slice(to).trim() !== "",
  };
}

/** Where a text may begin that should not begin before `at`. */
function cutFrom(text: string, at: number): number {
  let from = Math.max(0, at);
  while (!mayCutAt(text, from)) from++;
  return from;
}

/** Where a text may end that should not go beyond `at`: inside a word only where it is the first. */
function cutTo(text: string, at: number): number {
  let to = Math.min(at, text.length);
  while (!mayCutAt(text, to)) to--;
  return to > 0 ? to : wholeCharacters(text.slice(0, at)).length;
}

function opening(body: string, size: Size, from: number): Shown | null {
  const start = from + body.slice(from).search(/\S/);
  if (start < from) return null;
  const to = Math.min(paragraphAt(body, [start, start])[1], start + size.width * SPREAD);
  const line = onOneLine(body.slice(start, to)).trimEnd();
  const text = line.slice(0, cutTo(line, size.width)).trimEnd();
  const cutAfter = text.length < line.length || body.slice(to).trim() !== "";
  const cutBefore = body.slice(0, start).trim() !== "";
  return { snippet: { in: "body", text, marks: [], cutBefore, cutAfter }, at: start };
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
