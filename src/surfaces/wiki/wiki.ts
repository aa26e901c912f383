/** The `wiki` surface: thirteen tools over notes named by path, with search, browsing and versions. */

import { z } from "zod";
import { replaceBody, type Edit } from "../../markdown/edits.ts";
import { setField, setFields } from "../../markdown/field-edits.ts";
import { addTags, removeTags, setTags } from "../../markdown/list-edits.ts";
import { NoteError } from "../../markdown/errors.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { dateOf } from "../../notebook/note.ts";
import { folderPath } from "../../notebook/paths.ts";
import { parseQuery } from "../../notebook/query.ts";
import { fitting, listRemark, remarked } from "../fitting.ts";
import { ADDS, READS, REMOVES, REPLACES, tool, type Surface } from "../surface.ts";
import { checkTags, toNewPath, toPath, toWiki } from "./address.ts";
import { explain } from "./explain.ts";
import * as say from "./say.ts";

const HISTORY_LIMIT = 100;
const PAGE_LIMIT = 100;
const SNIPPET = { before: 40, width: 120 };

const path = z.string().describe("Path without .md, e.g. 'projects/wiki-ai/ideas'");
const tags = z.array(z.string());
const version = z.string().describe("Commit SHA, short or full");

const createNote = tool({
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
    await notebook.write(toNewPath(input.path), setFields(fields)("") + input.content, { expect: "absent" });
    return `Created note "${input.title}" at ${input.path}`;
  },
});

const getNote = tool({
  name: "get_note",
  description: "Read a note with its metadata.",
  annotations: READS,
  wholeNote: true,
  input: z.object({ path }),
  async run(notebook, input) {
    const note = await notebook.read(toPath(input.path));
    return say.note(note, say.timesOf(note, { created: note.modified, updated: note.modified }));
  },
});

