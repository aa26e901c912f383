/** Edits of the fields that hold lists of words, `tags` and `aliases`: an item comes or goes, and its neighbours keep their bytes. */

import type { Edit } from "./edits.ts";
import { NoteError } from "./errors.ts";
import { changeFields, openFields, withSplices, type OpenFields } from "./field-edits.ts";
import type { Fields, Value } from "./frontmatter.ts";
import { eolOf, isBlank, lineEnd, lineStart, nextLine } from "./line-bounds.ts";
import { flowInsert, flowRemove } from "./splices.ts";
import { inlineYaml } from "./yaml-write.ts";

type WordList = {
  /** Both are read; what is added goes to the first, unless only the second is there. */
  fields: readonly [string, string];
  /** The words of a value that is written as one text instead of a list. */
  split(text: string): string[];
  word(text: string): string;
};
const TAGS: WordList = {
  fields: ["tags", "tag"],
  split: (text) => text.split(/[\s,]+/),
  word: (text) => text.trim().replace(/^#+/, ""),
};
const ALIASES: WordList = {
  fields: ["aliases", "alias"],
  split: (text) => text.split(","),
  word: (text) => text.trim(),
};

export function addTags(tags: readonly string[]): Edit {
  return (text) => add(text, TAGS, tags);
}

export function removeTags(tags: readonly string[]): Edit {
  return (text) => TAGS.fields.reduce((result, field) => remove(result, TAGS, field, tags), text);
}

/** These and no others, in this order. */
export function setTags(tags: readonly string[]): Edit {
  return (text) => {
    const wanted = wordsGiven(TAGS, tags);
    const { fields } = openFields(text);
    const present = TAGS.fields.flatMap((field) => wordsOf(TAGS, field, fields));
    if (present.length === wanted.length && present.every((tag, at) => tag === wanted[at])) return text;
    const kept = fieldFor(TAGS, fields);
    return changeFields(
      text,
      new Map(TAGS.fields.map((field) => [field, field === kept ? wanted : undefined])),
    );
  };
}

export function addAliases(aliases: readonly string[]): Edit {
  return (text) => add(text, ALIASES, aliases);
}

function add(text: string, list: WordList, words: readonly string[]): string {
  const note = openFields(text);
  const present = list.fields.flatMap((field) => wordsOf(list, field, note.fields));
  const added = wordsGiven(list, words).filter((word) => !present.includes(word));
  if (added.length === 0) return text;
  const field = fieldFor(list, note.fields);
  const old = note.fields[field];
  const items = itemsAsWritten(note, field);
  const value = [...(Array.isArray(old) ? old : wordsOf(list, field, note.fields)), ...added];
  if (!items) return changeFields(text, new Map([[field, value]]));
  const expected = Object.assign(Object.create(null), note.fields, { [field]: value });
  if (items.form === "flow") {
    const written = added.map((word) => inlineYaml(word, "flow"));
    return withSplices(note, [flowInsert(note.source, items, written)], expected);
  }
  const last = items.items.at(-1)!;
  const dash = note.source.slice(lineStart(note.source, last.start), last.start) + "-";
  const space = /^-( +)\S/.exec(note.source.slice(last.start, last.end))?.[1] ?? " ";
  const lines = added.map((word) => eolOf(text) + dash + space + inlineYaml(word, "block"));
  const at = lineEnd(note.source, last.end);
  return withSplices(note, [{ start: at, end: at, text: lines.join("") }], expected);
}

function remove(text: string, list: WordList, field: string, words: readonly string[]): string {
  const note = openFields(text);
  const old = note.fields[field];
  const unwanted = wordsGiven(list, words);
  const present = wordsOf(list, field, note.fields);
  if (!present.some((word) => unwanted.includes(word))) return text;
  const goes = (_: unknown, index: number) => unwanted.includes(present[index]!);
  const items = itemsAsWritten(note, field);
  const value = (Array.isArray(old) ? old : present).filter((item, index) => !goes(item, index));
  if (!items || (items.form === "block" && value.length === 0))
    return changeFields(text, new Map([[field, value]]));
  const expected = Object.assign(Object.create(null), note.fields, { [field]: value });
  if (items.form === "flow") return withSplices(note, flowRemove(note.source, items.items, goes), expected);
  const splices = items.items.filter(goes).map((item) => ({
    start: lineStart(note.source, item.start),
    end: nextLine(note.source, item.end),
    text: "",
  }));
  return withSplices(note, splices, expected);
}

function fieldFor(list: WordList, fields: Fields): string {
  const [usual, other] = list.fields;
  return !(usual in fields) && other in fields ? other : usual;
}

/** The items in the source, one for each value; null where there is no list to put an item into. */
function itemsAsWritten(note: OpenFields, field: string) {
  const list = note.places.entries.get(field)?.list;
  const value = note.fields[field];
  if (!list || !Array.isArray(value) || list.items.length !== value.length) return null;
  const ownLines = list.items.every((item) =>
    isBlank(note.source, lineStart(note.source, item.start), item.start),
  );
  return list.form === "flow" || ownLines ? list : null;
}

function wordsGiven(list: WordList, words: readonly string[]): string[] {
  const given = words.map((word) => list.word(word));
  if (given.includes("")) {
    const [field] = list.fields;
    throw new NoteError("input_refused", `An entry of \`${field}\` cannot be empty; leave it out.`, {
      field,
    });
  }
  return [...new Set(given)];
}

/** The words of a field, of a list one for each item: an item that is none of text and number gives an empty one. */
function wordsOf(list: WordList, field: string, fields: Fields): string[] {
  const value = fields[field] ?? null;
  if (value === null) return [];
  if (Array.isArray(value)) return value.map((item) => (isWord(item) ? list.word(String(item)) : ""));
  if (typeof value === "object") {
    throw new NoteError(
      "fields_unreadable",
      `The field \`${field}\` is no list; make it one, then change it.`,
      { field },
    );
  }
  return list
    .split(String(value))
    .map((word) => list.word(word))
    .filter((word) => word !== "");
}

function isWord(item: Value): boolean {
  return typeof item === "string" || typeof item === "number";
}
