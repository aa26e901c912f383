/** Links of the index: to a note, from one, around one, as written, or leading nowhere. Where a link leads is worked out when it is asked, by notebook/resolve.ts; and in steps, because a vault may have a million. */

import { targetKind } from "../markdown/link-forms.ts";
import { atOnce, type Steps } from "../markdown/steps.ts";
import type { Link, LinkQuery } from "../notebook/link-graph.ts";
import { nameOf, type NotePath } from "../notebook/paths.ts";
import { foldKey, linkKey, lookupOf, resolveTarget } from "../notebook/resolve.ts";
import { attachmentLinksOf, linksOfCanvases, linksToAttachment } from "./attachment-links.ts";
import { indexLookup } from "./link-lookup.ts";
import { resolverIn, type Portions, type ResolvedLink, type Resolver } from "./link-resolver.ts";
import {
  linksAt,
  linksOf,
  linksThatMayBeBroken,
  linksUnder,
  notesAt,
  type LinkRow,
  type LinkTable,
} from "./link-rows.ts";
import { locate } from "./locate.ts";
import type { Sql } from "../sqlite/sql.ts";

type NoteLink = ResolvedLink<NotePath>;
type Around = Extract<LinkQuery, { around: NotePath }>;
type OfNotes = Exclude<
  LinkQuery,
  Around | { toFile: unknown } | { filesFrom: unknown } | { inCanvases: unknown }
>;

const DEPTH = 10;
/** Notes that are looked at in one step. */
const NOTES = 2000;
const THESE = "IN (SELECT value FROM json_each(?))";

export function* links(sql: Sql, query: LinkQuery): Steps<Link[]> {
  const resolver = resolverIn(sql);
  const limit = Math.max(0, query.limit ?? Number.POSITIVE_INFINITY);
  if ("around" in query) return yield* around(sql, query, limit, resolver);
  if ("toFile" in query)
    return yield* shownInOrder(resolver, yield* linksToAttachment(sql, query.toFile), limit);
  if ("filesFrom" in query)
    return yield* shownInOrder(resolver, yield* attachmentLinksOf(sql, query.filesFrom), limit);
  if ("inCanvases" in query) {
    const to = query.inCanvases === null ? null : [query.inCanvases];
    const found = yield* linksOfCanvases(sql, to && { paths: to, keys: keysOf(sql, to) });
    return yield* shownInOrder(resolver, found, limit);
  }
  const found = yield* foundBy(sql, query, resolver);
  if (found.some(({ table }) => table !== undefined)) return yield* shownInOrder(resolver, found, limit);
  return yield* resolver.detailed(found.toSorted(inOrder).slice(0, limit), 1);
}

/** Links of several tables, in the order of their notes and lines. */
export function* shownInOrder(
  resolver: Resolver,
  found: readonly ResolvedLink[],
  limit: number,
): Steps<Link[]> {
  const links: Link[] = [];
  const tableOf = ({ table = "links" }: ResolvedLink): LinkTable => table;
  for (const table of new Set(found.map(tableOf))) {
    const some = found.filter((link) => tableOf(link) === table);
    for (const link of yield* resolver.detailed(some, 1, table)) links.push(link);
  }
  const order = (a: Link, b: Link): number =>
    a.source === b.source ? a.line - b.line : a.source < b.source ? -1 : 1;
  return links.toSorted(order).slice(0, limit);
}

function* foundBy(sql: Sql, query: OfNotes, resolver: Resolver): Steps<NoteLink[]> {
  const all = () => true;
  if ("from" in query) {
    const notes = notesAt(sql, [query.from]);
    const links = yield* resolver.toNotes(linksOf(sql, notes), all);
    return [...links, ...(yield* likeFiles(linksOf(sql, notes, "file_links"), resolver))];
  }
  if ("to" in query) return yield* linksTo(sql, query.to, resolver);
  if ("written" in query) return yield* resolver.toNotes(linksWritten(sql, query.written), all);
  return yield* resolver.toNotes(linksThatMayBeBroken(sql), leadsNowhere);
}

const leadsNowhere = ({ path }: NoteLink): boolean => path === null;

/** The notes with a link to this one; where there is no such note, the notes with a link that would lead to it and leads nowhere else. */
export function* linking(sql: Sql, path: NotePath): Steps<number[]> {
  const resolver = resolverIn(sql);
  const found = sql.get("SELECT 1 FROM notes WHERE path = ?", path)
    ? yield* linksTo(sql, path, resolver)
    : yield* resolver.toNotes(linksWritten(sql, path), leadsNowhere);
  return [...new Set(found.map(({ row }) => row.id))];
}

