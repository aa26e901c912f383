/** The eight tools for notes of a knowledge base. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import type { NotePath } from "../../../notebook/paths.ts";
import type { Base } from "../../../notebook/rules.ts";
import { firstThatFit, listRemark, withRemark } from "../../fitting.ts";
import { ADDS, READS, REMOVES, REPLACES, tool } from "../../surface.ts";
import { baseOf, toFolder, toPath } from "../address.ts";
import * as say from "../say.ts";

// More rows than this would not fit in an answer, however short their paths.
const MOST_LISTED = 65_536;

const knowledge_base_name = z.string().describe("Name of the knowledge base");
const note_path = z
  .string()
  .describe("Path with .md within the base's folder, e.g. 'papers/2025-12-10-transformers.md'");
const named = z.object({ knowledge_base_name, note_path });

const find = async (
  notebook: Notebook,
  input: z.infer<typeof named>,
): Promise<{ base: Base; path: NotePath }> => {
  const base = await baseOf(notebook, input.knowledge_base_name);
  return { base, path: await toPath(notebook, base, input.note_path) };
};

export const createNote = tool({
  name: "create_note",
  description:
    "Create a note in a knowledge base. Refused where the note exists or does not satisfy its folder's rules.",
  annotations: ADDS,
  wholeNote: true,
  input: named.extend({ note_content: z.string().describe("Whole Markdown text, frontmatter included") }),
  async run(notebook, input) {
    const { base, path } = await find(notebook, input);
    const { changes } = await notebook.write(path, input.note_content, { expect: "absent", mdWritten: true });
    return {
      knowledge_base: say.baseWithRules(base),
      note: say.note(changes[0]!.after!),
      machine_validation: say.validation([]),
      validation_instruction_for_llm: say.CHECK_NOTE,
    };
  },
});

export const updateNote = tool({
  name: "update_note",
  description: "Replace the whole text of a note. Answers with the text before and after.",
  annotations: REPLACES,
  wholeNote: true,
  input: named.extend({
    note_content: z.string().describe("New whole Markdown text"),
    expected_version: z
      .string()
      .optional()
      .describe("The version the note must still have, as given beside it"),
  }),
  async run(notebook, input) {
    const { base, path } = await find(notebook, input);
    const edits = [() => input.note_content];
    const { changes } = await notebook.edit([{ path, edits }], { expect: input.expected_version });
    return say.changed(base, changes[0]!);
  },
});

export const appendNote = tool({
  name: "append_note",
  description: "Add text to the end of a note, after a line break. Answers with the text before and after.",
  annotations: ADDS,
  wholeNote: true,
  input: named.extend({ note_content: z.string().describe("Text to append") }),
  async run(notebook, input) {
    const { base, path } = await find(notebook, input);
    const edits = [(text: string) => `${text}\n${input.note_content}`];
    const { changes } = await notebook.edit([{ path, edits }]);
    return say.changed(base, changes[0]!);
  },
});

export const moveNote = tool({
  name: "move_note",
  description:
    "Move a note within its knowledge base. Links to it are rewritten. Refused where the place is taken or its rules are not satisfied.",
  annotations: REPLACES,
  input: z.object({
    knowledge_base_name,
    origin_note_path: note_path.describe("Present path of the note"),
    new_note_path: note_path.describe("New path of the note"),
  }),
  async run(notebook, input) {
    const base = await baseOf(notebook, input.knowledge_base_name);
    const from = await toPath(notebook, base, input.origin_note_path);
    const to = await toPath(notebook, base, input.new_note_path);
    if (from === to) throw await alreadyThere(notebook, from);
    const { changes } = await notebook.move([{ from, to }], { backlinks: "rewrite", mdWritten: true });
    return {
      knowledge_base: say.baseWithRules(base),
      origin_path: changes[0]!.from,
      new_path: changes[0]!.path,
      machine_validation: say.validation([]),
      validation_instruction_for_llm: say.CHECK_NOTE,
    };
  },
});

async function alreadyThere(notebook: Notebook, path: NotePath): Promise<NoteError> {
  await notebook.read(path);
  return new NoteError("note_exists", `The note "${path}" is already there. Give another new_note_path.`, {
    path,
  });
}

export const deleteNote = tool({
  name: "delete_note",
  description: "Delete a note. Links to it stay as they are; its text stays in the history.",
  annotations: REMOVES,
  input: named,
  async run(notebook, input) {
    const { base, path } = await find(notebook, input);
    const { changes } = await notebook.remove(path, { backlinks: "leave" });
    return { knowledge_base: say.baseSummary(base), deleted_path: changes[0]!.path };
  },
});

export const readNote = tool({
  name: "read_note",
  description: "Read a note, or a part of it: go on from next_offset while has_more is true.",
  annotations: READS,
  wholeNote: true,
  input: named.extend({
    offset: z.int().min(0).default(0).describe("Character to begin at"),
    limit: z.int().min(1).default(10_000).describe("Most characters to give"),
  }),
  async run(notebook, input) {
    const { base, path } = await find(notebook, input);
    const note = await notebook.read(path);
    return { knowledge_base: say.baseWithRules(base), note: say.chunk(note, input.offset, input.limit) };
  },
});

export const listNotes = tool({
  name: "list_notes",
  description: "List the paths of all notes in a knowledge base, or in one folder of it.",
  annotations: READS,
  input: z.object({
    knowledge_base_name,
    subfolder: z.string().optional().describe("Only notes below this folder of the base"),
  }),
  async run(notebook, input) {
    const base = await baseOf(notebook, input.knowledge_base_name);
    const folder = await toFolder(notebook, base, input.subfolder ?? "");
    const found = await notebook.find({ folder, deep: true }, { limit: MOST_LISTED, sort: "path" });
    const notes = firstThatFit(
      found.notes.map(({ path }) => ({ path })),
      (note) => JSON.stringify(note),
      1,
    );
    return withRemark(
      { knowledge_base: say.baseSummary(base), notes },
      listRemark(notes.length, found.total, found),
    );
  },
});

export const validateNote = tool({
  name: "validate_note",
  description: "Check a note as it is against its folder's rules, without changing it.",
  annotations: READS,
  wholeNote: true,
  input: named,
  async run(notebook, input) {
    const { base, path } = await find(notebook, input);
    const note = await notebook.read(path);
    const verdict = await notebook.check(note.path);
    return {
      knowledge_base: say.baseWithRules(base),
      note: say.note(note),
      machine_validation: say.validation(verdict?.issues ?? []),
      validation_instruction_for_llm: say.CHECK_NOTE,
    };
  },
});
