/** The obsidian surface: twenty-two tools for a vault whose notes are known by name. */

import type { Surface, Tool } from "../surface.ts";
import { explain } from "./explain.ts";
import { openingBlock } from "./opening.ts";
import { addTag, getNoteMetadata, removeTag, setFrontmatter } from "./tools/fields.ts";
import { findBrokenLinks, getLinks, listNotes, searchNotes } from "./tools/finding.ts";
import { getHelp } from "./tools/help.ts";
import { appendNote, createNote, deleteNote, readNote, renameNote, updateNote } from "./tools/notes.ts";
import {
  appendSection,
  deleteSection,
  getHeadings,
  insertText,
  readSection,
  replaceText,
  updateSection,
} from "./tools/parts.ts";

const tools: Tool[] = [
  readNote,
  createNote,
  appendNote,
  updateNote,
  deleteNote,
  renameNote,
  searchNotes,
  getLinks,
  getNoteMetadata,
  setFrontmatter,
  addTag,
  removeTag,
  listNotes,
  replaceText,
  insertText,
  readSection,
  appendSection,
  getHeadings,
  updateSection,
  deleteSection,
  findBrokenLinks,
  getHelp(() => tools),
];

export const obsidian: Surface = {
  name: "obsidian",
  instructions:
    "Notes of an Obsidian vault, known by name: the file name without .md. Where several folders hold that name, use folder/name. For a long note, get_headings and read_section cost less than read_note. delete_note and rename_note keep links in order; dry_run shows what they would change.",
  tools,
  explain,
  opening: openingBlock,
};
