/** The difference of two texts, line by line: as spans of lines, and as a unified diff in git's form. */

import { diffArrays } from "diff";
import { escaped } from "./label.ts";
import { lineStart, nextLine } from "./line-bounds.ts";

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
  const numberedNew = numbered(after.slice(head, whole.newTo), old.numbers);
  const parts = diffArrays(old.lines, numberedNew.lines, { maxEditLength: MOST_EDITS });
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

type Diff = { text: string; added: number; removed: number };

/** `text` is empty where nothing differs. */
export function unifiedDiff(before: string, after: string, names: { from: string; to: string }): Diff {
  const place = differing(before, after);
  const hunks = place.from === place.to || place.from === place.newTo ? oneSided : linewise;
  const { text, added, removed } = hunks(before, after, place);
  if (text === "") return { text, added, removed };
  return { text: `--- ${escaped(names.from)}\n+++ ${escaped(names.to)}\n${text}`, added, removed };
}

/** Text that came or went in one piece, such as a whole note. */
function oneSided(before: string, after: string, { from, to, newTo }: Differing): Diff {
  if (from === to && from === newTo) return { text: "", added: 0, removed: 0 };
  const [start, end] = [linesBefore(before, from), linesAfter(before, to)];
  const above = countLines(before, 0, start);
  const around = countLines(before, start, from) + countLines(before, to, end);
  const removed = countLines(before, from, to);
  const added = countLines(after, from, newTo);
  const ranges = `-${range(above, above + around + removed)} +${range(above, above + around + added)}`;
  const lines = [
    marked(" ", before.slice(start, from)),
    marked("-", before.slice(from, to)),
    marked("+", after.slice(from, newTo)),
    marked(" ", before.slice(to, end)),
  ];
  return { text: `@@ ${ranges} @@\n${lines.join("")}`, added, removed };
}

function linewise(before: string, after: string, place: Differing): Diff {
  const [start, end] = [linesBefore(before, place.from), linesAfter(before, place.to)];
  const old = linesOf(before.slice(start, end));
  const newLines = linesOf(after.slice(start, end - place.to + place.newTo));
  const changes = lineChanges(old, newLines);
  const above = countLines(before, 0, start);
  const text = (mark: string, lines: readonly string[], from: number, to: number): string =>
    marked(mark, lines.slice(from, to).join(""));
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
      parts.push(text(" ", old, at, change.from));
      parts.push(text("-", old, change.from, change.to), text("+", newLines, change.newFrom, change.newTo));
      removed += change.to - change.from;
      added += change.newTo - change.newFrom;
      at = change.to;
    }
    parts.push(text(" ", old, at, to));
  }
  return { text: parts.join(""), added, removed };
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

function marked(mark: string, lines: string): string {
  if (lines === "") return "";
  const text = mark + lines.replaceAll("\n", `\n${mark}`);
  return text.endsWith(`\n${mark}`) ? text.slice(0, -mark.length) : `${text}\n\\ No newline at end of file\n`;
}

/** Where two texts differ, from the start of a line to the start of another: `[from, to)` of the old text became `[from, newTo)` of the new one. */
type Differing = { from: number; to: number; newTo: number };

/** Finds it without making lines: most changes of a long note are a few lines. */
function differing(before: string, after: string): Differing {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before.charCodeAt(head) === after.charCodeAt(head)) head++;
  // Equal texts may end within a line.
  const isSame = head === before.length && head === after.length;
  const from = isSame ? head : lineStart(before, head);
  const [oldEnd, newEnd] = [before.length - 1, after.length - 1];
  let tail = 0;
  while (tail < shorter - from && before.charCodeAt(oldEnd - tail) === after.charCodeAt(newEnd - tail))
    tail++;
  const at = before.length - tail;
  const to = isLineStart(before, at) && isLineStart(after, after.length - tail) ? at : nextLine(before, at);
  return { from, to, newTo: after.length - (before.length - to) };
}

const isLineStart = (text: string, at: number): boolean => at === 0 || text[at - 1] === "\n";

function linesBefore(text: string, at: number): number {
  let start = at;
  for (let count = 0; count < CONTEXT && start > 0; count++) start = lineStart(text, start - 1);
  return start;
}

function linesAfter(text: string, at: number): number {
  let end = at;
  for (let count = 0; count < CONTEXT; count++) end = nextLine(text, end);
  return end;
}

/** Counts the lines of a part; the last may lack its ending. */
function countLines(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = start; at < end; at = nextLine(text, at)) count++;
  return count;
}
