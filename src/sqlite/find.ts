/** Finding: a filter and a page to notes, a total and a cursor. */

import { proseOf } from "../markdown/prose.ts";
import { sectionsOf } from "../markdown/sections.ts";
import type { Filter, Found, FoundNote, Page } from "../notebook/filter.ts";
import { sectionHash } from "../notebook/handle.ts";
import { nameOf, type NotePath } from "../notebook/paths.ts";
import { foldKey, linkKey } from "../notebook/resolve.ts";
import { hashOf, HASHES, readCursor, START, writeCursor, type Place } from "./cursor.ts";
import { conditionOf, type Condition, type Sought } from "./filter-sql.ts";
import { holding } from "./holding.ts";
import { WEIGHTS } from "./schema.ts";
import { snippetOf } from "./snippet.ts";
import type { Sql, SqlValue } from "./sql.ts";

/** More than any list is long; keeps an offset and a limit added up a whole number. */
const MOST = 1_000_000_000;
/** A snippet is sought in this much of a body. */
const SNIPPET_REACH = 300_000;
/** A Durable Object binds at most a hundred values. */
const VALUES = 90;

type Hit = { id: number; path: NotePath; name_key: string };

export function find(
  sql: Sql,
  filter: Filter,
  page: Page,
  linking: (path: NotePath) => number[],
  indexed: boolean,
): Found {
  let whole = indexed;
  const condition = conditionOf(filter, {
    standing: (path) => standing(sql, path),
    linking,
    holding(part) {
      const found = holding(sql, part);
      whole &&= found.whole;
      return found.ids;
    },
  });
  const limit = Math.min(Math.max(0, Math.floor(page.limit)), MOST);
  const place = page.cursor === undefined ? START : readCursor(page.cursor, filter, page.sort);
  const offset = page.cursor === undefined ? Math.min(page.offset ?? 0, MOST) : place.given;
  const skip = page.cursor === undefined ? offset : 0;
  const found = limit === 0 ? [] : hits(sql, condition, page.sort, place, skip, limit + 1);
  const hit = found.slice(0, limit);
  const ended = limit > 0 && found.length <= limit && (hit.length > 0 || offset === 0);
  return {
    notes: notesOf(sql, hit, condition.sought, page.snippet),
    // Unless all of it is here, it is counted: a cursor may have passed notes that are gone, or not yet come.
    total: ended && offset === 0 ? hit.length : count(sql, condition),
    offset,
    cursor: found.length > limit ? writeCursor(filter, page.sort, next(place, page.sort, offset, hit)) : null,
    corrected: [],
    partial: !whole,
  };
}

function next(place: Place, sort: Page["sort"], offset: number, hit: readonly Hit[]): Place {
  const given = offset + hit.length;
  const last = hit.at(-1)!;
  if (sort === "path") return { given, after: [last.path], hashes: [] };
  if (sort === "name") return { given, after: [last.name_key, last.path], hashes: [] };
  return { given, after: null, hashes: [...place.hashes, ...hit.map(({ path }) => hashOf(path))] };
}

/** The notes of one page, and one more where there is more. */
function hits(
  sql: Sql,
  condition: Condition,
  sort: Page["sort"],
  place: Place,
  skip: number,
  limit: number,
): Hit[] {
  if (place.after) {
    const keys = sort === "path" ? "n.path > ?" : "(n.name_key, n.path) > (?, ?)";
    const where = `${condition.where} AND ${keys}`;
    const values = [...condition.values, ...place.after];
    return select(sql, { ...condition, where, values }, sort, 0, limit);
  }
  if (place.hashes.length === 0) return select(sql, condition, sort, skip, limit);
  // Of what was given, the hashes of the last are known: those stand, if nothing was written, just before this page.
  const known = new Set(place.hashes);
  const from = Math.max(0, place.given - HASHES);
  return select(sql, condition, sort, from, place.given - from + limit)
    .filter(({ path }) => !known.has(hashOf(path)))
    .slice(0, limit);
}

const ORDERS: Record<Page["sort"], string> = {
  rank: "n.path",
  path: "n.path",
  name: "n.name_key, n.path",
  created: "n.created DESC, n.id",
  modified: "n.modified DESC, n.path",
};
const SCORE = `bm25(words, ${Object.values(WEIGHTS).join(", ")})`;

function select(sql: Sql, condition: Condition, sort: Page["sort"], skip: number, limit: number): Hit[] {
  const ranked = sort === "rank";
  const { from, values, score } = tables(condition, ranked);
  const order = ranked && score ? `${score}, ${ORDERS.rank}` : ORDERS[sort];
  return ask<Hit>(sql, `SELECT n.id, n.path, n.name_key ${from} ORDER BY ${order} LIMIT ? OFFSET ?`, [
    ...values,
    limit,
    skip,
  ]);
}

