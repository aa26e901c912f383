/** Links asked of the index: to a note, from one, around one, as written, or leading nowhere. What a link means is worked out now, by notebook/resolve.ts. */

import type { Link, LinkQuery } from "../notebook/link-graph.ts";
import { folderOf, nameOf, type NotePath } from "../notebook/paths.ts";
import { foldKey, linkKey, lookupOf, resolveTarget } from "../notebook/resolve.ts";
import { indexLookup, rememberingLookup } from "./link-lookup.ts";
import { locate } from "./locate.ts";
import type { Sql, SqlValue } from "./sql.ts";

/** A link as it is stored, with the note it stands in. `id` and `at` say which note, and which of its links. */
type Row = {
  id: number;
  at: number;
  source: NotePath;
  source_title: string;
  target: string;
  form: Link["form"];
  anchor: string;
  label: string | null;
  line: number;
  body_line: number;
  context: string;
};
type Meant = { row: Row; path: NotePath | null };
type Around = Extract<LinkQuery, { around: NotePath }>;

const DEPTH = 10;
// One text a row: handing each column over by itself costs more than all the rest of a query.
const ROWS = `SELECT json_array(l.source, l.at, s.path, s.title, l.target, l.form, l.anchor, l.label, l.line, l.body_line,
  l.context) AS row FROM links l JOIN notes s ON s.id = l.source`;
const THESE = "IN (SELECT value FROM json_each(?))";

export function links(sql: Sql, query: LinkQuery): Link[] {
  const meaning = meaningIn(sql);
  const limit = Math.max(0, query.limit ?? Number.POSITIVE_INFINITY);
  const listed = (found: Meant[]) =>
    found
      .toSorted(inOrder)
      .slice(0, limit)
      .map((link) => meaning.linkOf(link, 1));
  if ("around" in query) return around(sql, query, limit, meaning);
  if ("from" in query) return listed(meaning.of(linksOf(sql, [query.from])));
  if ("to" in query) return listed(linksTo(sql, query.to, meaning));
  if ("written" in query) return listed(meaning.of(linksWritten(sql, query.written)));
  return listed(meaning.of(mayBeBroken(sql)).filter(({ path }) => path === null));
}

/** The notes with a link to this one; where it is not there, those with a link that would mean it and means no other. */
export function linking(sql: Sql, path: NotePath): number[] {
  const meaning = meaningIn(sql);
  const found = sql.get("SELECT 1 FROM notes WHERE path = ?", path)
    ? linksTo(sql, path, meaning)
    : meaning.of(linksWritten(sql, path)).filter((link) => link.path === null);
  return [...new Set(found.map(({ row }) => row.id))];
}

/** The same for whatever is called so: by path or name, else by alias or title. */
export function linkingName(sql: Sql, name: string): number[] {
  const { byAlias, byTitle } = indexLookup(sql);
  const key = foldKey(name);
  const meant = [locate(sql, name), byAlias(key), byTitle(key)].find((paths) => paths.length > 0);
  const paths = meant ?? [(/\.md$/i.test(name) ? name : `${name}.md`) as NotePath];
  return [...new Set(paths.flatMap((path) => linking(sql, path)))];
}

/** The notes with a link that leads nowhere. */
export const brokenIn = (sql: Sql): number[] => [
  ...new Set(
    meaningIn(sql)
      .of(mayBeBroken(sql))
      .flatMap(({ row, path }) => (path === null ? [row.id] : [])),
  ),
];

/** The notes without a link to or from another. */
export function orphans(sql: Sql): number[] {
  // A link without a folder, to the only note of that name, leads there; for the others it must be worked out.
  const left = sql.all<{ id: number; path: NotePath }>(`SELECT n.id, n.path FROM notes n WHERE NOT (
    (SELECT count(*) FROM (SELECT 1 FROM notes o WHERE o.name_key = n.name_key LIMIT 2)) = 1
    AND EXISTS (SELECT 1 FROM links l WHERE l.key = n.name_key AND l.source <> n.id AND instr(l.target, '/') = 0))`);
  const keys = keysOf(
    sql,
    left.map(({ path }) => path),
  );
  const meaning = meaningIn(sql);
  const linked = new Set(
    meaning
      .of(linksUnder(sql, keys))
      .flatMap(({ row, path }) => (path === null || path === row.source ? [] : [path])),
  );
  const alone = left.filter(({ path }) => !linked.has(path));
  const leaving = new Set(
    meaning
      .of(
        linksOf(
          sql,
          alone.map(({ path }) => path),
        ),
      )
      .flatMap(({ row, path }) => (path === null || path === row.source ? [] : [row.id])),
  );
  return alone.flatMap(({ id }) => (leaving.has(id) ? [] : [id]));
}

