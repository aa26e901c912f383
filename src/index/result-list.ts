/** Lists: what fits a condition, in an order, any stretch of it at a time. By a column of the notes, or by how well they fit the words. */

import type { Page } from "../notebook/filter.ts";
import type { Near } from "../notebook/parts.ts";
import type { Condition, Tag } from "./filter-sql.ts";
import { inOne, LISTED, listedIn, type Listed } from "./note-summary.ts";
import type { Sought } from "../search/match.ts";
import { mix, stillSo } from "../search/mix.ts";
import { targetsOf } from "./link-query.ts";
import { readQuestion } from "../search/question.ts";
import { refine, type Text } from "../search/refine.ts";
import type { Search } from "../search/search.ts";
import type { Sql, SqlValue } from "../sqlite/sql.ts";

export type List = {
  part(skip: number, limit: number): Listed[];
  total(): number;
  /** What to show of the notes, and of one the number of the chunk that fits best. */
  sought: Sought[];
  chunkOf(id: number): number | null;
  /** Those that were read on the way. */
  texts: ReadonlyMap<number, Text>;
  corrected: { from: string; to: string }[];
  /** Nothing is here because no note has any word of a question. */
  unknown: boolean;
  /** How many are here for what they mean alone. */
  byMeaning: number;
};

/** A Durable Object binds at most a hundred values. */
const VALUES = 90;

const ORDERS: Record<Page["sort"], string> = {
  rank: "n.path",
  path: "n.path",
  // By code point, as its bytes are.
  name: "n.name, n.path",
  created: "n.created DESC, n.id",
  modified: "n.modified DESC, n.saved DESC, n.path",
};

/** `after`: the keys of a note the list goes on behind, where it is by path or by name. */
export function listBy(
  sql: Sql,
  condition: Condition,
  sort: Page["sort"],
  after: readonly string[] | null,
): List {
  const { tag } = condition;
  const { page, total, values } =
    tag && (sort === "path" || sort === "rank") ? taggedNotes(tag, after) : notesBy(condition, sort, after);
  return {
    part: (skip, limit) =>
      listedIn(askFor(sql, inOne(page, limit), [...values, ...(after ?? []), limit, skip])),
    total: () => askFor<{ total: number }>(sql, total, values)[0]!.total,
    sought: condition.sought,
    chunkOf: () => null,
    texts: new Map(),
    corrected: [],
    unknown: false,
    byMeaning: 0,
  };
}

/** What a list is asked by: a page of it, and how many there are. */
type Statements = { page: string; total: string; values: SqlValue[] };

function notesBy(condition: Condition, sort: Page["sort"], after: readonly string[] | null): Statements {
  const { from, values } = tables(condition);
  const keys = after === null ? "" : sort === "path" ? "AND n.path > ?" : "AND (n.name, n.path) > (?, ?)";
  return {
    page: `SELECT ${LISTED} ${from} ${keys} ORDER BY ${ORDERS[sort]} LIMIT ? OFFSET ?`,
    total: `SELECT count(*) AS total ${from}`,
    values,
  };
}

// Tags are filed by path, so that a page is read off where it begins, however many notes have the tag.
function taggedNotes({ where, values }: Tag, after: readonly string[] | null): Statements {
  const from = `FROM tags WHERE ${where}`;
  const some = `SELECT path, note ${from} ${after === null ? "" : "AND path > ?"} ORDER BY path LIMIT ? OFFSET ?`;
  return {
    page: `SELECT ${LISTED} FROM (${some}) t JOIN notes n ON n.id = t.note ORDER BY t.path`,
    total: `SELECT count(*) AS total ${from}`,
    values,
  };
}

/** Best first. Where words are only some of the ways to fit, what has none of them comes last, by path. */
export function listByRank(search: Search, condition: Condition, near: readonly Near[]): List {
  const { sql } = search;
  const question = readQuestion(search, condition.words, (links) => targetsOf(sql, links));
  const needed = new Set(condition.words.flatMap(({ needed: each }, group) => (each ? [group] : [])));
  const isNeeded = ({ group }: { group: number }): boolean => needed.has(group);
  const within = isAll(condition) ? null : idsOf(sql, condition, "");
  const allowed = within && new Set(within);
  const ranking = search.rank(question.words, search.sizes(), needed, allowed);
  const texts = refine(search, ranking, question.words);
  // What is asked in several parts, each of which must be met, is not met by what the whole of it means.
  const mayCome = (id: number): boolean => needed.size === 1 && (allowed === null || allowed.has(id));
  const byMeaning = near.length === 0 ? 0 : mix(ranking, stillSo(sql, near), mayCome);
  const all = memo(() => {
    const ids = [...ranking.head, ...ranking.rest()];
    if (needed.size > 0 || ids.length === within!.length) return ids;
    const ranked = new Set(ids);
    return [...ids, ...idsOf(sql, condition, "ORDER BY n.path").filter((id) => !ranked.has(id))];
  });
  const terms = new Set(question.words.filter(isNeeded).flatMap((word) => [...word.terms]));
  return {
    part(skip, limit) {
      const ids = skip + limit <= ranking.head.length ? ranking.head : all();
      return notesOf(sql, ids.slice(skip, skip + limit));
    },
    total: () => (needed.size > 0 ? ranking.total + byMeaning : within!.length),
    byMeaning,
    sought: terms.size === 0 ? condition.sought : [...condition.sought, { mark: { terms }, in: "either" }],
    chunkOf: (id) => ranking.best.get(id)?.chunk ?? null,
    texts,
    corrected: question.corrected,
    unknown:
      byMeaning === 0 &&
      question.words.some(isNeeded) &&
      question.words.every((word) => !isNeeded(word) || word.places.size === 0),
  };
}

function memo<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => (made ??= { value: make() }).value;
}

const isAll = ({ where, required }: Condition): boolean =>
  required.length === 0 && /^[(1) AND]*$/.test(where);

const idsOf = (sql: Sql, condition: Condition, order: string): number[] => {
  const { from, values } = tables(condition);
  return askFor<{ id: number }>(sql, `SELECT n.id ${from} ${order}`, values).map(({ id }) => id);
};

const THESE = `SELECT ${LISTED} FROM notes n WHERE n.id IN (SELECT value FROM json_each(?))`;

function notesOf(sql: Sql, ids: readonly number[]): Listed[] {
  if (ids.length === 0) return [];
  const byId = new Map(
    listedIn(sql.all(inOne(THESE, ids.length), JSON.stringify(ids))).map((note) => [note.id, note]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Where words are required, their table leads. */
function tables({ where, values, required }: Condition): { from: string; values: SqlValue[] } {
  if (required.length === 0) return { from: `FROM notes n WHERE ${where}`, values };
  return {
    from: `FROM words JOIN notes n ON n.id = words.rowid WHERE words MATCH ? AND ${where}`,
    values: [required.map((one) => `(${one})`).join(" AND "), ...values],
  };
}

function askFor<T>(sql: Sql, text: string, values: SqlValue[]): T[] {
  if (values.length <= VALUES) return sql.all<T>(text, ...values);
  let at = 0;
  const packed = text.replace(/\?/g, () => `json_extract((SELECT list FROM given), '$[${at++}]')`);
  return sql.all<T>(`WITH given (list) AS (SELECT ?) ${packed}`, JSON.stringify(values));
}
