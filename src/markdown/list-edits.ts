/** Edits of the fields that hold lists of words, `tags` and `aliases`: an item comes or goes, and its neighbours keep their bytes. */

import type { Edit } from "./edits.ts";
import { NoteError } from "./errors.ts";
import { changeFields, openFields, withSplices, type OpenFields } from "./field-edits.ts";
import type { Value } from "./frontmatter.ts";
import { eolOf, isBlank, lineEnd, lineStart, nextLine } from "./line-bounds.ts";
import { flowInsert, flowRemove } from "./splices.ts";
import { inlineYaml } from "./yaml-write.ts";

type WordList = {
  field: string;
  /** The words of a value that is written as one text instead of a list. */
  split(text: string): string[];
  word(text: string): string;
};
const TAGS: WordList = {
  field: "tags",
  split: (text) => text.split(/[\s,]+/),
  word: (text) => text.trim().replace(/^#+/, ""),
};
const ALIASES: WordList = {
  field: "aliases",
  split: (text) => text.split(","),
  word: (text) => text.trim(),
};

export function addTags(tags: readonly string[]): Edit {
  return (text) => add(text, TAGS, tags);
}

export function removeTags(tags: readonly string[]): Edit {
  return (text) => remove(text, TAGS, tags);
}

/** These and no others, in this order. */
export function setTags(tags: readonly string[]): Edit {
  return (text) => {
    const wanted = wordsGiven(TAGS, tags);
    const present = presentWords(TAGS, openFields(text).fields["tags"] ?? null);
    const same = present.length === wanted.length && present.every((tag, index) => tag === wanted[index]);
    return same ? text : changeFields(text, new Map([["tags", wanted]]));
  };
}

export function addAliases(aliases: readonly string[]): Edit {
  return (text) => add(text, ALIASES, aliases);
}

function add(text: string, list: WordList, words: readonly string[]): string {
  const note = openFields(text);
  const old = note.fields[list.field] ?? null;
  const present = presentWords(list, old);
  const fresh = wordsGiven(list, words).filter((word) => !present.includes(word));
  if (fresh.length === 0) return text;
  const items = itemsAsWritten(note, list.field);
  if (!items || !Array.isArray(old)) {
    const kept = Array.isArray(old) ? old : present;
    return changeFields(text, new Map([[list.field, [...kept, ...fresh]]]));
  }
  const expected = Object.assign(Object.create(null), note.fields, { [list.field]: [...old, ...fresh] });
  if (items.form === "flow") {
    const written = fresh.map((word) => inlineYaml(word, "flow"));
    return withSplices(note, [flowInsert(note.source, items, written)], expected);
  }
  const last = items.items.at(-1)!;
  const dash = note.source.slice(lineStart(note.source, last.start), last.start) + "-";
  const space = /^-( +)\S/.exec(note.source.slice(last.start, last.end))?.[1] ?? " ";
  const lines = fresh.map((word) => eolOf(text) + dash + space + inlineYaml(word, "block"));
  const at = lineEnd(note.source, last.end);
  return withSplices(note, [{ start: at, end: at, text: lines.join("") }], expected);
}

function remove(text: string, list: WordList, words: readonly string[]): string {
  const note = openFields(text);
  const old = note.fields[list.field] ?? null;
  const unwanted = wordsGiven(list, words);
  const present = presentWords(list, old);
  if (!present.some((word) => unwanted.includes(word))) return text;
  const goes = (item: Value) => unwanted.includes(wordOf(list, item));
  const kept = Array.isArray(old)
    ? old.filter((item) => !goes(item))
    : present.filter((word) => !unwanted.includes(word));
  const items = itemsAsWritten(note, list.field);
  if (!items || !Array.isArray(old) || (items.form === "block" && kept.length === 0)) {
    return changeFields(text, new Map([[list.field, kept]]));
  }
  const expected = Object.assign(Object.create(null), note.fields, { [list.field]: kept });
  if (items.form === "flow") {
    return withSplices(
      note,
      flowRemove(note.source, items.items, (_, index) => goes(old[index]!)),
      expected,
    );
  }
  const splices = items.items
    .filter((_, index) => goes(old[index]!))
    .map((item) => ({
      start: lineStart(note.source, item.start),
      end: nextLine(note.source, item.end),
      text: "",
    }));
  return withSplices(note, splices, expected);
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
    throw new NoteError("input_refused", `An entry of \`${list.field}\` cannot be empty; leave it out.`, {
      field: list.field,
    });
  }
  return [...new Set(given)];
}

function presentWords(list: WordList, value: Value): string[] {
  if (value === null) return [];
  if (Array.isArray(value)) return value.map((item) => wordOf(list, item));
  if (typeof value === "object") {
    throw new NoteError(
      "fields_unreadable",
      `The field \`${list.field}\` is no list; make it one, then change it.`,
      {
        field: list.field,
      },
    );
  }
  return list
    .split(String(value))
    .map((word) => list.word(word))
    .filter((word) => word !== "");
}

function wordOf(list: WordList, item: Value): string {
  return typeof item === "object" ? "" : list.word(String(item));
}
