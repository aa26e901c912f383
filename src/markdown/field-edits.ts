/** Edits of fields: each replaces the bytes of its field in the source, and is refused where the block would not read as it should. */

import { NoteError } from "./errors.ts";
import type { Edit } from "./edits.ts";
import { readFront, type Fields, type Front, type Value } from "./frontmatter.ts";
import { eolOf, isBlank, lineEnd, lineStart, nextLine } from "./line-bounds.ts";
import { flowInsert, flowRemove, spliced, type Splice } from "./splices.ts";
import { placesOf, type Entry, type Places } from "./yaml-places.ts";
import { parseYaml } from "./yaml-read.ts";
import { afterColon, blockYaml, inlineYaml, yamlKey } from "./yaml-write.ts";

export function setField(name: string, value: Value): Edit {
  return setFields({ [name]: value });
}

export function setFields(fields: Fields): Edit {
  return (text) => changeFields(text, new Map(Object.entries(fields)));
}

export function unsetField(name: string): Edit {
  return (text) => changeFields(text, new Map([[name, undefined]]));
}

export type OpenFields = { text: string; front: Front; fields: Fields; source: string; places: Places };

/** Refuses a note whose block cannot be read: to write into it would be to guess. */
export function openFields(text: string): OpenFields {
  const { front, fields } = readFront(text);
  if (front.trouble) {
    throw new NoteError(
      "fields_unreadable",
      `The note's frontmatter cannot be read (${front.trouble}); repair it, then change its fields.`,
      { trouble: front.trouble },
    );
  }
  const source = front.yaml ? text.slice(front.yaml.start, front.yaml.end) : "";
  return { text, front, fields, source, places: placesOf(source, parseYaml(source)) };
}

/** `undefined` takes a field out. */
export function changeFields(text: string, changes: ReadonlyMap<string, Value | undefined>): string {
  const note = openFields(text);
  const { fields, front, source, places } = note;
  const eol = eolOf(text);
  const expected: Fields = Object.assign(Object.create(null), fields);
  const added: Fields = Object.create(null);
  const removed: Entry[] = [];
  const splices: Splice[] = [];
  for (const [name, value] of changes) {
    const entry = places.entries.get(name);
    if (value === undefined) {
      if (name in fields && entry) removed.push(entry);
      delete expected[name];
    } else if (!(name in fields)) {
      expected[name] = added[name] = value;
    } else if (!sameValue(fields[name]!, value)) {
      if (entry && places.root === "flow") splices.push(setInFlow(name, entry, value));
      else if (entry) splices.push(setInBlock(source, entry, value, places.indent, eol));
      expected[name] = value;
    }
  }
  const names = Object.keys(added);
  if (!front.yaml) {
    if (names.length === 0) return text;
    const block = `---${eol}${blockYaml(added, "", eol)}${eol}---${eol}`;
    return verified(note, text.slice(0, front.bodyStart) + block + text.slice(front.bodyStart), expected);
  }
  if (places.root === "flow") {
    const spans = [...places.items.items];
    splices.push(...flowRemove(source, spans, (span) => removed.some((entry) => entry.start === span.start)));
    const written = names.map((name) => `${yamlKey(name)}: ${inlineYaml(added[name]!, "flow")}`);
    if (written.length > 0) splices.push(flowInsert(source, places.items, written));
  } else {
    for (const entry of removed) {
      splices.push({ start: lineStart(source, entry.start), end: nextLine(source, entry.end), text: "" });
    }
    if (names.length > 0) {
      splices.push({
        start: source.length,
        end: source.length,
        text: blockYaml(added, places.indent, eol) + eol,
      });
    }
  }
  return withSplices(note, splices, expected);
}

/** The note with its block spliced, once it is shown to read as `expected`. */
export function withSplices(note: OpenFields, splices: readonly Splice[], expected: Fields): string {
  const { text, front, source, fields } = note;
  if (splices.length === 0 && sameValue(fields, expected)) return text;
  const yaml = front.yaml ?? { start: front.bodyStart, end: front.bodyStart };
  return verified(
    note,
    text.slice(0, yaml.start) + spliced(source, splices) + text.slice(yaml.end),
    expected,
  );
}

function verified(note: OpenFields, after: string, expected: Fields): string {
  const read = readFront(after);
  const body = note.text.slice(note.front.bodyStart);
  if (read.front.trouble || !sameValue(read.fields, expected) || after.slice(read.front.bodyStart) !== body) {
    throw new NoteError(
      "fields_unreadable",
      "The note's frontmatter is written in a form that this change cannot be made in safely; write the field by hand, or in a simpler form first.",
      { trouble: read.front.trouble },
    );
  }
  return after;
}

function setInFlow(name: string, entry: Entry, value: Value): Splice {
  const written = inlineYaml(value, "flow", entry.value.quote);
  return entry.value.form === "none"
    ? { start: entry.start, end: entry.end, text: `${yamlKey(name)}: ${written}` }
    : { start: entry.value.start, end: entry.value.end, text: written };
}

function setInBlock(source: string, entry: Entry, value: Value, indent: string, eol: string): Splice {
  const { colonEnd, value: old } = entry;
  const lines = afterColon(value, indent, eol);
  const inline = () => inlineYaml(value, "block", old.quote);
  const headEnd = lineEnd(source, colonEnd);
  const tailEnd = lineEnd(source, old.end);
  const below = old.start > headEnd;

  if (below && isCollection(value) && old.form === (Array.isArray(value) ? "block list" : "block map")) {
    const start = lineStart(source, old.firstItem);
    return { start, end: tailEnd, text: blockYaml(value, source.slice(start, old.firstItem), eol) };
  }
  if (below || old.form === "none") {
    // A comment beside the name stays there, so the value has to fit between the two.
    const comment = isBlank(source, colonEnd, headEnd) ? "" : source.slice(colonEnd, headEnd);
    const written = value === null ? "" : comment ? ` ${inline()}` : lines;
    return { start: colonEnd, end: below ? tailEnd : headEnd, text: written + comment };
  }
  if (value === null) return { start: colonEnd, end: old.end, text: "" };
  const staysInline =
    !lines.includes("\n") ||
    !isBlank(source, old.end, tailEnd) ||
    Array.isArray(value) ||
    (old.form === "flow map" && isCollection(value));
  return staysInline
    ? { start: old.start, end: old.end, text: inline() }
    : { start: colonEnd, end: tailEnd, text: lines };
}

function isCollection(value: Value): value is Value[] | { [key: string]: Value } {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function sameValue(one: Value, other: Value): boolean {
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return one === other;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => sameValue(item, other[index]!));
  }
  const keys = Object.keys(one);
  if (keys.length !== Object.keys(other).length) return false;
  return keys.every((key) => Object.hasOwn(other, key) && sameValue(one[key]!, other[key]!));
}
