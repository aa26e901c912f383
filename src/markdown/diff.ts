/** The difference of two texts, line by line: as spans of lines, and as a unified diff in git's form. */

import { diffArrays } from "diff";
import { escaped } from "./label.ts";

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
  const old = numbered(before.slice(head, before.length - tail));
  const fresh = numbered(after.slice(head, after.length - tail), old.numbers);
  if (old.lines.length === 0 && fresh.lines.length === 0) return [];
  const whole = { from: head, to: head + old.lines.length, newFrom: head, newTo: head + fresh.lines.length };
  if (old.lines.length === 0 || fresh.lines.length === 0) return [whole];
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
  const old = linesOf(before);
  const fresh = linesOf(after);
  const changes = lineChanges(old, fresh);
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
    parts.push(`@@ -${range(from, to)} +${range(newFrom, newTo)} @@\n`);
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
  return lines
    .slice(from, to)
    .map((line) => mark + (line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`))
    .join("");
}
