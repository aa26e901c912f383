/** How this surface words what it gives: notes as Markdown with their backlinks among the fields, everything else as small objects. */

import { setField, unsetField } from "../../markdown/field-edits.ts";
import type { Value } from "../../markdown/frontmatter.ts";
import type { NoteError } from "../../markdown/errors.ts";
import type { Found, FoundNote } from "../../notebook/filter.ts";
import type { Link } from "../../notebook/link-graph.ts";
import { dateOf, textOf, type Note } from "../../notebook/note.ts";
import type { NotePath } from "../../notebook/paths.ts";
import { toCairn } from "./address.ts";

export const time = (date: Date): string => `${date.toISOString().slice(0, 19)}Z`;
const modifiedOf = (it: FoundNote): string => time(dateOf(it.updated) ?? it.modified);

/** The note with the notes that link to it as a field. Fields that cannot be read are shown as they are. */
export function note(it: Note, links: readonly Link[]): string {
  const sources = [...new Set(links.map((link) => toCairn(link.source)))];
  return it.front.trouble === null ? withBacklinks(textOf(it), sources) : textOf(it);
}

// A list that takes the place of a word stays on its line, as the spec shows it.
const withBacklinks = (text: string, value: Value): string =>
  setField("backlinks", value)(setField("backlinks", "")(text));

export function metadata(it: Note, links: readonly Link[]): string {
  const fields = textOf(it).slice(0, it.front.bodyStart);
  if (it.front.trouble !== null) return fields;
  const shown = new Map(
    links.map(({ source, context }) => [`${source}\n${context}`, { path: toCairn(source), context }]),
  );
  return setField("backlinks", [...shown.values()])(unsetField("backlinks")(fields));
}

export function snippet(it: FoundNote): string {
  if (!it.snippet) return "";
  return `${it.snippet.cutBefore ? "..." : ""}${it.snippet.text}${it.snippet.cutAfter ? "..." : ""}`;
}

export const results = (found: Found): object => ({
  results: found.notes.map((it) => ({
    path: toCairn(it.path),
    title: it.title,
    snippet: snippet(it),
    tags: [...new Set([...it.tags.fields, ...it.tags.inline])],
    modified: modifiedOf(it),
  })),
  ...paging(found),
});

export const listing = (prefix: string, found: Found): object => ({
  path_prefix: prefix,
  notes: found.notes.map((it) => ({
    path: toCairn(it.path),
    title: it.title,
    ...(it.type === null ? {} : { type: it.type }),
    modified: modifiedOf(it),
  })),
  ...paging(found),
});

const paging = (found: Found): object => ({
  total: found.total,
  ...(found.cursor === null ? {} : { cursor: found.cursor }),
  ...(found.partial ? { partial: true } : {}),
});

type Neighbour = { path: string; title: string; context?: string; depth?: number };

/** Each neighbour once, by the first link that leads to it. `depth` is told where more than one step was asked for. */
export function neighbours(links: readonly Link[], side: "in" | "out", deep: boolean): Neighbour[] {
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

const KINDS: Partial<Record<NoteError["code"], string>> = {
  note_missing: "not_found",
  revision_missing: "not_found",
  alias_taken: "alias_conflict",
  note_exists: "conflict",
  name_ambiguous: "conflict",
  text_ambiguous: "conflict",
  version_conflict: "conflict",
  busy: "internal_error",
  indexing: "internal_error",
  disk_full: "internal_error",
  disk_refused: "internal_error",
  disk_failed: "internal_error",
};

export function explain(error: NoteError): string {
  const { path, nearest, movedTo } = error.details as {
    path?: NotePath;
    nearest?: NotePath[];
    movedTo?: NotePath;
  };
  const kind = KINDS[error.code] ?? "validation_error";
  if (error.code !== "note_missing" || path === undefined) return `${kind}: ${error.message}`;
  if (movedTo) return `${kind}: ${toCairn(path)} was moved to ${toCairn(movedTo)}`;
  const hint = nearest && nearest.length > 0 ? ` Nearest: ${nearest.map(toCairn).join(", ")}.` : "";
  return `${kind}: There is no note ${toCairn(path)}.${hint}`;
}
