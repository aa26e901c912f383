/** The difference of two texts as a value, for whoever shows it: fields by name, prose word by word, code and tables line by line. It is of the source, so HTML and the targets of links are seen. */

import { diffArrays } from "diff";
import { lineChanges, linesOf, type LineChange } from "./diff.ts";
import { readFront, type Value } from "./frontmatter.ts";
import { RUN_ROW } from "./leaves.ts";
import { proseOf } from "./prose.ts";
import { unseenIn } from "./unseen.ts";

/** A stretch of text. `unseen`: it is one character that a reader would not see; `turns`, where it turns the order of others. */
export type Piece = {
  kind: "same" | "added" | "removed";
  text: string;
  unseen?: { code: string; turns: boolean };
};
export type FieldDiff = { name: string; kind: "added" | "removed" | "changed"; pieces: Piece[] };
/** Lines are counted from 1, in the old text where they are the same or removed, else in the new one. */
export type DiffPart =
  | { kind: "fields"; fields: FieldDiff[] }
  /** Running text: pieces may reach over several lines. */
  | { kind: "prose"; line: number; pieces: Piece[] }
  /** Each row is a line of code, of a table, or of whatever is not running text. */
  | { kind: "lines"; line: number; rows: { kind: Piece["kind"]; pieces: Piece[] }[] }
  /** Lines between two parts that are the same. */
  | { kind: "skipped"; lines: number };
/** `unshown`: so many lines differ and are not among the parts, because there are too many. */
export type TextDiff = { parts: DiffPart[]; words: { added: number; removed: number }; unshown: number };

const CONTEXT = 3;
/** Characters that a diff shows. */
export const SHOWN_LIMIT = 512 * 1024;
/** Characters of changed prose that are compared word by word; past this, and past so many edits, line by line. */
const WORDS_LIMIT = 64 * 1024;
const MOST_EDITS = 2000;

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
    for (const part of hunk(old, next, change, above, below)) parts.push(part);
    at = below;
  });
  if (parts.length > 0 && at < old.lines.length)
    parts.push({ kind: "skipped", lines: old.lines.length - at });
  return { parts, words: countWords(parts), unshown };
}

type Kind = "prose" | "row" | "raw" | "blank";
/** `bodyFrom`: the line on which the body begins, counted from 0. */
type Side = { lines: string[]; kindOf(line: number): Kind; bodyFrom: number };

function sideOf(text: string): Side {
  const lines = linesOf(text);
  const { bodyStart, bodyLine } = readFront(text).front;
  let kinds: Kind[] | null = null;
  return {
    lines,
    bodyFrom: bodyLine - 1,
    kindOf: (line) => (kinds ??= kindsOf(text, lines, bodyStart, bodyLine))[line] ?? "blank",
  };
}

/** What each line is: running text, a row of a table, or none of both. */
function kindsOf(text: string, lines: readonly string[], bodyStart: number, bodyLine: number): Kind[] {
  const runs = proseOf(text, bodyStart, bodyLine).runs.flat();
  const found: { from: number; to: number; kind: Kind }[] = [];
  for (let at = 0; at < runs.length; at += 3)
    found.push({ from: runs[at]!, to: runs[at + 1]!, kind: runs[at + 2] === RUN_ROW ? "row" : "prose" });
  found.sort((one, other) => one.from - other.from);
  let [start, run] = [0, 0];
  return lines.map((line): Kind => {
    const end = start + line.length;
    while (run < found.length && found[run]!.to <= start) run++;
    const here = found[run];
    const kind = here && here.from < end ? here.kind : line.trim() === "" ? "blank" : "raw";
    start = end;
    return kind;
  });
}

/** The part of a change that lies in the bodies; the fields are shown by themselves. */
function belowFront(change: LineChange, old: Side, next: Side): LineChange[] {
  const from = Math.max(change.from, old.bodyFrom);
  const newFrom = Math.max(change.newFrom, next.bodyFrom);
  const [to, newTo] = [Math.max(change.to, from), Math.max(change.newTo, newFrom)];
  return from === to && newFrom === newTo ? [] : [{ from, to, newFrom, newTo }];
}

/** Null where the fields would not show all that differs: a comment, an order, what is no YAML. */
function fieldsPart(before: string, after: string, old: Side, next: Side) {
  const [one, other] = [readFront(before), readFront(after)];
  const [head, newHead] = [old.lines.slice(0, old.bodyFrom), next.lines.slice(0, next.bodyFrom)];
  const fields: FieldDiff[] = [];
  for (const name of new Set([...Object.keys(one.fields), ...Object.keys(other.fields)])) {
    const [was, is] = [valueText(one.fields[name]), valueText(other.fields[name])];
    if (was === is) continue;
    const kind = was === null ? "added" : is === null ? "removed" : "changed";
    fields.push({ name, kind, pieces: wordPieces(was ?? "", is ?? "") ?? replaced(was ?? "", is ?? "") });
  }
  const changed = new Set(fields.map(({ name }) => name));
  // Fences come and go with a block, and are not changed else.
  const fences = head.length === 0 || newHead.length === 0;
  const explained = lineChanges(head, newHead).every(
    ({ from, to, newFrom, newTo }) =>
      isOfFields(head, from, to, changed, fences) && isOfFields(newHead, newFrom, newTo, changed, fences),
  );
  const readable = one.front.trouble === null && other.front.trouble === null;
  const empty = fields.length === 0 && head.length !== newHead.length;
  return readable && explained && !empty ? { kind: "fields" as const, fields } : null;
}