function count(sql: Sql, condition: Condition): number {
  if (condition.required.length > 0 && /^[(1) AND]*$/.test(condition.where))
    return ask<{ total: number }>(sql, "SELECT count(*) AS total FROM words WHERE words MATCH ?", [
      required(condition),
    ])[0]!.total;
  const { from, values } = tables(condition, false);
  return ask<{ total: number }>(sql, `SELECT count(*) AS total ${from}`, values)[0]!.total;
}

const required = ({ required: each }: Condition): string => each.map((one) => `(${one})`).join(" AND ");

/** Where words are required, their table leads; where they are only some of the ways to match, they only rank. */
function tables(
  condition: Condition,
  ranked: boolean,
): { from: string; values: SqlValue[]; score: string | null } {
  const { where, values, optional } = condition;
  if (condition.required.length > 0)
    return {
      from: `FROM words JOIN notes n ON n.id = words.rowid WHERE words MATCH ? AND ${where}`,
      values: [required(condition), ...values],
      score: SCORE,
    };
  if (!ranked || optional.length === 0) return { from: `FROM notes n WHERE ${where}`, values, score: null };
  return {
    from: `FROM notes n LEFT JOIN (SELECT rowid AS id, ${SCORE} AS score FROM words WHERE words MATCH ?) w ON w.id = n.id WHERE ${where}`,
    values: [optional.map((one) => `(${one})`).join(" OR "), ...values],
    score: "w.score IS NULL, w.score",
  };
}

function ask<T>(sql: Sql, text: string, values: SqlValue[]): T[] {
  if (values.length <= VALUES) return sql.all<T>(text, ...values);
  let at = 0;
  const packed = text.replace(/\?/g, () => `json_extract((SELECT list FROM given), '$[${at++}]')`);
  return sql.all<T>(`WITH given (list) AS (SELECT ?) ${packed}`, JSON.stringify(values));
}

/** The note that stands there: spelled so, else the same but for Unicode form, else but for case. */
function standing(sql: Sql, path: NotePath): number[] {
  const rows = sql.all<{ id: number; path: string }>(
    "SELECT id, path FROM notes WHERE name_key = ? AND path_key = ?",
    linkKey(path),
    foldKey(path),
  );
  const composed = path.normalize("NFC");
  const best =
    rows.find((row) => row.path === path) ??
    rows.find((row) => row.path.normalize("NFC") === composed) ??
    rows[0];
  return best ? [best.id] : [];
}

type Row = {
  id: number;
  path: NotePath;
  title: string;
  handle: string;
  field_tags: string;
  inline_tags: string;
  type: string | null;
  created: number;
  modified: number;
  updated: string | null;
  size: number;
};

function notesOf(
  sql: Sql,
  hit: readonly Hit[],
  sought: readonly Sought[],
  size: Page["snippet"],
): FoundNote[] {
  if (hit.length === 0) return [];
  const ids = JSON.stringify(hit.map(({ id }) => id));
  const rows = sql.all<Row>("SELECT * FROM notes WHERE id IN (SELECT value FROM json_each(?))", ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return hit.flatMap(({ id }) => {
    const row = byId.get(id);
    return row ? [noteOf(row, size ? shown(sql, id, sought, size) : NOTHING)] : [];
  });
}

type Shown = Pick<FoundNote, "snippet" | "section">;
const NOTHING: Shown = { snippet: null, section: null };

function shown(sql: Sql, id: number, sought: readonly Sought[], size: NonNullable<Page["snippet"]>): Shown {
  const text = sql.get<{ title: string; body: string }>(
    `SELECT title, substr(body, 1, ${SNIPPET_REACH}) AS body FROM texts WHERE id = ?`,
    id,
  );
  const found = text ? snippetOf(text.title, text.body, sought, size) : null;
  if (!text || !found) return NOTHING;
  return { snippet: found.snippet, section: found.at === null ? null : sectionAt(text.body, found.at) };
}

function sectionAt(body: string, at: number): FoundNote["section"] {
  const sections = sectionsOf(body, proseOf(body, 0, 1).headings);
  const section = sections.findLast(({ start }) => start <= at);
  return (
    (section && {
      heading: section.heading.text,
      hash: sectionHash(body.slice(section.start, section.end)),
    }) ??
    null
  );
}

const noteOf = (row: Row, shown: Shown): FoundNote => ({
  path: row.path,
  name: nameOf(row.path),
  title: row.title,
  id: row.handle,
  tags: {
    fields: JSON.parse(row.field_tags) as string[],
    inline: JSON.parse(row.inline_tags) as string[],
  },
  type: row.type,
  created: new Date(row.created),
  modified: new Date(row.modified),
  updated: row.updated,
  size: row.size,
  ...shown,
});
