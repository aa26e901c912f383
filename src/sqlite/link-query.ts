/** Links asked of the index: to a note, from one, around one, as written, or leading nowhere. What a link means is worked out now, by notebook/resolve.ts. */

import type { Link, LinkQuery } from "../notebook/link-graph.ts";
import { folderOf, nameOf, type NotePath } from "../notebook/paths.ts";
import { foldKey, linkKey, lookupOf, resolveTarget } from "../notebook/resolve.ts";
import { rememberingLookup } from "./link-lookup.ts";
import type { Sql, SqlValue } from "./sql.ts";

/** A link as far as is needed to know what it means. */
type Slim = { id: number; at: number; source: NotePath; target: string; form: Link["form"] };
type Meant = Slim & { path: NotePath | null };

const DEPTH = 10;
const SLIM =
  "SELECT l.source AS id, l.at, s.path AS source, l.target, l.form FROM links l JOIN notes s ON s.id = l.source";
const IN_ORDER = "ORDER BY s.path, l.at";

export function links(sql: Sql, query: LinkQuery): Link[] {
  const limit = query.limit ?? Number.POSITIVE_INFINITY;
  const meaning = resolver(sql);
  if ("around" in query) return around(sql, query, limit, meaning);
  if ("from" in query) return whole(sql, meaning(linksOf(sql, [query.from])).slice(0, limit));
  if ("to" in query) return whole(sql, linksTo(sql, query.to, meaning).slice(0, limit));
  if ("written" in query) return whole(sql, meaning(linksWritten(sql, query.written).slice(0, limit)));
  const lost = meaning(mayBeBroken(sql)).filter(({ path }) => path === null);
  return whole(sql, lost.slice(0, limit));
}

/** The notes with a link to this one. */
export function linking(sql: Sql, path: NotePath): number[] {
  return [...new Set(linksTo(sql, path, resolver(sql)).map(({ id }) => id))];
}

type Meaning = (slim: Slim[]) => Meant[];

/** The same target means the same from every note of a folder. */
function resolver(sql: Sql): Meaning {
  const lookup = rememberingLookup(sql);
  const known = new Map<string, NotePath | null>();
  return (slim) => {
    lookup.expect(slim.map(({ target }) => target));
    return slim.map((link) => {
      const key = `${link.form}\n${folderOf(link.source)}\n${link.target}`;
      let path = known.get(key);
      if (path === undefined) {
        path = resolveTarget(link.target, link.form, link.source, lookup);
        known.set(key, path);
      }
      return { ...link, path };
    });
  };
}

const linksOf = (sql: Sql, paths: readonly NotePath[]): Slim[] =>
  sql.all<Slim>(
    `${SLIM} WHERE s.path IN (SELECT value FROM json_each(?)) ${IN_ORDER}`,
    JSON.stringify(paths),
  );

const linksUnder = (sql: Sql, keys: Iterable<string>): Slim[] =>
  sql.all<Slim>(
    `${SLIM} WHERE l.key IN (SELECT value FROM json_each(?)) ${IN_ORDER}`,
    JSON.stringify([...keys]),
  );

/** A link to a note is filed under its name, one of its aliases, or its title. */
function keysOf(sql: Sql, paths: readonly NotePath[]): Set<string> {
  const rows = sql.all<{ word: string }>(
    `WITH wanted AS (SELECT id, path, title FROM notes WHERE path IN (SELECT value FROM json_each(?)))
     SELECT path AS word FROM wanted UNION ALL SELECT title FROM wanted
     UNION ALL SELECT a.alias FROM wanted JOIN aliases a ON a.note = wanted.id`,
    JSON.stringify(paths),
  );
  return new Set(rows.map(({ word }) => linkKey(word)));
}

function linksTo(sql: Sql, path: NotePath, meaning: Meaning): Meant[] {
  return meaning(linksUnder(sql, keysOf(sql, [path]))).filter((link) => link.path === path);
}

/** As if the note were there, and no other. */
function linksWritten(sql: Sql, written: string): Slim[] {
  const path = (/\.md$/i.test(written) ? written : `${written}.md`) as NotePath;
  const only = lookupOf([{ path, title: nameOf(path), aliases: [] }]);
  return linksUnder(sql, [linkKey(path)]).filter(
    ({ target, form, source }) => resolveTarget(target, form, source, only) !== null,
  );
}

/** A target that names no folder is broken only if no note has that name. */
const mayBeBroken = (sql: Sql): Slim[] =>
  sql.all<Slim>(
    `${SLIM} WHERE instr(l.target, '/') > 0 OR l.key NOT IN (SELECT name_key FROM notes) ${IN_ORDER}`,
  );

/** Breadth first: each note once, by the first link that leads to it; and each target that leads nowhere, once. */
function around(
  sql: Sql,
  query: Extract<LinkQuery, { around: NotePath }>,
  limit: number,
  meaning: Meaning,
): Link[] {
  const seen = new Set<string>([query.around]);
  const found: (Meant & { depth: number })[] = [];
  let edge: NotePath[] = [query.around];
  for (let depth = 1; depth <= Math.min(query.depth, DEPTH) && edge.length > 0; depth++) {
    const reached: NotePath[] = [];
    const take = (link: Meant, other: NotePath | null): void => {
      const mark = other ?? `nowhere\n${foldKey(link.target)}`;
      if (seen.has(mark) || found.length >= limit) return;
      seen.add(mark);
      found.push({ ...link, depth });
      if (other) reached.push(other);
    };
    const here = new Set(edge);
    if (query.direction !== "in") for (const link of meaning(linksOf(sql, edge))) take(link, link.path);
    if (query.direction !== "out")
      for (const link of meaning(linksUnder(sql, keysOf(sql, edge))))
        if (link.path !== null && here.has(link.path)) take(link, link.source);
    edge = reached;
  }
  const full = whole(sql, found);
  return full.map((link, at) => ({ ...link, depth: found[at]!.depth }));
}

type Full = {
  target: string;
  form: Link["form"];
  anchor: string;
  label: string | null;
  line: number;
  body_line: number;
  context: string;
  source: NotePath;
  source_title: string;
};

/** Everything there is to say of these links, in their order. */
function whole(sql: Sql, slim: readonly Meant[]): Link[] {
  const pairs: SqlValue = JSON.stringify(slim.map(({ id, at }) => [id, at]));
  const rows = sql.all<Full>(
    `SELECT l.target, l.form, l.anchor, l.label, l.line, l.body_line, l.context, s.path AS source, s.title AS source_title
     FROM json_each(?) j CROSS JOIN links l ON l.source = j.value ->> 0 AND l.at = j.value ->> 1
     JOIN notes s ON s.id = l.source ORDER BY j.key`,
    pairs,
  );
  const titles = titlesOf(sql, new Set(slim.flatMap(({ path }) => path ?? [])));
  return rows.map((row, at) => {
    const path = slim[at]?.path ?? null;
    return {
      source: row.source,
      sourceTitle: row.source_title,
      target: row.target,
      anchor: row.anchor,
      label: row.label,
      form: row.form,
      path,
      title: (path === null ? undefined : titles.get(path)) ?? row.target,
      line: row.line,
      bodyLine: row.body_line,
      context: row.context,
      depth: 1,
    };
  });
}

function titlesOf(sql: Sql, paths: ReadonlySet<NotePath>): Map<string, string> {
  const rows = sql.all<{ path: string; title: string }>(
    "SELECT path, title FROM notes WHERE path IN (SELECT value FROM json_each(?))",
    JSON.stringify([...paths]),
  );
  return new Map(rows.map(({ path, title }) => [path, title]));
}