const FIELD = /^(?:"([^"\\]*)"|([^\s#:"'-][^:#]*))\s*:(?:\s|$)/;

/** Whether lines of a block belong to fields of these names and say nothing else. */
function isOfFields(
  head: readonly string[],
  from: number,
  to: number,
  names: ReadonlySet<string>,
  fences: boolean,
): boolean {
  let name = "";
  return head.slice(0, to).every((line, at) => {
    const [, quoted, plain] = FIELD.exec(line) ?? [];
    name = quoted ?? plain?.trim() ?? name;
    if (at < from) return true;
    if (at === 0 || at === head.length - 1) return fences && /^---\r?\n$/.test(line);
    return !/(?:^|\s)#/.test(line) && names.has(name);
  });
}

const valueText = (value: Value | undefined): string | null =>
  value === undefined ? null : typeof value === "string" ? value : JSON.stringify(value);

/** One change with the lines around it: word by word where all of it is running text. */
function hunk(old: Side, next: Side, change: LineChange, above: number, below: number): DiffPart[] {
  const { from, to, newFrom, newTo } = change;
  const text = (side: Side, start: number, end: number): string => side.lines.slice(start, end).join("");
  const isProse = (side: Side, start: number, end: number): boolean => {
    for (let line = start; line < end; line++)
      if (!["prose", "blank"].includes(side.kindOf(line))) return false;
    return true;
  };
  const [was, is] = [text(old, from, to), text(next, newFrom, newTo)];
  const prose = isProse(old, above, below) && isProse(next, newFrom, newTo);
  const pieces = prose ? wordPieces(was, is) : null;
  if (pieces) {
    const around = [marked("same", text(old, above, from)), pieces, marked("same", text(old, to, below))];
    return [{ kind: "prose", line: above + 1, pieces: joined(around.flat()) }];
  }
  const rows = (kind: Piece["kind"], side: Side, start: number, end: number) =>
    side.lines.slice(start, end).map((line) => ({ kind, pieces: marked(kind, line) }));
  return [
    {
      kind: "lines",
      line: above + 1,
      rows: [
        ...rows("same", old, above, from),
        ...rows("removed", old, from, to),
        ...rows("added", next, newFrom, newTo),
        ...rows("same", old, to, below),
      ],
    },
  ];
}

const WORD = /[\p{L}\p{N}\p{M}_'’-]+|\s+|./gsu;

/** Null where there is too much of it. */
function wordPieces(before: string, after: string): Piece[] | null {
  if (before === "" || after === "") return replaced(before, after);
  if (before.length + after.length > WORDS_LIMIT) return null;
  const parts = diffArrays(before.match(WORD) ?? [], after.match(WORD) ?? [], { maxEditLength: MOST_EDITS });
  if (!parts) return null;
  return joined(
    phrases(
      parts.map(({ added, removed, value }) => ({
        kind: added ? "added" : removed ? "removed" : "same",
        text: value.join(""),
      })),
    ).flatMap(({ kind, text }) => marked(kind, text)),
  );
}

type Words = Pick<Piece, "kind" | "text">;

/** Words that were replaced one after another are read as one phrase: the blanks between them go and come with them. */
function phrases(words: readonly Words[]): Words[] {
  const all: Words[] = [];
  let [removed, added] = ["", ""];
  const end = (): void => {
    if (removed !== "") all.push({ kind: "removed", text: removed });
    if (added !== "") all.push({ kind: "added", text: added });
    [removed, added] = ["", ""];
  };
  words.forEach((word, at) => {
    const { kind, text } = word;
    const next = words[at + 1];
    if (kind === "removed") removed += text;
    else if (kind === "added") added += text;
    else if (removed !== "" && added !== "" && next && /^[ \t]+$/.test(text)) {
      removed += text;
      added += text;
    } else {
      end();
      all.push(word);
    }
  });
  end();
  return all;
}

const replaced = (before: string, after: string): Piece[] => [
  ...marked("removed", before),
  ...marked("added", after),
];

/** Direction marks, embeddings, overrides and isolates. */
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** The text in pieces: each character that is not seen is one of its own, and so is a carriage return that comes or goes. */
function marked(kind: Piece["kind"], text: string): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  const add = (to: number): void => void (to > from && pieces.push({ kind, text: text.slice(from, to) }));
  const single = (at: number, char: string): void => {
    add(at);
    const code = `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
    pieces.push({ kind, text: char, unseen: { code, turns: TURNS.test(char) } });
    from = at + char.length;
  };
  const found = [...unseenIn(text, "text")];
  // A text may begin with a byte order mark, a piece of one may not.
  if (text.startsWith("\uFEFF")) found.unshift({ at: 0, char: "\uFEFF" });
  if (kind !== "same") for (const { index } of text.matchAll(/\r/g)) found.push({ at: index, char: "\r" });
  for (const { at, char } of found.toSorted((one, other) => one.at - other.at)) single(at, char);
  add(text.length);
  return pieces;
}

/** Neighbours of one kind become one piece. */
function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (last && last.kind === piece.kind && !last.unseen && !piece.unseen) last.text += piece.text;
    else all.push({ ...piece });
  }
  return all;
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
