/** The four tools for one note: create, get, update (and move), delete. */

import { z } from "zod";
import { replaceBody, type Edit } from "../../../markdown/edits.ts";
import { setField, setFields } from "../../../markdown/field-edits.ts";
import { addTags, removeTags, setTags } from "../../../markdown/list-edits.ts";
import { NoteError } from "../../../markdown/errors.ts";
import { escaped, label } from "../../../markdown/label.ts";
import { noteNamed } from "../../naming.ts";
import { ADDS, READS, REMOVES, REPLACES, tool } from "../../surface.ts";
import { checkTags, toNewPath, toWiki } from "../address.ts";
import { path } from "./parameters.ts";
import * as say from "../say.ts";

const tags = z.array(z.string());

export const createNote = tool({
  name: "create_note",
  description: "Create a note. Fails if the path is taken.",
  annotations: ADDS,
  input: z.object({
    path,
    title: z.string().describe("Human-readable title"),
    content: z.string().describe("Markdown content"),
    tags: tags.optional().describe("Tags for categorization"),
  }),
  async run(notebook, input) {
    const now = say.time(notebook.now());
    const fields = { title: input.title, tags: checkTags(input.tags ?? []), created: now, updated: now };
    const at = await toNewPath(notebook, input.path);
    await notebook.write(at, setFields(fields)("") + input.content, { expect: "absent" });
    return `Created note "${label(input.title)}" at ${escaped(toWiki(at))}`;
  },
});

export const getNote = tool({
  name: "get_note",
  description: "Read a note with its metadata.",
  annotations: READS,
  wholeNote: true,
  input: z.object({ path }),
  async run(notebook, input) {
    const note = await notebook.read(await noteNamed(notebook, input.path));
    return say.note(note, { created: note.created ?? note.lastModified, updated: note.lastModified });
  },
});

export const updateNote = tool({
  name: "update_note",
  description:
    "Change a note's content, title or tags, or move it with new_path. Only what is given changes.",
  annotations: REPLACES,
  input: z.object({
    path: path.describe("Current path of the note"),
    new_path: z.string().optional().describe("New path (to move the note)"),
    title: z.string().optional().describe("New title"),
    content: z.string().optional().describe("New content (replaces existing)"),
    tags: tags.optional().describe("Replace all tags (not together with add_tags/remove_tags)"),
    add_tags: tags.optional().describe("Tags to add"),
    remove_tags: tags.optional().describe("Tags to remove"),
    update_backlinks: z
      .boolean()
      .optional()
      .describe("When moving, rewrite links in other notes (default: false)"),
  }),
  async run(notebook, input) {
    const edits = editsFor(input, notebook.now());
    const from = await noteNamed(notebook, input.path);
    const same = input.new_path === undefined || input.new_path === input.path;
    const to = same ? from : await toNewPath(notebook, input.new_path!);
    if (to === from) {
      await notebook.edit([{ path: from, edits }]);
      return `Updated note at ${escaped(toWiki(from))}`;
    }
    const backlinks = input.update_backlinks ? "rewrite" : "leave";
    const { backlinkers } = await notebook.move([{ from, to, edits }], { backlinks });
    return say.moved(toWiki(from), toWiki(to), backlinkers);
  },
});

type Update = {
  title?: string;
  content?: string;
  tags?: string[];
  add_tags?: string[];
  remove_tags?: string[];
};

// Removals come first, then additions.
function editsFor(input: Update, now: Date): Edit[] {
  if (input.tags && (input.add_tags || input.remove_tags))
    throw new NoteError(
      "input_refused",
      "Cannot combine tags with add_tags or remove_tags. Give either the whole list, or what to add and remove.",
    );
  return [
    ...(input.title === undefined ? [] : [setField("title", input.title)]),
    ...(input.tags ? [setTags(checkTags(input.tags))] : []),
    ...(input.remove_tags ? [removeTags(checkTags(input.remove_tags))] : []),
    ...(input.add_tags ? [addTags(checkTags(input.add_tags))] : []),
    ...(input.content === undefined ? [] : [replaceBody(input.content)]),
    setField("updated", say.time(now)),
  ];
}

export const deleteNote = tool({
  name: "delete_note",
  description:
    "Delete a note. Links to it stay as they are and are reported. Its history remains: restore_note_version brings it back.",
  annotations: REMOVES,
  input: z.object({ path }),
  async run(notebook, input) {
    const at = await noteNamed(notebook, input.path);
    const { backlinkers } = await notebook.remove(at, { backlinks: "leave" });
    return say.deleted(toWiki(at), backlinkers);
  },
});
