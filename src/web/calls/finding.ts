/** Calls that find notes: as one types. */

import { z } from "zod";
import type { Filter, Found, FoundNote, Page } from "../../notebook/filter.ts";
import { momentOf } from "../../notebook/moments.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { parseQuery } from "../../notebook/query.ts";
import { saySoFar } from "../../notebook/waiting.ts";
import { READS, tool } from "../../surfaces/surface.ts";
import type { Hit, Hits } from "../wire.ts";
import { foundWords } from "./plain-words.ts";

const HITS = 6;
/** Among so many a note that is named as typed comes first, however few of them are asked for. */
const NAMED_AMONG = 10;
const MOST = 200;
const QUERY_LIMIT = 2000;
const SNIPPET = { before: 60, width: 200 };
/** Words alone, without a sign of the query language. */
const PLAIN = /^[\p{L}\p{N}\p{M}\s'’-]+$/u;

export const search = tool({
  name: "search",
  description: "Notes that fit what is typed, best first; the last word may go on.",
  annotations: READS,
  input: z.object({
    query: z.string().max(QUERY_LIMIT),
    offset: z.int().min(0).max(MOST).optional(),
    limit: z.int().min(1).max(MOST).optional(),
  }),
  async run(notebook, { query, offset = 0, limit = HITS }): Promise<Hits> {
    const end = Math.min(MOST, offset + limit);
    const page: Page = { limit: Math.max(NAMED_AMONG, end), sort: "rank", snippet: SNIPPET };
    const typed = query.trim();
    const begun = PLAIN.test(typed) ? await notebook.find({ words: typed, prefix: true }, page) : null;
    if (begun && begun.notes.length >= page.limit) return hitsOf([begun], typed, offset, end);
    const found = await notebook.find(filterOf(notebook, typed), page);
    return hitsOf(begun ? [begun, found] : [found], typed, offset, end);
  },
});

const filterOf = (notebook: Notebook, query: string): Filter =>
  parseQuery(query, {
    words: "any",
    under: true,
    from: "all",
    moment: (written) => momentOf(written, notebook),
  });

/** Lists one after the other, each note once. */
const hitsOf = (lists: readonly Found[], typed: string, offset: number, end: number): Hits => {
  const all = [...new Map(lists.flatMap((list) => list.notes).map((note) => [note.path, note])).values()];
  // Whoever types the name of a note wants that note. Only the first are ordered by it: others follow as they were.
  const named = all
    .slice(0, NAMED_AMONG)
    .filter(({ title }) => title.toLowerCase().includes(typed.toLowerCase()));
  const notes = new Map([...named, ...all].map((note) => [note.path, note]));
  const last = lists.at(-1)!;
  const soFar = lists.find((list) => list.soFar)?.soFar;
  const total = Math.max(notes.size, ...lists.map((list) => list.total));
  return {
    hits: [...notes.values()].slice(offset, end).map(hitOf),
    total,
    more: end < Math.min(MOST, total),
    // Where words were found as they are being typed nothing was corrected.
    corrected: lists[0]!.total > 0 && lists.length > 1 ? [] : last.corrected,
    byMeaning: last.byMeaning,
    indexing: soFar ? saySoFar(soFar) : null,
    unread: last.unread ?? 0,
  };
};

const hitOf = ({ path, title, tags, modified, snippet, section }: FoundNote): Hit => ({
  path,
  title,
  tags: [...new Set([...tags.fields, ...tags.inline])],
  modified: modified.toISOString(),
  snippet: snippet && snippet.in === "body" ? foundWords(snippet) : null,
  section: section && section.heading !== title ? section.heading : null,
});
