/** The difference of two texts as a value, for whoever shows it: fields by name, prose word by word, code and tables line by line. It is of the source, so HTML and the targets of links are seen. */

import { fieldsPart, type FieldDiff } from "./diff-fields.ts";
import { joined, marked, wordPieces, type Piece } from "./diff-words.ts";
import { lineChanges, linesOf, type LineChange } from "./diff.ts";
import { readFront } from "./frontmatter.ts";
import { RUN_ROW } from "./leaves.ts";
import { proseOf } from "./prose.ts";

export type { FieldDiff, Piece };
export type Row = { kind: Piece["kind"]; pieces: Piece[] };
/** Lines are counted from 1, in the old text where they are the same or removed, else in the new one. */
export type DiffPart =
  | { kind: "fields"; fields: FieldDiff[] }
  /** Running text: pieces may reach over several lines. */
  | { kind: "prose"; line: number; pieces: Piece[] }
  /** Each row is a line of code, of a table, or of whatever is not running text. */
  | { kind: "lines"; line: number; rows: Row[] }
  /** Lines between two parts that are the same. */
  | { kind: "skipped"; lines: number };
/** `unshown`: so many lines differ and are not among the parts, because there are too many. `whole`: there was nothing before, or is nothing after. */
export type TextDiff = {
  parts: DiffPart[];
  words: { added: number; removed: number };
  unshown: number;
  whole?: "added" | "removed";
};

const CONTEXT = 3;
/** Characters that a diff shows. */
export const SHOWN_LIMIT = 512 * 1024;
/** So many pairs of changed lines, of so many characters, are looked at for those that are alike. */
const PAIRS_LIMIT = 400;
const PAIRED_LENGTH = 16 * 1024;
/** A line is the same with other words where at least this part of both is the same. */
const ALIKE = 0.5;

export function diffValue(before: string, after: string): TextDiff {
  const [old, next] = [sideOf(before), sideOf(after)];
  const fields = fieldsPart(before, after, old, next);
  const changes = lineChanges(old.lines, next.lines).flatMap((change) =>
    fields === null ? [change] : belowFront(change, old, next),
  );
  const parts: DiffPart[] = fields === null || fields.fields.length === 0 ? [] : [fields];
  let room = SHOWN_LIMIT;
  let [at, unshown] = [fields === null ? 0 : old.bodyFrom, 0];
  changes.forEach((change, number) => {
    const { from, to, newFrom, newTo } = change;
    const size = lengthOf(old, from, to) + lengthOf(next, newFrom, newTo);
    if (size > room) {
      unshown += to - from + newTo - newFrom;
      return;
    }
    room -= size;
    const above = Math.max(at, from - CONTEXT);
    const end = changes[number + 1]?.from ?? old.lines.length;
    const below = Math.min(end, to + CONTEXT);
    if (above > at) parts.push({ kind: "skipped", lines: above - at });
    for (const part of hunk(old, next, change, above, below)) addPart(parts, part);
    at = below;
  });
  if (parts.length > 0 && at < old.lines.length)
    parts.push({ kind: "skipped", lines: old.lines.length - at });
  const whole = before === after ? null : before === "" ? "added" : after === "" ? "removed" : null;
  return { parts, words: countWords(parts), unshown, ...(whole ? { whole } : {}) };
}

type Kind = "prose" | "lines";
/** `bodyFrom`: the line on which the body begins, counted from 0. */
type Side = { lines: string[]; kindOf(line: number): Kind; bodyFrom: number };

function sideOf(text: string): Side {
  const lines = linesOf(text);
  const { bodyStart, bodyLine } = readFront(text).front;
  let kinds: Kind[] | null = null;
  return {
    lines,
    bodyFrom: bodyLine - 1,
    kindOf: (line) => (kinds ??= kindsOf(text, lines, bodyStart, bodyLine))[line] ?? "prose",
  };
}

/** Blank lines, and rules and marks without a word. */
const NEUTRAL = /^[\s>*_-]*$/;

/** What each line is: running text, or a line of code, of a table or of whatever else. One without words is what stands around it. */
function kindsOf(text: string, lines: readonly string[], bodyStart: number, bodyLine: number): Kind[] {
  const runs = proseOf(text, bodyStart, bodyLine).runs.flat();
  const found: { from: number; to: number; kind: Kind }[] = [];
  for (let at = 0; at < runs.length; at += 3)
    found.push({ from: runs[at]!, to: runs[at + 1]!, kind: runs[at + 2] === RUN_ROW ? "lines" : "prose" });
  found.sort((one, other) => one.from - other.from);
  let [start, run] = [0, 0];
  const known = lines.map((line, at): Kind | null => {
    const end = start + line.length;
    while (run < found.length && found[run]!.to <= start) run++;
    const here = found[run];
    start = end;
    if (at < bodyLine - 1) return "lines";
    return here && here.from < end ? here.kind : NEUTRAL.test(line) ? null : "lines";
  });
  const next: Kind[] = [];
  for (let at = known.length - 1; at >= 0; at--) next[at] = known[at] ?? next[at + 1] ?? "lines";
  let last: Kind = "lines";
  const hasWords = known.some((kind) => kind !== null);
  return known.map((kind, at) => {
    last = kind ?? last;
    return kind ?? (hasWords && last === "lines" && next[at] === "lines" ? "lines" : "prose");
  });
}

