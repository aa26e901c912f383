/** What happened to notes, as a person reads it: a heading for each and its lines, in colour on a terminal. */

import { unifiedDiff } from "../markdown/diff.ts";
import { escaped } from "../markdown/label.ts";
import type { Change } from "../notebook/change.ts";
import { changesSomething } from "../notebook/commit.ts";
import { decodeText } from "../notebook/note.ts";
import { printable, type Paint } from "./terminal.ts";

export type Sides = { path: string; from?: string; before: Uint8Array | null; after: Uint8Array | null };

export const sidesOf = (changes: readonly Change[]): Sides[] =>
  changes.filter(changesSomething).map(({ path, from, before, after }) => ({
    path,
    ...(from === undefined ? {} : { from }),
    before: before?.bytes ?? null,
    after: after?.bytes ?? null,
  }));

const COLOURS: Record<string, number> = { "+": 32, "-": 31, "@": 36, "\\": 2 };

export function diffText({ path, from, before, after }: Sides, paint: Paint): string {
  const what = !before ? "new" : !after ? "deleted" : from === undefined ? "" : `moved from ${from}`;
  const heading = paint(1, escaped(what === "" ? path : `${path} (${what})`));
  return `${heading}\n${linesBetween(before, after, paint)}`;
}

/** The lines that differ, without names. */
export function linesBetween(before: Uint8Array | null, after: Uint8Array | null, paint: Paint): string {
  const [old, next] = [before ? decodeText(before) : "", after ? decodeText(after) : ""];
  if (old === null || next === null) return "  (not UTF-8 text)\n";
  const lines = unifiedDiff(old, next, { from: "", to: "" }).text.split("\n").slice(2, -1);
  return lines.map((line) => `${coloured(line, paint)}\n`).join("");
}

function coloured(line: string, paint: Paint): string {
  const plain = printable(line);
  const colour = COLOURS[line[0] ?? ""];
  return colour === undefined ? plain : paint(colour, plain);
}