/** The notes with a link to a note of that name: by path or name, else by alias or title. */
export function* linkingName(sql: Sql, name: string): Steps<number[]> {
  const { byAlias, byTitle } = indexLookup(sql);
  const key = foldKey(name);
  const named = [locate(sql, name), byAlias(key), byTitle(key)].find((paths) => paths.length > 0);
  const found = new Set<number>();
  for (const path of named ?? [(/\.md$/i.test(name) ? name : `${name}.md`) as NotePath])
    for (const id of yield* linking(sql, path)) found.add(id);
  return [...found];
}

/** The notes with a link that leads nowhere. */
export function* brokenIn(sql: Sql): Steps<number[]> {
  const resolver = resolverIn(sql);
  const found = new Set<number>();
  // The first broken link of a note is enough.
  const portions = wherever(linksThatMayBeBroken(sql), ({ id }) => !found.has(id));
  yield* resolver.toNotes(portions, (link) => {
    if (link.path === null) found.add(link.row.id);
    return false;
  });
  return [...found];
}

function* wherever(portions: Portions, wanted: (row: LinkRow) => boolean): Generator<LinkRow[]> {
  for (const rows of portions) yield rows.filter(wanted);
}

// A link without a folder, to the only note of that name, leads there; for other notes it must be worked out.
const MAY_BE_ORPHANS = `SELECT n.id, n.path FROM notes n WHERE n.id >= ? AND n.id < ? AND NOT (
  (SELECT count(*) FROM (SELECT 1 FROM notes o WHERE o.name_key = n.name_key LIMIT 2)) = 1
  AND EXISTS (SELECT 1 FROM links l WHERE l.key = n.name_key AND l.source <> n.id AND instr(l.target, '/') = 0))`;

// Where only some notes may be seen, the link may stand in another.
const ALL = "SELECT n.id, n.path FROM notes n WHERE n.id >= ? AND n.id < ?";

/** The notes without a link to or from another, which no canvas shows. */
export function* orphans(sql: Sql): Steps<number[]> {
  const left: { id: number; path: NotePath }[] = [];
  const text = sql.narrowed ? ALL : MAY_BE_ORPHANS;
  const last = sql.get<{ id: number | null }>("SELECT max(id) AS id FROM notes")?.id ?? 0;
  for (let from = 0; from <= last; from += NOTES, yield)
    left.push(...sql.all<{ id: number; path: NotePath }>(text, from, from + NOTES));
  const resolver = resolverIn(sql);
  const linked = new Set<NotePath>();
  const keys = keysOf(
    sql,
    left.map(({ path }) => path),
  );
  yield* resolver.toNotes(linksUnder(sql, keys), ({ row, path }) => {
    if (path !== null && path !== row.source) linked.add(path);
    return false;
  });
  for (const { row, path } of yield* likeFiles(underFiles(sql, keys), resolver))
    if (path !== row.source) linked.add(path!);
  for (const { path } of yield* linksOfCanvases(sql, { paths: left.map(({ path }) => path), keys }))
    linked.add(path as NotePath);
  const alone = left.filter(({ path }) => !linked.has(path));
  const leaving = new Set<number>();
  yield* resolver.toNotes(
    wherever(linksOf(sql, alone), ({ id }) => !leaving.has(id)),
    ({ row, path }) => {
      if (path !== null && path !== row.source) leaving.add(row.id);
      return false;
    },
  );
  for (const { row, path } of yield* likeFiles(linksOf(sql, alone, "file_links"), resolver))
    if (path !== row.source) leaving.add(row.id);
  return alone.flatMap(({ id }) => (leaving.has(id) ? [] : [id]));
}

/** The notes these links lead to, by `source:at`; links that lead nowhere are left out. */
export function targetsOf(
  sql: Sql,
  links: readonly (readonly [source: number, at: number])[],
): Map<string, number> {
  const rows = linksAt(
    sql,
    links.map(([id, at]) => ({ id, at })),
  );
  const found = atOnce(resolverIn(sql).toNotes([rows], ({ path }) => path !== null));
  const ids = new Map(
    sql
      .all<{ id: number; path: NotePath }>(
        `SELECT id, path FROM notes WHERE path ${THESE}`,
        JSON.stringify(found.map(({ path }) => path)),
      )
      .map(({ id, path }) => [path, id]),
  );
  return new Map(found.map(({ row, path }) => [`${row.id}:${row.at}`, ids.get(path!)!]));
}

