/** Links to attachments: those that can lead to nothing else are stored apart; those that could be a note's name are among the links to notes; and canvases link, too. */

import type { Steps } from "../markdown/steps.ts";
import { isNote, type AttachmentPath, type LinkedPath, type NotePath } from "../notebook/paths.ts";
import { linkKey } from "../notebook/resolve.ts";
import type { Sql } from "../sqlite/sql.ts";
import { linksOf, linksThatMayLack, linksUnder, notesAt, type LinkTable } from "./link-rows.ts";
import { resolverIn, type ResolvedLink } from "./link-resolver.ts";

const OF_NOTES: readonly LinkTable[] = ["file_links", "links"];
const ALL: readonly LinkTable[] = [...OF_NOTES, "canvas_links"];

/** A link, and the table that it stands in. */
export type AttachmentLink = ResolvedLink & { table: LinkTable };

/** The links that lead to these attachments. */
function* linksTo(sql: Sql, paths: readonly AttachmentPath[]): Steps<AttachmentLink[]> {
  const resolver = resolverIn(sql);
  const wanted = new Set<string | null>(paths);
  const keys = [...new Set(paths.map(linkKey))];
  const found: AttachmentLink[] = [];
  for (const table of ALL)
    for (const link of yield* resolver.resolved(linksUnder(sql, keys, { table }), ({ path }) =>
      wanted.has(path),
    ))
      found.push({ ...link, table });
  return found;
}

export const linksToAttachment = (sql: Sql, path: AttachmentPath): Steps<AttachmentLink[]> =>
  linksTo(sql, [path]);

/** Gives which of these attachments some link leads to. */
export function* linkedAttachments(sql: Sql, paths: readonly AttachmentPath[]): Steps<Set<string>> {
  return new Set((yield* linksTo(sql, paths)).map(({ path }) => path as string));
}

/** The links of canvases: all of them, or those that lead to these notes and attachments, known by these keys. */
export function* linksOfCanvases(
  sql: Sql,
  to: { paths: readonly LinkedPath[]; keys: Iterable<string> } | null,
): Steps<AttachmentLink[]> {
  const table = "canvas_links";
  const wanted = to && new Set<string | null>(to.paths);
  const rows = to ? linksUnder(sql, to.keys, { table }) : linksThatMayLack(sql, table);
  const found = yield* resolverIn(sql).resolved(rows, ({ path }) => wanted === null || wanted.has(path));
  return found.map((link) => ({ ...link, table }));
}

/** The links of a note that lead to attachments, or can lead to nothing else. */
export function* attachmentLinksOf(sql: Sql, note: NotePath): Steps<AttachmentLink[]> {
  const resolver = resolverIn(sql);
  const notes = notesAt(sql, [note]);
  const found: AttachmentLink[] = [];
  for (const table of OF_NOTES) {
    const wanted = ({ path }: ResolvedLink): boolean =>
      path === null ? table === "file_links" : !isNote(path);
    for (const link of yield* resolver.resolved(linksOf(sql, notes, table), wanted))
      found.push({ ...link, table });
  }
  return found;
}
