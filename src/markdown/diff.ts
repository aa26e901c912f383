/** The difference of two texts, line by line: as spans of lines, and as a unified diff in git's form. */

import { diffArrays } from "diff";
import { escaped } from "./label.ts";
import { nextLine } from "./line-bounds.ts";

/** Lines `[from, to)` of the old text became lines `[newFrom, newTo)` of the new one. */
export type LineChange = { from: number; to: number; newFrom: number; newTo: number };

// The search costs the square of what differs. Past this it gives up, and the differing middle counts as replaced whole.
const MOST_EDITS = 1000;
const CONTEXT = 3;

/** Each line with its ending, so that joining them gives the text back. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

export function lineChanges(before: readonly string[], after: readonly string[]): LineChange[] {
  let head = 0;
  const shorter = Math.min(before.length, after.length);
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const whole = { from: head, to: before.length - tail, newFrom: head, newTo: after.length - tail };
  const [removes, adds] = [whole.to > head, whole.newTo > head];
  if (!removes && !adds) return [];
  if (!removes || !adds) return [whole];
  const old = numbered(before.slice(head, whole.to));
  const fresh = numbered(after.slice(head, whole.newTo), old.numbers);
  const parts = diffArrays(old.lines, fresh.lines, { maxEditLength: MOST_EDITS });
  if (!parts) return [whole];

  const changes: LineChange[] = [];
  let at = head;
  let newAt = head;
  let open: LineChange | null = null;
  for (const part of parts) {
    if (!part.added && !part.removed) {
      open = null;
      at += part.count;
      newAt += part.count;
      continue;
    }
    if (!open) changes.push((open = { from: at, to: at, newFrom: newAt, newTo: newAt }));
    if (part.removed) open.to = at += part.count;
    else open.newTo = newAt += part.count;
  }
  return changes;
}

/** `text` is empty where nothing differs. */
export function unifiedDiff(
  before: string,
  after: string,
  names: { from: string; to: string },
): { text: string; added: number; removed: number } {
  const { start, oldEnd, newEnd } = differing(before, after);
  const old = linesOf(before.slice(start, oldEnd));
  const fresh = linesOf(after.slice(start, newEnd));
  const changes = lineChanges(old, fresh);
  const above = countLines(before, start);
  const parts: string[] = [];
  let added = 0;
  let removed = 0;
  for (let first = 0, last = 0; first < changes.length; first = last + 1, last = first) {
    while (last + 1 < changes.length && changes[last + 1]!.from - changes[last]!.to <= 2 * CONTEXT) last++;
    const hunk = changes.slice(first, last + 1);
    const from = Math.max(0, hunk[0]!.from - CONTEXT);
    const to = Math.min(old.length, hunk.at(-1)!.to + CONTEXT);
    const newFrom = hunk[0]!.newFrom - (hunk[0]!.from - from);
    const newTo = hunk.at(-1)!.newTo + (to - hunk.at(-1)!.to);
    parts.push(`@@ -${range(above + from, above + to)} +${range(above + newFrom, above + newTo)} @@\n`);
    let at = from;
    for (const change of hunk) {
      parts.push(marked(" ", old, at, change.from));
      parts.push(marked("-", old, change.from, change.to), marked("+", fresh, change.newFrom, change.newTo));
      removed += change.to - change.from;
      added += change.newTo - change.newFrom;
      at = change.to;
    }
    parts.push(marked(" ", old, at, to));
  }
  if (parts.length === 0) return { text: "", added, removed };
  return { text: `--- ${escaped(names.from)}\n+++ ${escaped(names.to)}\n${parts.join("")}`, added, removed };
}

/** Lines as numbers, equal for equal lines: long lines are then compared once. */
function numbered(lines: readonly string[], numbers = new Map<string, number>()) {
  const found = lines.map((line) => {
    const number = numbers.get(line) ?? numbers.size;
    numbers.set(line, number);
    return number;
  });
  return { lines: found, numbers };
}

// Git counts from 1, leaves out a length of 1, and names the line before an empty range.
function range(from: number, to: number): string {
  const length = to - from;
  if (length === 1) return String(from + 1);
  return `${length === 0 ? from : from + 1},${length}`;
}

function marked(mark: string, lines: readonly string[], from: number, to: number): string {
  if (from === to) return "";
  const text = mark + lines.slice(from, to).join("").replaceAll("\n", `\n${mark}`);
  return text.endsWith(`\n${mark}`) ? text.slice(0, -mark.length) : `${text}\n\\ No newline at end of file\n`;
}

/** The part of two texts that differs, from line to line, with the lines of context around it: most changes of a long note are a few lines. */
function differing(before: string, after: string): { start: number; oldEnd: number; newEnd: number } {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same++;
  const start = same === 0 ? 0 : before.lastIndexOf("\n", same - 1) + 1;
  let tail = 0;
  while (
    tail < shorter - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++;
  const from = before.length - tail;
  const begins = isLineStart(before, from) && isLineStart(after, after.length - tail);
  const oldEnd = linesAfter(before, begins ? from : nextLine(before, from));
  return { start: linesBefore(before, start), oldEnd, newEnd: after.length - (before.length - oldEnd) };
}

const isLineStart = (text: string, at: number): boolean => at === 0 || text[at - 1] === "\n";

function linesBefore(text: string, at: number): number {
  let start = at;
  for (let count = 0; count < CONTEXT && start > 0; count++)
    start = start === 1 ? 0 : text.lastIndexOf("\n", start - 2) + 1;
  return start;
}

function linesAfter(text: string, at: number): number {
  let end = at;
  for (let count = 0; count < CONTEXT; count++) end = nextLine(text, end);
  return end;
}

function countLines(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
