/** How this surface words what it gives: notes as Markdown with their backlinks among the fields, everything else as small objects. */

import { setField, unsetField } from "../../markdown/field-edits.ts";
import type { Value } from "../../markdown/frontmatter.ts";
import type { Found, FoundNote } from "../../notebook/filter.ts";
import type { Link } from "../../notebook/link-graph.ts";
import { textOf, type Note } from "../../notebook/note.ts";
import { saySoFar } from "../../notebook/waiting.ts";
import { LIST_ROOM, firstThatFit, listRemark, partialRemark, withRemark, type Coverage } from "../fitting.ts";
import type { Answer } from "../surface.ts";
import { toCairn } from "./address.ts";

export const time = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;

const WHOLE: Coverage = { partial: false };

/** A note that everything links to would drown its own text. */
const BACKLINKS_SHOWN = 100;

/** The note with the notes that link to it as a field. Fields that cannot be read are shown as they are. */
export function note(it: Note, links: readonly Link[], found: Coverage = WHOLE): Answer {
  if (it.front.trouble !== null) return textOf(it);
  const sources = [...new Set(links.map((link) => toCairn(link.source)))];
  const shown = withBacklinks(textOf(it), sources.slice(0, BACKLINKS_SHOWN));
  return withRemark(shown, backlinksRemark(sources.length, found));
}

// A list that takes the place of a word stays on its line, as the spec shows it.
const withBacklinks = (text: string, value: Value): string =>
  setField("backlinks", value)(setField("backlinks", "")(text));

/** The fields alone, and beside each backlink the words around it. */
export function metadata(it: Note, links: readonly Link[], found: Coverage = WHOLE): Answer {
  const fields = textOf(it).slice(0, it.front.bodyStart);
  if (it.front.trouble !== null) return fields;
  const places = new Map(
    links.map(({ source, context }) => [`${source}\n${context}`, { path: toCairn(source), context }]),
  );
  const shown = [...places.values()].slice(0, BACKLINKS_SHOWN);
  const whole = setField("backlinks", shown)(unsetField("backlinks")(fields));
  return withRemark(whole, backlinksRemark(places.size, found));
}

const backlinksRemark = (total: number, found: Coverage): string =>
  [
    total <= BACKLINKS_SHOWN
      ? ""
      : `${BACKLINKS_SHOWN} of ${total} backlinks are shown; cairn_search with backlinks_to pages through all of them.`,
    partialRemark(found),
  ]
    .filter((line) => line !== "")
    .join("\n");

function snippet(it: FoundNote): string {
  if (!it.snippet) return "";
  return `${it.snippet.cutBefore ? "..." : ""}${it.snippet.text}${it.snippet.cutAfter ? "..." : ""}`;
}

export const results = (found: Found): object => ({
  results: found.notes.map((it) => ({
    path: toCairn(it.path),
    title: it.title,
    snippet: snippet(it),
    tags: [...new Set([...it.tags.fields, ...it.tags.inline])],
    modified: time(it.modified),
  })),
  ...paging(found),
});

export const listing = (prefix: string, found: Found): object => ({
  path_prefix: prefix,
  notes: found.notes.map((it) => ({
    path: toCairn(it.path),
    title: it.title,
    ...(it.type === null ? {} : { type: it.type }),
    modified: time(it.modified),
  })),
  ...paging(found),
});

const paging = (found: Found): object => ({
  total: found.total,
  ...(found.cursor === null ? {} : { cursor: found.cursor }),
  ...(found.partial ? { partial: true } : {}),
  ...(found.soFar ? { indexed: saySoFar(found.soFar) } : {}),
  ...(found.unread ? { unread: found.unread } : {}),
});

type Neighbour = { path: string; title: string; context?: string; depth?: number };

/** Both sides of a note's links, each cut to half of what an answer has room for. */
export function graph(
  path: string,
  incoming: readonly Link[],
  outgoing: readonly Link[],
  depth: number,
  found: Coverage = WHOLE,
): Answer {
  const sides = [neighbours(incoming, "in", depth > 1), neighbours(outgoing, "out", depth > 1)];
  const [into, out] = sides.map((side) => firstThatFit(side, JSON.stringify, 1, LIST_ROOM / 2));
  const remark = listRemark(into!.length + out!.length, sides.flat().length, found);
  return withRemark({ path, incoming: into, outgoing: out }, remark);
}

/** The neighbours, each once, by the first link that leads to it. `depth` is shown where more than one step was asked for. */
function neighbours(links: readonly Link[], side: "in" | "out", deep: boolean): Neighbour[] {
  const seen = new Map<string, Neighbour>();
  for (const link of links) {
    const path = side === "in" ? toCairn(link.source) : link.path === null ? link.target : toCairn(link.path);
    if (seen.has(path)) continue;
    const step = deep ? { depth: link.depth } : {};
    seen.set(
      path,
      side === "in"
        ? { path, title: link.sourceTitle, context: link.context, ...step }
        : { path, title: link.title, ...step },
    );
  }
  return [...seen.values()];
}