/** The part of a change that lies in the bodies; the fields are shown by themselves. */
function belowFront(change: LineChange, old: Side, next: Side): LineChange[] {
  const from = Math.max(change.from, old.bodyFrom);
  const newFrom = Math.max(change.newFrom, next.bodyFrom);
  const [to, newTo] = [Math.max(change.to, from), Math.max(change.newTo, newFrom)];
  return from === to && newFrom === newTo ? [] : [{ from, to, newFrom, newTo }];
}

/** Lines of one side, one after the other, that are of one kind. */
type Run = { kind: Kind; from: number; to: number };

function runsOf({ kindOf }: Side, from: number, to: number): Run[] {
  const runs: Run[] = [];
  for (let line = from; line < to; line++) {
    const last = runs.at(-1);
    if (last && last.kind === kindOf(line)) last.to++;
    else runs.push({ kind: kindOf(line), from: line, to: line + 1 });
  }
  return runs;
}

/** One change with the lines around it, by blocks: running text word by word, whatever else line by line. */
function hunk(old: Side, next: Side, change: LineChange, above: number, below: number): DiffPart[] {
  const { from, to, newFrom, newTo } = change;
  const parts: DiffPart[] = [];
  const around = (start: number, end: number): void => {
    for (const run of runsOf(old, start, end)) {
      const lines = old.lines.slice(run.from, run.to);
      const part: DiffPart =
        run.kind === "prose"
          ? { kind: "prose", line: run.from + 1, pieces: marked("same", lines.join("")) }
          : { kind: "lines", line: run.from + 1, rows: rowsOf("same", lines) };
      addPart(parts, part);
    }
  };
  around(above, from);
  for (const [was, is] of paired(runsOf(old, from, to), runsOf(next, newFrom, newTo)))
    addPart(parts, changedPart(old, next, was, is));
  around(to, below);
  return parts;
}

type Pair = [was: Run | null, is: Run | null];

/** Runs of one kind stand against each other, from the start and from the end; those between them came or went. */
function paired(was: Run[], is: Run[]): Pair[] {
  const first: Pair[] = [];
  const last: Pair[] = [];
  while (was.length > 0 && is.length > 0 && was[0]!.kind === is[0]!.kind)
    first.push([was.shift()!, is.shift()!]);
  while (was.length > 0 && is.length > 0 && was.at(-1)!.kind === is.at(-1)!.kind)
    last.unshift([was.pop()!, is.pop()!]);
  const between = [...was.map((run): Pair => [run, null]), ...is.map((run): Pair => [null, run])];
  return [...first, ...between, ...last];
}

function changedPart(old: Side, next: Side, was: Run | null, is: Run | null): DiffPart {
  const [gone, come] = [
    was ? old.lines.slice(was.from, was.to) : [],
    is ? next.lines.slice(is.from, is.to) : [],
  ];
  const { kind, from } = (was ?? is)!;
  const pieces = kind === "prose" ? wordPieces(gone.join(""), come.join("")) : null;
  if (pieces) return { kind: "prose", line: from + 1, pieces };
  return { kind: "lines", line: from + 1, rows: changedRows(gone, come) };
}

/** Neighbours of one kind are one part. */
function addPart(parts: DiffPart[], part: DiffPart): void {
  const last = parts.at(-1);
  if (last?.kind === "prose" && part.kind === "prose") last.pieces = joined([...last.pieces, ...part.pieces]);
  else if (last?.kind === "lines" && part.kind === "lines") last.rows = last.rows.concat(part.rows);
  else parts.push(part);
}

const rowsOf = (kind: Piece["kind"], lines: readonly string[]): Row[] =>
  lines.map((line) => ({ kind, pieces: marked(kind, line) }));

/** Lines that went, then lines that came. Where one of each is alike, only the words that differ are marked. */
function changedRows(gone: readonly string[], come: readonly string[]): Row[] {
  const [removed, added] = [rowsOf("removed", gone), rowsOf("added", come)];
  const length = [...gone, ...come].reduce((sum, line) => sum + line.length, 0);
  if (gone.length * come.length > PAIRS_LIMIT || length > PAIRED_LENGTH) return [...removed, ...added];
  let from = 0;
  for (const [at, line] of gone.entries())
    for (let other = from; other < come.length; other++) {
      const pieces = wordPieces(line, come[other]!);
      if (!pieces || !isAlike(pieces)) continue;
      removed[at]!.pieces = joined(pieces.filter(({ kind }) => kind !== "added"));
      added[other]!.pieces = joined(pieces.filter(({ kind }) => kind !== "removed"));
      from = other + 1;
      break;
    }
  return [...removed, ...added];
}

function isAlike(pieces: readonly Piece[]): boolean {
  const lengths = { same: 0, added: 0, removed: 0 };
  for (const { kind, text } of pieces) lengths[kind] += text.replace(/\s/g, "").length;
  const { same, added, removed } = lengths;
  return same >= ALIKE * (same + Math.max(added, removed));
}

function lengthOf({ lines }: Side, from: number, to: number): number {
  let length = 0;
  for (let at = from; at < to; at++) length += lines[at]!.length;
  return length;
}

function countWords(parts: readonly DiffPart[]): TextDiff["words"] {
  const words = { added: 0, removed: 0 };
  const count = (pieces: readonly Piece[]): void => {
    for (const { kind, text } of pieces)
      if (kind !== "same") words[kind] += text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}_'’-]*/gu)?.length ?? 0;
  };
  for (const part of parts) {
    if (part.kind === "prose") count(part.pieces);
    if (part.kind === "fields") for (const { pieces } of part.fields) count(pieces);
    if (part.kind === "lines") for (const { pieces } of part.rows) count(pieces);
  }
  return words;
}
