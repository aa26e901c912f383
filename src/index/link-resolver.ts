/** Where stored links lead: worked out by notebook/resolve.ts, remembered while one query is answered, and shown with their details. */

import type { Steps } from "../markdown/steps.ts";
import type { Lacking, Link } from "../notebook/link-graph.ts";
import { folderOf, isNote, type LinkedPath, type NotePath } from "../notebook/paths.ts";
import { meaningOf } from "../notebook/resolve.ts";
import type { Sql } from "../sqlite/sql.ts";
import { rememberingLookup } from "./link-lookup.ts";
import { detailsOf, type LinkRow, type LinkTable } from "./link-rows.ts";

/** A link, what it leads to now, and what it lacks where that was asked. `table`: where it stands, if not among the links to notes. */
export type ResolvedLink<Path = LinkedPath> = {
  row: LinkRow;
  path: Path | null;
  lacks?: Lacking;
  table?: LinkTable;
};
/** Links come in portions: others may have a turn between two of them. */
export type Portions = Iterable<LinkRow[]>;

/** Links that get their details in one step. */
const DETAILED = 2000;

export type Resolver = ReturnType<typeof resolverIn>;

export function resolverIn(sql: Sql) {
  const lookup = rememberingLookup(sql);
  // A target leads to the same from every note of a folder.
  const known = new Map<string, LinkedPath | null>();
  const targetOf = ({ form, source, target }: LinkRow): LinkedPath | null => {
    const key = `${form}\n${folderOf(source)}\n${target}`;
    let path = known.get(key);
    if (path === undefined) known.set(key, (path = meaningOf({ target, form }, source, lookup)));
    return path;
  };
  function* resolved(portions: Portions, wanted: (link: ResolvedLink) => boolean): Steps<ResolvedLink[]> {
    const found: ResolvedLink[] = [];
    for (const rows of portions) {
      lookup.expect(rows.map(({ target }) => target));
      for (const row of rows) {
        const link = { row, path: targetOf(row) };
        if (wanted(link)) found.push(link);
      }
      yield;
    }
    return found;
  }
  return {
    /** The links that are wanted. */
    resolved,
    /** The links to notes, or to nothing, that are wanted. */
    toNotes: (portions: Portions, wanted: (link: ResolvedLink<NotePath>) => boolean) =>
      resolved(portions, (link) => leadsToNote(link) && wanted(link)) as Steps<ResolvedLink<NotePath>[]>,
    /** The links with what is shown of them. */
    *detailed(found: readonly ResolvedLink[], depth: number, table: LinkTable = "links"): Steps<Link[]> {
      const links: Link[] = [];
      for (let from = 0; from < found.length; from += DETAILED, yield) {
        const some = found.slice(from, from + DETAILED);
        const details = detailsOf(
          sql,
          some.map(({ row }) => row),
          table,
        );
        for (const [at, { row, path, lacks }] of some.entries()) {
          const detail = details[at];
          if (!detail) continue;
          const { source, target, form } = row;
          const { title: sourceTitle, ...rest } = detail;
          const note = path !== null && isNote(path) ? path : null;
          const title = note === null ? target : lookup.titleOf(note);
          const file = path !== null && !isNote(path) ? { file: path } : {};
          const lacking = lacks === undefined ? {} : { lacks };
          links.push({
            source,
            sourceTitle,
            target,
            form,
            path: note,
            title,
            depth,
            ...rest,
            ...file,
            ...lacking,
          });
        }
      }
      return links;
    },
  };
}

const leadsToNote = (link: ResolvedLink): link is ResolvedLink<NotePath> =>
  link.path === null || isNote(link.path);
