/** The six tools of the notes surface: add, get, list, search, update and delete a note. */

import { z } from "zod";
import { replaceBody, type Edit } from "../../../markdown/edits.ts";
import { NoteError } from "../../../markdown/errors.ts";
import { setField, setFields } from "../../../markdown/field-edits.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { nameOf, type NotePath } from "../../../notebook/paths.ts";
import { ADDS, READS, REMOVES, REPLACES, tool } from "../../surface.ts";
import { freshId, noteWith, placesFor } from "../address.ts";
import * as say from "../say.ts";

// A missing argument is answered by the tool itself, in the words of its spec; clients are shown which ones it needs.
const argument = z.string().nullish();

/** The text of an argument, trimmed; one that is missing or blank is refused. */
function filled(text: string | null | undefined, what: string): string {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "") throw new NoteError("input_refused", `${what} cannot be empty`);
  return trimmed;
}

// More rows than this would not fit in an answer, however short their titles.
const PAGE = { limit: 16_384, sort: "created" } as const;

const list = async (notebook: Notebook) => say.list(await notebook.find({ all: [] }, PAGE));

/** Writes the note at the first place whose name no note has. Only the write, inside the lock, can tell. */
async function writeAtFree(notebook: Notebook, places: NotePath[], text: string): Promise<void> {
  const [place, ...others] = places as [NotePath, ...NotePath[]];
  const guard = async () => {
    const taken = (await notebook.find({ name: nameOf(place) }, { limit: 1, sort: "path" })).notes[0];
    if (taken)
      throw new NoteError("note_exists", `There is already a note "${taken.path}"`, { path: taken.path });
  };
  try {
    await notebook.write(place, text, { expect: "absent", guard });
  } catch (error) {
    if (others.length === 0 || !(error instanceof NoteError) || error.code !== "note_exists") throw error;
    await writeAtFree(notebook, others, text);
  }
}

const newNote = (id: string, title: string, content: string, created: Date): string =>
  `${setFields({ id, title, created: created.toISOString() })("")}${content}\n`;

export const addNote = tool({
  name: "AddNote",
  aliases: ["add_note"],
  description: "Create a note. The answer gives its ID.",
  annotations: ADDS,
  advertised: z.object({
    title: z.string().describe("Title, not blank"),
    content: z.string().describe("Text of the note, not blank"),
  }),
  input: z.object({ title: argument, content: argument }),
  async run(notebook, input) {
    const title = filled(input.title, "Title");
    const content = filled(input.content, "Content");
    // Only a whole index knows which ids and names are free; the tool waits for it before the lock is taken.
    await notebook.ready();
    const id = await freshId(notebook);
    await writeAtFree(notebook, placesFor(title, id), newNote(id, title, content, notebook.now()));
    return say.added(title, id);
  },
});

export const getNote = tool({
  name: "GetNote",
  aliases: ["get_note"],
  description: "Read one note, whole, by its ID.",
  annotations: READS,
  wholeNote: true,
  advertised: z.object({ id: z.string().describe("ID of the note, eight characters") }),
  input: z.object({ id: argument }),
  async run(notebook, { id }) {
    const row = await noteWith(notebook, filled(id, "Note ID"));
    return say.whole(await notebook.read(row.path), row);
  },
});

export const listNotes = tool({
  name: "ListNotes",
  aliases: ["list_notes"],
  description: "List all notes with ID, title and times, newest first.",
  annotations: READS,
  input: z.object({}),
  run: list,
});

export const searchNotes = tool({
  name: "SearchNotes",
  aliases: ["search_notes"],
  description:
    "Find the notes whose title or content holds the query, as literal text in any case; newest first, with the place of the hit.",
  annotations: READS,
  advertised: z.object({ query: z.string().describe("Text to look for; empty lists all notes") }),
  input: z.object({ query: argument }),
  async run(notebook, { query }) {
    if (!query?.trim()) return list(notebook);
    const found = await notebook.find(
      { holds: query, in: "either" },
      { ...PAGE, snippet: { before: 30, width: 80 } },
    );
    return say.hits(found, query);
  },
});

export const updateNote = tool({
  name: "UpdateNote",
  aliases: ["update_note"],
  description: "Replace the title, the content or both of a note; what is not given stays.",
  annotations: REPLACES,
  advertised: z.object({
    id: z.string().describe("ID of the note"),
    title: z.string().optional().describe("New title"),
    content: z.string().optional().describe("New text, in place of the whole old text"),
  }),
  input: z.object({ id: argument, title: argument, content: argument }),
  async run(notebook, { id, title, content }) {
    const wanted = filled(id, "Note ID");
    const [newTitle, newContent] = [title ?? null, content ?? null];
    if (newTitle === null && newContent === null)
      throw new NoteError("input_refused", "At least one of title or content must be provided");
    const row = await noteWith(notebook, wanted);
    const edits: Edit[] = [];
    if (newTitle !== null) edits.push(setField("title", filled(newTitle, "Title")));
    if (newContent !== null) edits.push(replaceBody(`${filled(newContent, "Content")}\n`));
    edits.push(setField("updated", notebook.now().toISOString()));
    const { changes } = await notebook.edit([{ path: row.path, edits }]);
    return say.changed(changes[0]?.after?.title ?? row.title, row.id);
  },
});

export const deleteNote = tool({
  name: "DeleteNote",
  aliases: ["delete_note"],
  description: "Delete a note by its ID.",
  annotations: REMOVES,
  advertised: z.object({ id: z.string().describe("ID of the note") }),
  input: z.object({ id: argument }),
  async run(notebook, { id }) {
    const row = await noteWith(notebook, filled(id, "Note ID"));
    await notebook.remove(row.path, { backlinks: "leave" });
    return say.deleted(row.title, row.id);
  },
});
