/** The four tools of the obsidian surface for a note's frontmatter: all of it, one field, one tag more or less. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";
import { setField } from "../../../markdown/field-edits.ts";
import { addTags, removeTags } from "../../../markdown/list-edits.ts";
import type { Change } from "../../../notebook/change.ts";
import { ADDS, READS, REPLACES, tool } from "../../surface.ts";
import * as say from "../say.ts";
import { checkTagsAndRules } from "../tag-policy.ts";
import { editNote, readNamed } from "./one-note.ts";
import { fieldValue, name } from "./parameters.ts";

const tagsOf = ({ after }: Change): string[] => after?.tags.fields ?? [];

export const getNoteMetadata = tool({
  name: "get_note_metadata",
  description: "Frontmatter and links of a note, without its body.",
  annotations: READS,
  input: z.object({ name }),
  async run(notebook, { name }) {
    const { path, fields } = await readNamed(notebook, name);
    return say.linksAnswer(
      { name, frontmatter: fields },
      await notebook.links({ from: path }),
      await notebook.links({ to: path }),
    );
  },
});

export const setFrontmatter = tool({
  name: "set_frontmatter",
  description: "Set one frontmatter field. Only tags the vault already has are accepted.",
  annotations: REPLACES,
  input: z.object({
    name,
    key: z.string(),
    value: z.string().describe("JSON for a list, object, true, false or null; anything else is kept as text"),
  }),
  async run(notebook, { name, key, value: written }) {
    if (key.trim() === "") throw new NoteError("input_refused", "key cannot be empty");
    const value = fieldValue(written);
    await editNote(notebook, name, setField(key, value));
    return { name, key, value };
  },
});

export const addTag = tool({
  name: "add_tag",
  description: "Add a tag to a note's frontmatter. It must be one the vault already has.",
  annotations: ADDS,
  input: z.object({ name, tag: z.string() }),
  async run(notebook, { name, tag }) {
    const change = await editNote(notebook, name, addTags([tag]), checkTagsAndRules(notebook));
    return { name, tags: tagsOf(change) };
  },
});

export const removeTag = tool({
  name: "remove_tag",
  description: "Remove a tag from a note's frontmatter.",
  annotations: REPLACES,
  input: z.object({ name, tag: z.string() }),
  async run(notebook, { name, tag }) {
    const change = await editNote(notebook, name, removeTags([tag]));
    return { name, tags: tagsOf(change), removed: change.before?.version !== change.after?.version };
  },
});
