/** The four tools of the obsidian surface that find notes: by name, text or tag, by links, all of them, and broken links. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";
import { LIST_ROOM } from "../../fitting.ts";
import { READS, tool } from "../../surface.ts";
import { locateNote } from "../address.ts";
import * as say from "../say.ts";
import { name, searchFilter } from "./parameters.ts";

export const searchNotes = tool({
  name: "search_notes",
  description:
    "Find notes. mode: name (whole name), name_partial, content (text in the body), tag (comma-separated; a tag also finds those below it; tag_logic and|or).",
  annotations: READS,
  input: z.object({
    query: z.string(),
    mode: z.string().default("name_partial").describe("name | name_partial | content | tag"),
    tag_logic: z.string().default("or").describe("and | or"),
  }),
  async run(notebook, { query, mode, tag_logic }) {
    const filter = searchFilter(query, mode, tag_logic);
    // No more can fit in an answer, were every name one letter.
    const found = await notebook.find(filter, {
      limit: Math.ceil(LIST_ROOM / 27),
      sort: "name",
    });
    return say.listAnswer(
      found.notes.map(({ name, path }) => ({ name, path })),
      found.total,
      found,
    );
  },
});

export const getLinks = tool({
  name: "get_links",
  description: "Names of the notes a note links to (outgoing) and of those that link to it (incoming).",
  annotations: READS,
  input: z.object({ name, direction: z.string().default("both").describe("in | out | both") }),
  async run(notebook, { name, direction }) {
    if (!["in", "out", "both"].includes(direction))
      throw new NoteError("input_refused", `Invalid direction: ${direction}. Valid: in, out, both`);
    const path = await locateNote(notebook, name);
    const outgoing = direction === "in" ? [] : await notebook.links({ from: path });
    const incoming = direction === "out" ? [] : await notebook.links({ to: path });
    return say.linksAnswer({ name }, outgoing, incoming);
  },
});

export const listNotes = tool({
  name: "list_notes",
  description: "Names of all notes, in order, a page at a time.",
  annotations: READS,
  input: z.object({ limit: z.int().min(0).default(100), offset: z.int().min(0).default(0) }),
  async run(notebook, { limit, offset }) {
    const page = { limit: Math.min(limit, Math.ceil(LIST_ROOM / 4)), offset, sort: "name" } as const;
    return say.namesAnswer(await notebook.find({ all: [] }, page), limit, offset);
  },
});

export const findBrokenLinks = tool({
  name: "find_broken_links",
  description: "All links that lead to no note: source note and target as written.",
  annotations: READS,
  input: z.object({}),
  async run(notebook) {
    // On half an index every other link would seem broken.
    await notebook.ready();
    return say.brokenAnswer(await notebook.links({ broken: true }));
  },
});
