/** The five tools that find notes: search, browse, tags, backlinks, recent ones. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";
import type { FoundNote } from "../../../notebook/filter.ts";
import type { Link } from "../../../notebook/link-graph.ts";
import { timeNamed } from "../../../notebook/moments.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { folderPath, namedNote, type NotePath } from "../../../notebook/paths.ts";
import { parseQuery } from "../../../notebook/query.ts";
import { LIST_ROOM, firstThatFit, listInWords, coverageOf } from "../../fitting.ts";
import { READS, tool } from "../../surface.ts";
import { noteNamed } from "../../naming.ts";
import { toWiki } from "../address.ts";
import { bounded, path } from "./parameters.ts";
import * as say from "../say.ts";

const PAGE_LIMIT = 100;
const RECENT_LIMIT = 1000;
const SNIPPET = { before: 40, width: 120 };
// More rows than this would not fit in an answer, however short their titles.
const MOST_LISTED = 16_384;

export const searchNotes = tool({
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
      parseQuery(query, { from: "fields", in: "text" }),
      cursor === undefined ? page : { ...page, cursor },
    );
    return listInWords(say.searched(query, found), found.total, found.total, found);
  },
});

export const browse = tool({
  name: "browse",
  description: "List the folders and notes at a path.",
  annotations: READS,
  input: z.object({ path: z.string().optional().describe("Folder path (omit or empty for root)") }),
  async run(notebook, input) {
    const folder = folderPath(input.path ?? "");
    const folders = (await notebook.folders(folder)).toSorted(
      (a, b) => b.count - a.count || (a.name < b.name ? -1 : 1),
    );
    const found = await notebook.find({ folder }, { limit: MOST_LISTED, sort: "modified" });
    const at = folder === "" ? undefined : await noteAt(notebook, namedNote(folder));
    const shown = firstThatFit(folders, ({ name }) => name, 40, LIST_ROOM / 2);
    const notes = firstThatFit(found.notes, (it) => `${it.title}${it.path}`, 40, LIST_ROOM / 2);
    return listInWords(
      say.browsed(folder, at, shown, notes),
      shown.length + notes.length,
      folders.length + found.total,
      found,
    );
  },
});

/** Links that would lead to this path, and lead nowhere. */
const dangling = async (notebook: Notebook, written: string): Promise<Link[]> =>
  (await notebook.links({ written })).filter((link) => link.path === null);

async function noteAt(notebook: Notebook, path: NotePath): Promise<FoundNote | undefined> {
  const found = await notebook.find({ path }, { limit: 1, sort: "path" });
  return found.notes[0];
}

export const listTags = tool({
  name: "list_tags",
  description: "List all tags in use, most used first.",
  annotations: READS,
  input: z.object({}),
  async run(notebook) {
    const counts = await notebook.tags("fields");
    const shown = firstThatFit(counts, ({ name }) => name, 20);
    return listInWords(say.tags(shown), shown.length, counts.length, coverageOf(notebook));
  },
});

export const getBacklinks = tool({
  name: "get_backlinks",
  description:
    "Find the notes that link to a path, with the lines. Works for a path that does not exist, too.",
  annotations: READS,
  input: z.object({ path }),
  async run(notebook, input) {
    const target = await noteNamed(notebook, input.path);
    const at = await noteAt(notebook, target);
    const links = at ? await notebook.links({ to: at.path }) : await dangling(notebook, toWiki(target));
    const shown = firstThatFit(links, (link) => link.sourceTitle + link.source, 40);
    // On half an index a note that is not found may be there.
    const exists = at !== undefined || notebook.soFar() !== null;
    return listInWords(
      say.backlinks(toWiki(target), exists, shown),
      shown.length,
      links.length,
      coverageOf(notebook),
    );
  },
});

export const recentNotes = tool({
  name: "recent_notes",
  description: "List recently updated notes, newest first.",
  annotations: READS,
  input: z.object({
    limit: z.number().optional().describe("Max notes to return (default 10)"),
    since: z.string().optional().describe("Only notes updated after this ISO8601 timestamp"),
  }),
  async run(notebook, { limit, since }) {
    const after = since === undefined ? null : timeNamed(since, notebook);
    if (since !== undefined && !after)
      throw new NoteError(
        "input_refused",
        `"${since}" is no ISO8601 time. Give one such as 2024-01-15T00:00:00Z.`,
      );
    const found = await notebook.find(after ? { since: after } : { all: [] }, {
      limit: bounded(limit ?? 10, RECENT_LIMIT),
      sort: "modified",
    });
    return listInWords(say.recent(found.notes, since), found.total, found.total, found);
  },
});
