/** What differs in the fields of two notes, by name; null where fields alone would hide something. */

import { lineChanges } from "./diff.ts";
import { replaced, wordPieces, type Piece } from "./diff-words.ts";
import { readFront, type Value } from "./frontmatter.ts";

export type FieldDiff = { name: string; kind: "added" | "removed" | "changed"; pieces: Piece[] };
/** The lines of a text, and the line on which its body begins, counted from 0. */
type Side = { lines: string[]; bodyFrom: number };

/** Null where the fields would not show all that differs: a comment, an order, what is no YAML. */
export function fieldsPart(
  before: string,
  after: string,
  old: Side,
  next: Side,
): { kind: "fields"; fields: FieldDiff[] } | null {
  const [one, other] = [readFront(before), readFront(after)];
  const [head, newHead] = [old.lines.slice(0, old.bodyFrom), next.lines.slice(0, next.bodyFrom)];
  const fields: FieldDiff[] = [];
  for (const name of new Set([...Object.keys(one.fields), ...Object.keys(other.fields)])) {
    const [was, is] = [one.fields[name], other.fields[name]];
    if (written(was) === written(is)) continue;
    const kind = was === undefined ? "added" : is === undefined ? "removed" : "changed";
    // Values of two kinds may read alike, as 4 and "4" do: then both are shown as they are written.
    const say = said(was) === said(is) ? written : said;
    fields.push({ name, kind, pieces: wordPieces(say(was), say(is)) ?? replaced(say(was), say(is)) });
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

const written = (value: Value | undefined): string => (value === undefined ? "" : JSON.stringify(value));

/** A value in words: a list by its members, nothing as `empty`. */
const said = (value: Value | undefined): string => {
  if (value === undefined) return "";
  if (value === null || value === "" || (Array.isArray(value) && value.length === 0)) return "empty";
  if (Array.isArray(value)) return value.map(said).join(", ");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
};
