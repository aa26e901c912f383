/** What of a note an embed shows: all of it, the section of a heading, or a single block. */

import type { Note } from "../../wire.ts";

type Source = Pick<Note, "text" | "bodyStart" | "title" | "headings">;

/** The title stands above already, where the body begins with it. */
export const withoutTitle = ({ text, bodyStart, title: called }: Source): string => {
  const body = (text ?? "").slice(bodyStart);
  const [, title] = /^\s*# (.*?)\s*(?:\n|$)/.exec(body) ?? [];
  return title === called ? body.replace(/^\s*# .*(?:\n|$)/, "") : body;
};

/** Null where the note has no block of that name. `section`: what stands after `#`. */
export const embedded = (note: Source, section: string): string | null => {
  if (section.startsWith("^")) return blockOf((note.text ?? "").slice(note.bodyStart), section.slice(1));
  const at = note.headings.findIndex((heading) => heading.text === section);
  if (section === "" || at === -1) return withoutTitle(note);
  const { level, line } = note.headings[at]!;
  const end = note.headings.slice(at + 1).find((heading) => heading.level <= level)?.line;
  const lines = (note.text ?? "").split("\n");
  return lines.slice(line - 1, end === undefined ? lines.length : end - 1).join("\n");
};

const FENCE = /^\s*(?:```|~~~)/;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s/;
const HEADING = /^\s{0,3}#{1,6}\s/;
const isBlank = (line: string): boolean => line.trim() === "";
const indentOf = (line: string): number => line.length - line.trimStart().length;

/** The block at whose end the name stands, or below which it stands alone. */
const blockOf = (body: string, id: string): string | null => {
  const lines = body.split(/\r?\n/);
  const fenced = fencesIn(lines);
  const at = lines.findIndex((line, number) => {
    const found = /(?:^|\s)\^([\w-]+)\s*$/.exec(line);
    return fenced[number] === null && found?.[1]?.toLowerCase() === id.toLowerCase();
  });
  if (at === -1) return null;
  const line = lines[at]!;
  if (/^\s*\^[\w-]+\s*$/.test(line)) return above(lines, at, fenced);
  const from = startOf(lines, at);
  const own = lines.slice(from, at + 1).map((one, number) => {
    const last = from + number === at;
    return (last ? one.replace(/\s\^[\w-]+\s*$/, "") : one).slice(indentWithin(lines, from, one));
  });
  if (!ITEM.test(lines[from]!)) return own.join("\n");
  return [...own, ...below(lines, at, indentOf(lines[from]!))].join("\n");
};

const indentWithin = (lines: readonly string[], from: number, line: string): number =>
  Math.min(indentOf(lines[from]!), indentOf(line));

/** For each line the one on which its fence begins; null where it is in none. */
const fencesIn = (lines: readonly string[]): (number | null)[] => {
  let open: number | null = null;
  return lines.map((line, number) => {
    if (!FENCE.test(line)) return open;
    const begins = open ?? number;
    open = open === null ? number : null;
    return begins;
  });
};

/** A paragraph, or an item of a list, begins at this line or above it. */
const startOf = (lines: readonly string[], at: number): number => {
  let from = at;
  const goesOn = (line: string): boolean => !isBlank(line) && !HEADING.test(line) && !FENCE.test(line);
  while (from > 0 && !ITEM.test(lines[from]!) && goesOn(lines[from - 1]!)) from--;
  return from;
};

/** What belongs to an item of a list: lines further in than it is. */
const below = (lines: readonly string[], at: number, indent: number): string[] => {
  let end = at + 1;
  while (end < lines.length && (isBlank(lines[end]!) || indentOf(lines[end]!) > indent)) end++;
  while (isBlank(lines[end - 1]!)) end--;
  return lines.slice(at + 1, end).map((line) => line.slice(Math.min(indent, indentOf(line))));
};

/** The block before a name that stands alone: code to its first line, else all up to a blank line. */
const above = (lines: readonly string[], at: number, fenced: readonly (number | null)[]): string | null => {
  let end = at;
  while (end > 0 && isBlank(lines[end - 1]!)) end--;
  if (end === 0) return null;
  let from = fenced[end - 1] ?? end;
  if (from === end) while (from > 0 && !isBlank(lines[from - 1]!)) from--;
  return lines.slice(from, end).join("\n");
};
