/** The `bridges` surface: twelve tools over knowledge bases, folders whose rules bind every note in them. */

import type { Surface } from "../surface.ts";
import { explain } from "./explain.ts";
import { addBase, constrainFolder, listBases, updateBase } from "./tools/bases.ts";
import {
  appendNote,
  createNote,
  deleteNote,
  listNotes,
  moveNote,
  readNote,
  updateNote,
  validateNote,
} from "./tools/notes.ts";

export const bridges: Surface = {
  name: "bridges",
  instructions:
    "Notes live in knowledge bases: folders with organization rules in words, and constraints that a machine checks before every write. Begin with list_knowledge_bases. A refused write lists every issue at once; correct the note and call again. After a write, follow validation_instruction_for_llm.",
  tools: [
    listBases,
    addBase,
    updateBase,
    constrainFolder,
    createNote,
    updateNote,
    appendNote,
    moveNote,
    deleteNote,
    readNote,
    listNotes,
    validateNote,
  ],
  explain,
};
