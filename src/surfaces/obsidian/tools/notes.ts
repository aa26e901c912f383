/** The six tools of the obsidian surface for one whole note: read, create, append, update, delete, rename. */

import { z } from "zod";
import { append, replaceBody } from "../../../markdown/edits.ts";
import { textOf } from "../../../notebook/note.ts";
import { ADDS, READS, REMOVES, REPLACES, tool } from "../../surface.ts";
import { checkNameFree, locateNote, pathFor, renamedPath } from "../address.ts";
import * as say from "../say.ts";
import { checkTagsAndRules } from "../tag-policy.ts";
import { editNote, readNamed } from "./one-note.ts";
import { dry_run, fieldsGiven, name } from "./parameters.ts";

export const readNote = tool({
  name: "read_note",
  description: "Read a whole note: frontmatter and body.",
  annotations: READS,
  wholeNote: true,
  input: z.object({ name }),
  run: async (notebook, { name }) => textOf(await readNamed(notebook, name)),
});

export const createNote = tool({
  name: "create_note",
  description:
    "Create a note. A bare name goes to the vault's root, folder/name into that folder. Only tags the vault already has are accepted.",
  annotations: ADDS,
  input: z.object({
    name,
    content: z.string().default("").describe("Body, Markdown"),
    frontmatter: z.string().default("").describe('Fields as a JSON object: {"tags": ["a"]}'),
  }),
  async run(notebook, { name, content, frontmatter }) {
    const path = pathFor(name);
    const text = fieldsGiven(frontmatter) + content;
    await notebook.ready();
    await notebook.write(path, text, {
      expect: "absent",
      async guard(changes) {
        await checkNameFree(notebook, name);
        await checkTagsAndRules(notebook)(changes);
      },
    });
    return { name: name.replace(/\.md$/i, ""), path };
  },
});

export const appendNote = tool({
  name: "append_note",
  description: "Add text at the end of a note, after a blank line.",
  annotations: ADDS,
  input: z.object({ name, text: z.string() }),
  async run(notebook, { name, text }) {
    await editNote(notebook, name, append(text, "blank"));
    return { name, status: "appended" };
  },
});

export const updateNote = tool({
  name: "update_note",
  description: "Replace the whole body of a note; its frontmatter stays.",
  annotations: REPLACES,
  input: z.object({ name, content: z.string().describe("New body") }),
  async run(notebook, { name, content }) {
    await editNote(notebook, name, replaceBody(content));
    return { name, status: "updated" };
  },
});

export const deleteNote = tool({
  name: "delete_note",
  description: "Move a note to .trash/. Links to it elsewhere become [[name (deleted)]].",
  annotations: REMOVES,
  input: z.object({ name, dry_run }),
  async run(notebook, { name, dry_run }) {
    const path = await locateNote(notebook, name);
    const { changes, trash } = await notebook.remove(path, {
      trash: true,
      backlinks: "mark",
      dryRun: dry_run,
    });
    return { name, trash_path: trash, files_updated: say.filesUpdated(changes) };
  },
});

export const renameNote = tool({
  name: "rename_note",
  description:
    "Rename a note and rewrite every link to it. It stays in its folder, unless new_name is folder/name.",
  annotations: REPLACES,
  input: z.object({ old_name: name, new_name: z.string(), dry_run }),
  async run(notebook, { old_name, new_name, dry_run }) {
    const from = await locateNote(notebook, old_name);
    const { changes } = await notebook.move([{ from, to: renamedPath(from, new_name) }], {
      backlinks: "rewrite",
      dryRun: dry_run,
      guard: () => checkNameFree(notebook, new_name, from),
    });
    return { old_name, new_name, files_updated: say.filesUpdated(changes) };
  },
});
