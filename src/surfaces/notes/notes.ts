/** The notes surface: six tools for short notes that are known by an id. */

import type { Surface } from "../surface.ts";
import { explain } from "./explain.ts";
import { addNote, deleteNote, getNote, listNotes, searchNotes, updateNote } from "./tools/notes.ts";

export const notes: Surface = {
  name: "notes",
  instructions:
    "Short notes, each known by an ID of eight characters. AddNote answers with the ID; ListNotes and SearchNotes show it; the other tools ask for it.",
  tools: [addNote, getNote, listNotes, searchNotes, updateNote, deleteNote],
  explain,
};