const updateNote = tool({
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
    const from = toPath(input.path);
    const to =
      input.new_path === undefined || input.new_path === input.path ? from : toNewPath(input.new_path);
    if (to === from) {
      await notebook.edit([{ path: from, edits }]);
      return `Updated note at ${input.path}`;
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

// Removals first, then additions.
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

const deleteNote = tool({
  name: "delete_note",
  description:
    "Delete a note. Links to it stay as they are and are reported. Its history remains: restore_note_version brings it back.",
  annotations: REMOVES,
  input: z.object({ path }),
  async run(notebook, input) {
    const { backlinkers } = await notebook.remove(toPath(input.path), { backlinks: "leave" });
    return say.deleted(input.path, backlinkers);
  },
});

const searchNotes = tool({
  name: "search_notes",
  description:
    'Full-text search. Syntax: words (all must match), "a phrase", title:word, tag:value, folder:path, AND, OR, -term, parentheses.',
  annotations: READS,
  input: z.object({
    query: z.string().describe("Search query with optional field filters"),
    limit: z.number().optional().describe("Max results (default 10)"),
    cursor: z.string().optional().describe("Pagination cursor from previous search"),
  }),
  async run(notebook, { query, limit, cursor }) {
    const page = { limit: bounded(limit ?? 10, PAGE_LIMIT), sort: "rank" as const, snippet: SNIPPET };
    const found = await notebook.find(
      parseQuery(query, { from: "fields" }),
      cursor === undefined ? page : { ...page, cursor },
    );
    return remarked(say.searched(query, found), listRemark(0, 0, found));
  },
});

const browse = tool({
  name: "browse",
  description: "List the folders and notes at a path.",
  annotations: READS,
  input: z.object({ path: z.string().optional().describe("Folder path (omit or empty for root)") }),
  async run(notebook, input) {
    const folder = folderPath(input.path ?? "");
    const folders = (await notebook.folders(folder)).toSorted(
      (a, b) => b.count - a.count || (a.name < b.name ? -1 : 1),
    );
    const found = await notebook.find({ folder }, { limit: Number.MAX_SAFE_INTEGER, sort: "modified" });
    const at = folder === "" ? undefined : await noteAt(notebook, folder);
    const notes = fitting(found.notes, (it) => `${it.title}${it.path}`, 40);
    return remarked(
      say.browsed(folder, at, folders, notes),
      listRemark(notes.length, found.notes.length, found),
    );
  },
});

async function noteAt(notebook: Notebook, written: string) {
  const found = await notebook.find({ path: toPath(written) }, { limit: 1, sort: "path" });
  return found.notes[0];
}

const listTags = tool({
  name: "list_tags",
  description: "List all tags in use, most used first.",
  annotations: READS,
  input: z.object({}),
  async run(notebook) {
    const counts = await notebook.tags("fields");
    const shown = fitting(counts, ({ name }) => name, 20);
    return remarked(say.tags(shown), listRemark(shown.length, counts.length));
  },
});

const getBacklinks = tool({
  name: "get_backlinks",
  description:
    "Find the notes that link to a path, with the lines. Works for a path that does not exist, too.",
  annotations: READS,
  input: z.object({ path }),
  async run(notebook, input) {
    const to = toPath(input.path);
    const exists = (await noteAt(notebook, input.path)) !== undefined;
    const links = await notebook.links(exists ? { to } : { written: input.path });
    const shown = fitting(links, (link) => link.sourceTitle + link.source, 40);
    return remarked(say.backlinks(input.path, exists, shown), listRemark(shown.length, links.length));
  },
});

const recentNotes = tool({
  name: "recent_notes",
  description: "List recently updated notes, newest first.",
  annotations: READS,
  input: z.object({
    limit: z.number().optional().describe("Max notes to return (default 10)"),
    since: z.string().optional().describe("Only notes updated after this ISO8601 timestamp"),
  }),
  async run(notebook, { limit, since }) {
    const after = since === undefined ? null : dateOf(since);
    if (since !== undefined && !after)
      throw new NoteError(
        "input_refused",
        `"${since}" is no ISO8601 time. Give one such as 2024-01-15T00:00:00Z.`,
      );
    const found = await notebook.find(after ? { since: after } : { all: [] }, {
      limit: bounded(limit ?? 10, 1000),
      sort: "modified",
    });
    return remarked(say.recent(found.notes, since), listRemark(0, 0, found));
  },
});

const getNoteHistory = tool({
  name: "get_note_history",
  description:
    "List a note's versions: commit, time, author, message. Follows moves; works for a deleted note.",
  annotations: READS,
  input: z.object({
    path,
    limit: z.number().optional().describe("Max versions to return (default 50, max 100)"),
  }),
  async run(notebook, input) {
    const revisions = await notebook.log({
      path: toPath(input.path),
      limit: bounded(input.limit ?? 50, HISTORY_LIMIT),
    });
    return say.history(input.path, revisions);
  },
});

const getNoteVersion = tool({
  name: "get_note_version",
  description: "Read a note as it was at a version.",
  annotations: READS,
  wholeNote: true,
  input: z.object({ path, version }),
  async run(notebook, input) {
    const revision = await notebook.revision(input.version);
    const note = await notebook.read(toPath(input.path), { revision: revision.id });
    return say.note(
      note,
      say.timesOf(note, { created: revision.date, updated: revision.date }),
      say.shortId(revision.id),
    );
  },
});

const diffNoteVersions = tool({
  name: "diff_note_versions",
  description: "Show what changed in a note between two versions.",
  annotations: READS,
  input: z.object({
    path,
    from_version: z.string().describe("Starting version (commit SHA)"),
    to_version: z.string().describe("Ending version (commit SHA)"),
  }),
  async run(notebook, input) {
    const at = toPath(input.path);
    const [from, to] = [
      await notebook.revision(input.from_version),
      await notebook.revision(input.to_version),
    ];
    const [older, newer] = [
      await notebook.read(at, { revision: from.id }),
      await notebook.read(at, { revision: to.id }),
    ];
    return say.diff(input.path, older, newer, [from.id, to.id]);
  },
});

const restoreNoteVersion = tool({
  name: "restore_note_version",
  description:
    "Bring a note back to a version, also after it was deleted. Makes a new version; history is kept.",
  annotations: REPLACES,
  input: z.object({ path, version: z.string().describe("Version SHA to restore") }),
  async run(notebook, input) {
    const revision = await notebook.revision(input.version);
    await notebook.restore(toPath(input.path), revision.id);
    return `Restored note '${input.path}' to version ${say.shortId(revision.id)}`;
  },
});

function bounded(limit: number, most: number): number {
  if (Number.isInteger(limit) && limit >= 1) return Math.min(limit, most);
  throw new NoteError("input_refused", `limit must be a whole number from 1 to ${most}.`);
}

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
