/** Lines of a text, counted from 1 in its file: the part of a note or file that a reader asked for, cut to the room there is. */

import { NoteError } from "../../markdown/errors.ts";
import type { Handled } from "../../notebook/handle.ts";
import { plural } from "./say.ts";
import { reach } from "./token-room.ts";

/** `skip`: how many characters of the first line were read before. */
export type LineRange = { from: number; to: number; skip: number };

/** `lines`: which lines are shown, null for all of them. */
export type Part = {
  handle: string | null;
  from: number;
  lines: string | null;
  text: string;
  cut: string | null;
};

/** The part of a text that a section of it and a range name, in whole lines, within so many tokens. */
export function partOf(
  { path, text }: { path: string; text: string },
  section: Handled | null,
  range: LineRange | null,
  room: number,
): Part {
  if (section === null && range === null && reach(text, 0, text.length, room) === text.length)
    return { handle: null, from: 1, lines: null, text, cut: null };
  const starts = lineStarts(text);
  const total = linesIn(text, starts);
  const firstLine = section ? section.heading.line : 1;
  const lastLine = section && section.end < text.length ? lineAt(starts, section.end) - 1 : total;
  const from = Math.max(firstLine, range?.from ?? firstLine);
  const to = Math.min(lastLine, range?.to ?? lastLine);
  if (from > to)
    throw new NoteError(
      "input_refused",
      `Lines ${range!.from}-${Number.isFinite(range!.to) ? range!.to : ""} are not in "${path}", which has ${plural(total, "line")}${section ? ` (that section: ${firstLine}-${lastLine})` : ""}.`,
    );
  const end = starts[to] ?? text.length;
  const lineEnd = starts[from] ?? text.length;
  const begin = Math.min(starts[from - 1]! + (from === range?.from ? range.skip : 0), lineEnd);
  const linesTo = (end: number): string | null =>
    from === 1 && end === total && section === null ? null : `${from}-${end} of ${total}`;
  const known = { handle: section?.handle ?? null, from };
  const full = reach(text, begin, end, room);
  if (full === end) return { ...known, lines: linesTo(to), text: text.slice(begin, end), cut: null };
  if (full >= lineEnd) {
    const last = lineAt(starts, full) - 1;
    const cut = `go on with lines "${last + 1}-${to}"`;
    return { ...known, lines: linesTo(last), text: text.slice(begin, starts[last]), cut };
  }
  const shown = text.slice(begin, full).replace(/[\uD800-\uDBFF]$/, "");
  const read = begin + shown.length - starts[from - 1]!;
  const cut = `line ${from} is long: go on with lines "${from}+${read}-${to}"`;
  return { ...known, lines: linesTo(from), text: shown, cut };
}

export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

export const linesIn = (text: string, starts: readonly number[]): number =>
  Math.max(1, starts.length - (text.endsWith("\n") ? 1 : 0));

/** The line, from 1, that holds an offset. */
export function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

export function lineRange(written: string): LineRange {
  const match = /^(\d{1,9})(?:\+(\d{1,9}))?(?:-(\d{1,9})?)?$/.exec(written.trim());
  const from = Number(match?.[1]);
  const to = match?.[3] === undefined ? (written.includes("-") ? Infinity : from) : Number(match[3]);
  if (match && from >= 1 && to >= from) return { from, to, skip: Number(match[2] ?? 0) };
  throw new NoteError(
    "input_refused",
    `lines is such as "10-40" or "10-", not ${JSON.stringify(written.slice(0, 40))}.`,
  );
}
