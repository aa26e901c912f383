/** Links to attachments: those that can lead to nothing else are stored apart; those that could be a note's name are among the links to notes. */

import type { Steps } from "../markdown/steps.ts";
import type { AttachmentPath, NotePath } from "../notebook/paths.ts";
import { linkKey } from "../notebook/resolve.ts";
import type { Sql } from "../sqlite/sql.ts";
import { linksOf, linksUnder, notesAt, type LinkTable } from "./link-rows.ts";
import { resolverIn, type ResolvedLink } from "./link-resolver.ts";

const TABLES: readonly LinkTable[] = ["file_links", "links"];

/** A link, and the table that it stands in. */
export type AttachmentLink = ResolvedLink & { table: LinkTable };

/** The links that lead to these. */
function* linksTo(sql: Sql, paths: readonly AttachmentPath[]): Steps<AttachmentLink[]> {
  const resolver = resolverIn(sql);
  const wanted = new Set<string | null>(paths);
  const keys = [...new Set(paths.map(linkKey))];
  const found: AttachmentLink[] = [];
  for (const table of TABLES)
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

/** The links of a note that lead to attachments, or can lead to nothing else. */
export function* attachmentLinksOf(sql: Sql, note: NotePath): Steps<AttachmentLink[]> {
  const resolver = resolverIn(sql);
  const notes = notesAt(sql, [note]);
  const found: AttachmentLink[] = [];
  for (const table of TABLES) {
    const wanted = ({ path }: ResolvedLink): boolean =>
      table === "file_links" || (path !== null && !path.endsWith(".md"));
    for (const link of yield* resolver.resolved(linksOf(sql, notes, table), wanted))
      found.push({ ...link, table });
  }
  return found;
}