const inOrder = (a: NoteLink, b: NoteLink): number =>
  a.row.id === b.row.id ? a.row.at - b.row.at : a.row.source < b.row.source ? -1 : 1;

function* linksTo(sql: Sql, path: NotePath, resolver: Resolver): Steps<NoteLink[]> {
  const keys = keysOf(sql, [path]);
  const found = yield* resolver.toNotes(linksUnder(sql, keys), (link) => link.path === path);
  const others = yield* likeFiles(underFiles(sql, keys), resolver);
  return [...found, ...others.filter((link) => link.path === path)];
}

/** The links that look like those to a file, and mean a note that is called so: `[[plan.canvas]]` means `plan.canvas.md`. */
function* likeFiles(rows: Portions, resolver: Resolver): Steps<NoteLink[]> {
  const found = yield* resolver.toNotes(rows, ({ path }) => path !== null);
  return found.map((link) => ({ ...link, table: "file_links" }));
}

const underFiles = (sql: Sql, keys: Iterable<string>): Portions =>
  linksUnder(
    sql,
    [...keys].filter((key) => targetKind(key, "wiki") === "attachment"),
    { table: "file_links" },
  );

/** A link to a note is filed under its name, one of its aliases, or its title. */
function keysOf(sql: Sql, paths: readonly NotePath[]): Set<string> {
  const rows = sql.all<{ word: string }>(
    `WITH wanted AS (SELECT id, path, title FROM notes WHERE path ${THESE})
     SELECT path AS word FROM wanted UNION ALL SELECT title FROM wanted
     UNION ALL SELECT a.alias FROM wanted JOIN aliases a ON a.note = wanted.id`,
    JSON.stringify(paths),
  );
  return new Set(rows.map(({ word }) => linkKey(word)));
}

/** The links that would lead to a note if it were the only one. */
function linksWritten(sql: Sql, written: string): Portions {
  const path = (/\.md$/i.test(written) ? written : `${written}.md`) as NotePath;
  const only = lookupOf([{ path, title: nameOf(path), aliases: [] }]);
  return wherever(
    linksUnder(sql, [linkKey(path)]),
    ({ target, form, source }) => resolveTarget(target, form, source, only) !== null,
  );
}

/** Breadth first: each note comes once, by the first link that leads to it; each target that leads nowhere comes once too. */
function* around(sql: Sql, query: Around, limit: number, resolver: Resolver): Steps<Link[]> {
  const seen = new Set<string>([query.around]);
  /** The numbers of the notes whose links were followed. */
  const known = new Set<number>();
  const found: Link[] = [];
  let edge: NotePath[] = [query.around];
  const deepest = Math.min(query.depth, DEPTH);
  for (let depth = 1; depth <= deepest && edge.length > 0 && found.length < limit; depth++) {
    const reached = new Map<string, NoteLink>();
    const take = (link: NoteLink, other: NotePath | null): false => {
      const mark = other ?? `nowhere\n${foldKey(link.row.target)}`;
      if (seen.has(mark)) return false;
      const rival = reached.get(mark);
      if (!rival || inOrder(link, rival) < 0) reached.set(mark, link);
      return false;
    };
    const notes = notesAt(sql, edge);
    for (const { id } of notes) known.add(id);
    if (query.direction !== "in")
      yield* resolver.toNotes(linksOf(sql, notes), (link) => take(link, link.path));
    if (query.direction !== "out") {
      const here = new Set<string | null>(edge);
      // What stands in a note that was seen before leads to nothing new.
      const incoming = linksUnder(sql, keysOf(sql, edge), { isWanted: (source) => !known.has(source) });
      yield* resolver.toNotes(incoming, (link) => here.has(link.path) && take(link, link.row.source));
    }
    const best = [...reached.values()].toSorted(inOrder).slice(0, limit - found.length);
    for (const link of yield* resolver.detailed(best, depth)) found.push(link);
    for (const mark of reached.keys()) seen.add(mark);
    edge = [...reached.keys()].filter((mark): mark is NotePath => !mark.startsWith("nowhere\n"));
  }
  return found;
}
