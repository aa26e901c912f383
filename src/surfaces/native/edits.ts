/** The edits of one call as edits of texts: grouped by note, in the order given, sections found by what was seen of them. */

import {
  append,
  insertLine,
  insertLines,
  prepend,
  replaceBody,
  replaceText,
  type Edit,
} from "../../markdown/edits.ts";
import { NoteError } from "../../markdown/errors.ts";
import { setFields, unsetField } from "../../markdown/field-edits.ts";
import type { Fields } from "../../markdown/frontmatter.ts";
import { addAliases, addTags, removeTags } from "../../markdown/list-edits.ts";
import { eolOf, withEol } from "../../markdown/line-bounds.ts";
import {
  appendToSection,
  deleteSection,
  prependToSection,
  replaceSection,
} from "../../markdown/section-edits.ts";
import { headingsOf, sectionOf, type Heading, type SectionName } from "../../markdown/sections.ts";
import { parseHandle, sectionBy, type Handle } from "../../notebook/handle.ts";
import type { NotePath } from "../../notebook/paths.ts";
import { oneLine } from "./say.ts";

export const DOINGS = [
  "append",
  "prepend",
  "replace",
  "delete",
  "insert_before",
  "insert_after",
  "replace_text",
  "set_fields",
  "unset_fields",
  "add_tags",
  "remove_tags",
  "add_aliases",
] as const;

/** Tags, aliases or fields of one edit. */
const ITEM_LIMIT = 500;

export type EditAsked = {
  note: string;
  do: (typeof DOINGS)[number];
  text?: string;
  find?: string;
  all?: boolean;
  fields?: Record<string, unknown>;
  items?: string[];
};
/** `versions`: those the note was named with, and must still have; `untagged`: the tags that are to go. */
export type NoteEdits = { path: NotePath; edits: Edit[]; versions: string[]; untagged: string[] };

/** The text as it was before the first edit, and its headings, found when somebody asks for them: in a long note it takes a while. */
type Seen = { text: string; headings: () => readonly Heading[] };

export function editsByNote(asked: readonly EditAsked[]): NoteEdits[] {
  const notes = new Map<NotePath, NoteEdits & { seen: Seen }>();
  asked.forEach((one, at) => {
    const handle = parseHandle(one.note);
    let note = notes.get(handle.path);
    if (!note) {
      const seen: Seen = { text: "", headings: () => [] };
      // Handles were given for the text as it is before the first edit of the call.
      const look: Edit = (text, headings) => {
        let found: readonly Heading[] | null = null;
        seen.headings = headings ?? (() => (found ??= headingsOf(text)));
        return (seen.text = text);
      };
      notes.set(handle.path, (note = { path: handle.path, edits: [look], versions: [], untagged: [], seen }));
    }
    if (one.do === "remove_tags") for (const tag of one.items ?? []) note.untagged.push(tag);
    if (handle.heading === null && handle.hash !== null) note.versions.push(handle.hash);
    const edit = handle.heading === null ? noteEdit(one, handle) : sectionEdit(one, handle, note.seen);
    note.edits.push(told(`edit ${at + 1} (${one.do}, "${handle.path}")`, asked.length > 1, edit));
  });
  return [...notes.values()];
}

/** Of several edits one must know which was refused. */
const told =
  (which: string, several: boolean, edit: Edit): Edit =>
  (text, headings) => {
    try {
      return edit(text, headings);
    } catch (error) {
      if (!(error instanceof NoteError) || !several) throw error;
      throw new NoteError(
        error.code,
        `Nothing was changed, because of ${which}: ${error.message}`,
        error.details,
      );
    }
  };

function noteEdit(one: EditAsked, { path, hash }: Handle): Edit {
  switch (one.do) {
    case "append":
      return append(needed(one, "text"), "blank");
    case "prepend":
      return prepend(needed(one, "text"));
    case "replace":
      if (hash === null)
        throw new NoteError(
          "input_refused",
          `replace of the whole body of "${path}" needs its version ("${path}@…"), as reading gives it. Or name a section.`,
        );
      return replaceBody(needed(one, "text"));
    case "delete":
      throw new NoteError(
        "input_refused",
        `delete takes a section out ("${one.note}#Heading"). For the whole note call delete_note.`,
      );
    default:
      return partEdit(one);
  }
}

