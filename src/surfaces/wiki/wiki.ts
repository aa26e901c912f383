/** The `wiki` surface: thirteen tools over notes named by path, with search, browsing and versions. */

import type { Surface } from "../surface.ts";
import { explain } from "./explain.ts";
import { browse, getBacklinks, listTags, recentNotes, searchNotes } from "./tools/finding.ts";
import { createNote, deleteNote, getNote, updateNote } from "./tools/notes.ts";
import { diffNoteVersions, getNoteHistory, getNoteVersion, restoreNoteVersion } from "./tools/versions.ts";

export const wiki: Surface = {
  name: "wiki",
  instructions:
    "A wiki of Markdown notes named by path (no .md). Search or browse before creating; prefer update_note over a second note on the same thing. Link with [[path]] or [[name]]. Every change is a version that can be compared and restored.",
  tools: [
    createNote,
    getNote,
    updateNote,
    deleteNote,
    searchNotes,
    browse,
    listTags,
    getBacklinks,
    recentNotes,
    getNoteHistory,
    getNoteVersion,
    diffNoteVersions,
    restoreNoteVersion,
  ],
  explain,
};
