/** The tools of the obsidian surface that work on a part of a note: a text, a line, a section. */

import { z } from "zod";
import * as edits from "../../../markdown/edits.ts";
import { NoteError } from "../../../markdown/errors.ts";
import * as sections from "../../../markdown/section-edits.ts";
import type { SectionName } from "../../../markdown/sections.ts";
import { textOf } from "../../../notebook/note.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { ADDS, EDITS, READS, REMOVES, tool } from "../../surface.ts";
import { sectionNamed } from "../address.ts";
import { editNote, readNamed, withDetails } from "./one-note.ts";
import { name, section } from "./parameters.ts";
import * as say from "../say.ts";

const changedSection = (
  notebook: Notebook,
  name: string,
  section: string,
  edit: (wanted: SectionName) => edits.Edit,
) => editNote(notebook, name, withDetails({ section }, edit(sectionNamed(section))));

export const replaceText = tool({
  name: "replace_text",
  description:
    "Replace text in a note's body, literally: the first occurrence, or all. Answers how many were replaced.",
  annotations: EDITS,
  input: z.object({
    name,
    old_text: z.string(),
    new_text: z.string(),
    replace_all: z.boolean().default(false),
  }),
  async run(notebook, { name, old_text, new_text, replace_all }) {
    if (old_text === "") throw new NoteError("input_refused", "old_text cannot be empty");
    const { before } = await editNote(
      notebook,
      name,
      edits.replaceText(old_text, new_text, replace_all ? "all" : "first"),
    );
    return { name, replaced: replace_all ? edits.countText(textOf(before!), old_text) : 1 };
  },
});

export const insertText = tool({
  name: "insert_text",
  description:
    "Insert text as its own line(s) before or after the first body line that equals the pattern. Give exactly one of before and after.",
  annotations: ADDS,
  input: z.object({
    name,
    text: z.string(),
    before: z.string().default("").describe("Line to insert before"),
    after: z.string().default("").describe("Line to insert after"),
  }),
  async run(notebook, { name, text, before, after }) {
    if ((before === "") === (after === ""))
      throw new NoteError("input_refused", "Exactly one of 'before' or 'after' must be provided");
    await editNote(notebook, name, edits.insertLine(text, before === "" ? { after } : { before }));
    return before === ""
      ? { name, position: "after", pattern: after }
      : { name, position: "before", pattern: before };
  },
});

export const readSection = tool({
  name: "read_section",
  description: "Text below one heading, without the heading line.",
  annotations: READS,
  wholeNote: true,
  input: z.object({ name, section }),
  async run(notebook, { name, section }) {
    const note = await readNamed(notebook, name);
    const read = withDetails(
      { name },
      withDetails({ section }, (text) => sections.sectionText(text, sectionNamed(section), note.headings)),
    );
    return read(textOf(note)).trim();
  },
});

export const appendSection = tool({
  name: "append_section",
  description: "Add text at the end of one section.",
  annotations: ADDS,
  input: z.object({ name, section, text: z.string() }),
  async run(notebook, { name, section, text }) {
    await changedSection(notebook, name, section, (wanted) => sections.appendToSection(wanted, text, "line"));
    return { name, section, status: "appended" };
  },
});

export const getHeadings = tool({
  name: "get_headings",
  description: "The headings of a note with their levels: what can be read or changed by section.",
  annotations: READS,
  input: z.object({ name }),
  async run(notebook, { name }) {
    const { headings } = await readNamed(notebook, name);
    const own = headings.filter(
      (heading) => heading.kind === "atx" && !heading.nested && heading.text !== "",
    );
    return say.listAnswer(own.map(({ level, text }) => ({ level, text })));
  },
});

export const updateSection = tool({
  name: "update_section",
  description: "Replace the text below one heading, subsections included; the heading stays.",
  annotations: EDITS,
  input: z.object({ name, section, content: z.string() }),
  async run(notebook, { name, section, content }) {
    await changedSection(notebook, name, section, (wanted) => sections.replaceSection(wanted, content));
    return { name, section, status: "updated" };
  },
});

export const deleteSection = tool({
  name: "delete_section",
  description: "Delete one section: heading, text and subsections.",
  annotations: REMOVES,
  input: z.object({ name, section }),
  async run(notebook, { name, section }) {
    await changedSection(notebook, name, section, sections.deleteSection);
    return { name, section, status: "deleted" };
  },
});