function sectionEdit(one: EditAsked, handle: Handle, seen: Seen): Edit {
  const named = (): SectionName => {
    const { heading, nth } = sectionBy(seen.text, handle, "edit", seen.headings());
    return { text: heading.text, nth };
  };
  const within =
    (edit: Edit): Edit =>
    (text, headings) => {
      const { start, end } = placeOf(text, named(), headings?.());
      return text.slice(0, start) + edit(text.slice(start, end)) + text.slice(end);
    };
  switch (one.do) {
    case "append":
      return (text, headings) => appendToSection(named(), needed(one, "text"), "block")(text, headings);
    case "prepend":
      return (text, headings) => prependToSection(named(), needed(one, "text"))(text, headings);
    case "replace":
      return (text, headings) => replaceSection(named(), needed(one, "text"))(text, headings);
    case "delete":
      return (text, headings) => deleteSection(named())(text, headings);
    case "insert_before":
    case "insert_after":
      if (one.find !== undefined) return within(partEdit(one));
      return (text, headings) => {
        const { start, end } = placeOf(text, named(), headings?.());
        return insertBlock(text, one.do === "insert_before" ? start : end, needed(one, "text"));
      };
    case "replace_text":
      return within(partEdit(one));
    default:
      throw new NoteError("input_refused", `${one.do} is for a whole note; "${one.note}" names a section.`);
  }
}

function placeOf(text: string, name: SectionName, headings: readonly Heading[] = headingsOf(text)) {
  const section = sectionOf(text, headings, name);
  if (section) return section;
  throw new NoteError("section_missing", "An edit before this one has taken that section away.", {
    section: name.text,
  });
}

/** What is the same in a note and in a section. */
function partEdit(one: EditAsked): Edit {
  const find = () => needed(one, "find");
  switch (one.do) {
    case "insert_before":
      return insertLine(needed(one, "text"), { before: find() });
    case "insert_after":
      return insertLine(needed(one, "text"), { after: find() });
    case "replace_text":
      return nearMiss(find(), replaceText(find(), needed(one, "text"), one.all ? "all" : "only"));
    case "set_fields":
      return setFields(needed(one, "fields") as Fields);
    case "unset_fields":
      return each(needed(one, "items").map(unsetField));
    case "add_tags":
      return addTags(needed(one, "items"));
    case "remove_tags":
      return removeTags(needed(one, "items"));
    case "add_aliases":
      return addAliases(needed(one, "items"));
    default:
      throw new NoteError("input_refused", `${one.do} cannot be done here.`);
  }
}

const each =
  (edits: readonly Edit[]): Edit =>
  (text) =>
    edits.reduce((changed, edit) => edit(changed), text);

function needed<K extends "text" | "find" | "fields" | "items">(
  one: EditAsked,
  name: K,
): NonNullable<EditAsked[K]> {
  const value = one[name];
  if (Array.isArray(value) && value.length > ITEM_LIMIT)
    throw new NoteError("input_refused", `${one.do} takes at most ${ITEM_LIMIT} items.`);
  if (value !== undefined) return value as NonNullable<EditAsked[K]>;
  throw new NoteError("input_refused", `${one.do} needs ${name}.`);
}

/** A text that is there but for case or white space is shown as it is there. */
const nearMiss =
  (find: string, edit: Edit): Edit =>
  (text) => {
    try {
      return edit(text);
    } catch (error) {
      if (!(error instanceof NoteError) || error.code !== "text_missing") throw error;
      const [first = ""] = find.trim().split(/\r?\n/);
      const wanted = plain(first);
      const line =
        wanted === "" ? undefined : text.split(/\r?\n/).find((each) => plain(each).includes(wanted));
      if (line === undefined) throw error;
      throw new NoteError(
        error.code,
        `${error.message} The nearest line is "${oneLine(line, 200)}".`,
        error.details,
      );
    }
  };
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** As a paragraph of its own: blank lines around it, the rest to the byte. */
function insertBlock(text: string, at: number, addition: string): string {
  const eol = eolOf(text);
  const above = text.slice(0, at);
  const lead = above === "" || /\n[ \t]*\r?\n$/.test(above) ? "" : above.endsWith("\n") ? eol : eol + eol;
  const lines = withEol(addition, eol).replace(/\s+$/, "");
  if (at === text.length) return above + lead + lines + (text.endsWith("\n") ? eol : "");
  return insertLines(text, at, `${lead}${lines}${eol}${eol}`, eol);
}