/** The notes these links lead to, by `source:at`; those that lead nowhere are left out. */
export function targetsOf(
  sql: Sql,
  links: readonly (readonly [source: number, at: number])[],
): Map<string, number> {
  const rows = rowsWhere(
    sql,
    "(l.source, l.at) IN (SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?))",
    JSON.stringify(links),
  );
  const meant = meaningIn(sql).of(rows);
  const ids = new Map(
    sql
      .all<{ id: number; path: NotePath }>(
        `SELECT id, path FROM notes WHERE path ${THESE}`,
        JSON.stringify(meant.map(({ path }) => path)),
      )
      .map(({ id, path }) => [path, id]),
  );
  return new Map(
    meant.flatMap(({ row, path }): [string, number][] => {
      const id = path === null ? undefined : ids.get(path);
      return id === undefined ? [] : [[`${row.id}:${row.at}`, id]];
    }),
  );
}

const inOrder = (a: Meant, b: Meant): number =>
  a.row.id === b.row.id ? a.row.at - b.row.at : a.row.source < b.row.source ? -1 : 1;

type Meaning = ReturnType<typeof meaningIn>;

function meaningIn(sql: Sql) {
  const lookup = rememberingLookup(sql);
  // The same target means the same from every note of a folder.
  const known = new Map<string, NotePath | null>();
  const meant = ({ form, source, target }: Row): NotePath | null => {
    const key = `${form}\n${folderOf(source)}\n${target}`;
    let path = known.get(key);
    if (path === undefined) known.set(key, (path = resolveTarget(target, form, source, lookup)));
    return path;
  };
  return {
    of(rows: Row[]): Meant[] {
      lookup.expect(rows.map(({ target }) => target));
      return rows.map((row) => ({ row, path: meant(row) }));
    },
    linkOf: ({ row, path }: Meant, depth: number): Link => ({
      source: row.source,
      sourceTitle: row.source_title,
      target: row.target,
      anchor: row.anchor,
      label: row.label,
      form: row.form,
      path,
      title: path === null ? row.target : lookup.titleOf(path),
      line: row.line,
      bodyLine: row.body_line,
      context: row.context,
      depth,
    }),
  };
}

type Stored = [
  number,
  number,
  NotePath,
  string,
  string,
  Link["form"],
  string,
  string | null,
  number,
  number,
  string,
];

const rowsWhere = (sql: Sql, condition: string, ...values: SqlValue[]): Row[] =>
  sql.all<{ row: string }>(`${ROWS} WHERE ${condition}`, ...values).map(({ row }) => {
    const [id, at, source, source_title, target, form, anchor, label, line, body_line, context] = JSON.parse(
      row,
    ) as Stored;
    return { id, at, source, source_title, target, form, anchor, label, line, body_line, context };
  });

const linksOf = (sql: Sql, paths: readonly NotePath[]): Row[] =>
  rowsWhere(sql, `s.path ${THESE}`, JSON.stringify(paths));

const linksUnder = (sql: Sql, keys: Iterable<string>): Row[] =>
  rowsWhere(sql, `l.key ${THESE}`, JSON.stringify([...keys]));

function linksTo(sql: Sql, path: NotePath, meaning: Meaning): Meant[] {
  return meaning.of(linksUnder(sql, keysOf(sql, [path]))).filter((link) => link.path === path);
}

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

/** As if the note were there, and no other. */
function linksWritten(sql: Sql, written: string): Row[] {
  const path = (/\.md$/i.test(written) ? written : `${written}.md`) as NotePath;
  const only = lookupOf([{ path, title: nameOf(path), aliases: [] }]);
  return linksUnder(sql, [linkKey(path)]).filter(
    ({ target, form, source }) => resolveTarget(target, form, source, only) !== null,
  );
}

/** A target that names no folder is broken only if no note has that name. */
const mayBeBroken = (sql: Sql): Row[] =>
  rowsWhere(sql, "instr(l.target, '/') > 0 OR l.key NOT IN (SELECT name_key FROM notes)");

/** Breadth first: each note once, by the first link that leads to it; and each target that leads nowhere, once. */
function around(sql: Sql, query: Around, limit: number, meaning: Meaning): Link[] {
  const seen = new Set<string>([query.around]);
  const found: Link[] = [];
  let edge: NotePath[] = [query.around];
  const deepest = Math.min(query.depth, DEPTH);
  for (let depth = 1; depth <= deepest && edge.length > 0 && found.length < limit; depth++) {
    const reached = new Map<string, Meant>();
    const take = (link: Meant, other: NotePath | null): void => {
      const mark = other ?? `nowhere\n${foldKey(link.row.target)}`;
      if (seen.has(mark)) return;
      const rival = reached.get(mark);
      if (!rival || inOrder(link, rival) < 0) reached.set(mark, link);
    };
    if (query.direction !== "in") for (const link of meaning.of(linksOf(sql, edge))) take(link, link.path);
    if (query.direction !== "out") {
      const here = new Set<string | null>(edge);
      for (const link of meaning.of(linksUnder(sql, keysOf(sql, edge))))
        if (here.has(link.path)) take(link, link.row.source);
    }
    for (const link of [...reached.values()].toSorted(inOrder))
      if (found.length < limit) found.push(meaning.linkOf(link, depth));
    for (const mark of reached.keys()) seen.add(mark);
    edge = [...reached.keys()].filter((mark): mark is NotePath => !mark.startsWith("nowhere\n"));
  }
  return found;
}
