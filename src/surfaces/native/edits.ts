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
import type { Before } from "../../notebook/plan.ts";
import { oneLine } from "./say.ts";

export const OPERATIONS = [
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

type Operation = (typeof OPERATIONS)[number];
export type EditRequest = {
  note: string;
  do: Operation;
  text?: string;
  find?: string;
  all?: boolean;
  fields?: Record<string, unknown>;
  items?: string[];
};
/** `versions`: those the note was named with, and must still have; `untagged`: the tags that are to go. */
export type NoteEdits = {
  path: NotePath;
  edits: (before: Before) => Edit[];
  versions: string[];
  untagged: string[];
};

/** Handles were given for the text as it is before the first edit of the call, so an edit is made once that text is known. */
type Prepared = (before: Before) => Edit;

export function editsByNote(requests: readonly EditRequest[]): NoteEdits[] {
  const notes = new Map<NotePath, Omit<NoteEdits, "edits"> & { prepared: Prepared[] }>();
  requests.forEach((request, at) => {
    const handle = parseHandle(request.note);
    const { path } = handle;
    const note = notes.get(path) ?? { path, prepared: [], versions: [], untagged: [] };
    notes.set(path, note);
    if (request.do === "remove_tags") for (const tag of request.items ?? []) note.untagged.push(tag);
    if (handle.heading === null && handle.hash !== null) note.versions.push(handle.hash);
    const prepared = handle.heading === null ? noteEdit(request, handle) : sectionEdit(request, handle);
    const which = requests.length > 1 ? `edit ${at + 1} (${request.do}, "${path}")` : null;
    note.prepared.push((before) => namingItself(which, prepared(before)));
  });
  return [...notes.values()].map(({ prepared, ...note }) => ({
    ...note,
    edits: (before) => prepared.map((edit) => edit(before)),
  }));
}

/** Where there are several edits, a refusal says which of them it is about. */
const namingItself =
  (which: string | null, edit: Edit): Edit =>
  (text, headings) => {
    try {
      return edit(text, headings);
    } catch (error) {
      if (!(error instanceof NoteError) || which === null) throw error;
      throw new NoteError(
        error.code,
        `Nothing was changed, because of ${which}: ${error.message}`,
        error.details,
      );
    }
  };

/** Every operation is named here and in `sectionEdit`, so that the compiler asks for a new one in both. */
function noteEdit(request: EditRequest, { path, hash }: Handle): Prepared {
  const { do: operation } = request;
  switch (operation) {
    case "append":
      return always(append(required(request, "text"), "blank"));
    case "prepend":
      return always(prepend(required(request, "text")));
    case "replace":
      if (hash === null)
        throw new NoteError(
          "input_refused",
          `replace of the whole body of "${path}" needs its version ("${path}@…"), as reading gives it. Or name a section.`,
        );
      return always(replaceBody(required(request, "text")));
    case "delete":
      throw new NoteError(
        "input_refused",
        `delete takes a section out ("${request.note}#Heading"). For the whole note call delete_note.`,
      );
    case "insert_before":
    case "insert_after":
    case "replace_text":
      return always(textEdit(operation, request));
    case "set_fields":
      return always(setFields(required(request, "fields") as Fields));
    case "unset_fields":
      return always(inOrder(required(request, "items").map(unsetField)));
    case "add_tags":
      return always(addTags(required(request, "items")));
    case "remove_tags":
      return always(removeTags(required(request, "items")));
    case "add_aliases":
      return always(addAliases(required(request, "items")));
  }
}

const always =
  (edit: Edit): Prepared =>
  () =>
    edit;

function sectionEdit(request: EditRequest, handle: Handle): Prepared {
  const { do: operation } = request;
  switch (operation) {
    case "append":
      return atSection(handle, (name) => appendToSection(name, required(request, "text"), "block"));
    case "prepend":
      return atSection(handle, (name) => prependToSection(name, required(request, "text")));
    case "replace":
      return atSection(handle, (name) => replaceSection(name, required(request, "text")));
    case "delete":
      return atSection(handle, deleteSection);
    case "insert_before":
    case "insert_after":
      if (request.find !== undefined) return inSection(handle, textEdit(operation, request));
      return atSection(handle, (name) => (text, headings) => {
        const { start, end } = placeOf(text, name, headings?.());
        return insertBlock(text, operation === "insert_before" ? start : end, required(request, "text"));
      });
    case "replace_text":
      return inSection(handle, textEdit(operation, request));
    case "set_fields":
    case "unset_fields":
    case "add_tags":
    case "remove_tags":
    case "add_aliases":
      throw new NoteError(
        "input_refused",
        `${operation} is for a whole note; "${request.note}" names a section.`,
      );
  }
}

/** An edit that is given the section by its name. */
const atSection =
  (handle: Handle, edit: (name: SectionName) => Edit): Prepared =>
  (before) =>
  (text, headings) => {
    const { heading, nth } = sectionBy(before.text, handle, "edit", before.headings());
    return edit({ text: heading.text, nth })(text, headings);
  };

/** An edit that sees nothing but the section. */
const inSection = (handle: Handle, edit: Edit): Prepared =>
  atSection(handle, (name) => (text, headings) => {
    const { start, end } = placeOf(text, name, headings?.());
    return text.slice(0, start) + edit(text.slice(start, end)) + text.slice(end);
  });

function placeOf(text: string, name: SectionName, headings: readonly Heading[] = headingsOf(text)) {
  const section = sectionOf(text, headings, name);
  if (section) return section;
  throw new NoteError("section_missing", "An edit before this one has taken that section away.", {
    section: name.text,
  });
}

/** An edit that finds its place by a text, in a note as in a section. */
function textEdit(operation: "insert_before" | "insert_after" | "replace_text", request: EditRequest): Edit {
  switch (operation) {
    case "insert_before":
      return insertLine(required(request, "text"), { before: required(request, "find") });
    case "insert_after":
      return insertLine(required(request, "text"), { after: required(request, "find") });
    case "replace_text": {
      const find = required(request, "find");
      const edit = replaceText(find, required(request, "text"), request.all ? "all" : "only");
      return namingNearest(find, edit);
    }
  }
}

const inOrder =
  (edits: readonly Edit[]): Edit =>
  (text) =>
    edits.reduce((changed, edit) => edit(changed), text);

function required<K extends "text" | "find" | "fields" | "items">(
  request: EditRequest,
  name: K,
): NonNullable<EditRequest[K]> {
  const value = request[name];
  if (value !== undefined) return value as NonNullable<EditRequest[K]>;
  throw new NoteError("input_refused", `${request.do} needs ${name}.`);
}

/** A refusal shows the line that differs from the text only in case or white space. */
const namingNearest =
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

/** Inserts a paragraph of its own, with blank lines around it; the rest stays to the byte. */
function insertBlock(text: string, at: number, addition: string): string {
  const eol = eolOf(text);
  const above = text.slice(0, at);
  const lead = above === "" || /\n[ \t]*\r?\n$/.test(above) ? "" : above.endsWith("\n") ? eol : eol + eol;
  const lines = withEol(addition, eol).trimEnd();
  if (at === text.length) return above + lead + lines + (text.endsWith("\n") ? eol : "");
  return insertLines(text, at, `${lead}${lines}${eol}${eol}`, eol);
}
