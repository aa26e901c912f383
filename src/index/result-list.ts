/** Result lists: the notes that meet a condition, in an order, any stretch of them at a time. The order is by a column of the notes, or by how well they fit the words (decision 20). */

import type { Page } from "../notebook/filter.ts";
import type { Near } from "../notebook/vectors.ts";
import type { Condition, Tag } from "./filter-sql.ts";
import { joinedRows, SUMMARY, summariesIn, type NoteSummary } from "./note-summary.ts";
import type { Sought } from "../search/match.ts";
import { mix, unchanged } from "../search/mix.ts";
import { targetsOf } from "./link-query.ts";
import { readQuestion } from "../search/question.ts";
import { refine, type StoredText } from "../search/refine.ts";
import type { Search } from "../search/search.ts";
import type { Sql, SqlValue } from "../sqlite/sql.ts";

export type ResultList = {
  part(skip: number, limit: number): NoteSummary[];
  total(): number;
  /** What a snippet shows, and for one note the number of the chunk that fits best. */
  sought: Sought[];
  chunkOf(id: number): number | null;
  /** How well the words of a note fit; null where that was not asked, or for one beyond the best. */
  scoreOf(id: number): number | null;
  /** The texts that were read on the way. */
  texts: ReadonlyMap<number, StoredText>;
  corrected: { from: string; to: string }[];
  /** The list is empty because no note has any word of a question. */
  unknown: boolean;
  /** How many notes are listed for their meaning alone. */
  byMeaning: number;
};

/** A Durable Object binds at most a hundred values. */
const VALUES = 90;

const ORDERS: Record<Page["sort"], string> = {
  rank: "n.path",
  path: "n.path",
  // Names are compared by code point, as their bytes are.
  name: "n.name, n.path",
  created: "n.created DESC, n.id",
  modified: "n.modified DESC, n.saved DESC, n.path",
};

/** `after` has the keys of the note that the list goes on behind, where the order is by path or by name. */
export function listByColumn(
  sql: Sql,
  condition: Condition,
  sort: Page["sort"],
  after: readonly string[] | null,
): ResultList {
  const { tag } = condition;
  const { page, total, values } =
    tag && (sort === "path" || sort === "rank") ? taggedNotes(tag, after) : notesBy(condition, sort, after);
  return {
    part: (skip, limit) =>
      summariesIn(rowsOf(sql, joinedRows(page, limit), [...values, ...(after ?? []), limit, skip])),
    total: () => rowsOf<{ total: number }>(sql, total, values)[0]!.total,
    sought: condition.sought,
    chunkOf: () => null,
    scoreOf: () => null,
    texts: new Map(),
    corrected: [],
    unknown: false,
    byMeaning: 0,
  };
}

/** The statements of a list: one for a page of it, one for the total. */
type Statements = { page: string; total: string; values: SqlValue[] };

function notesBy(condition: Condition, sort: Page["sort"], after: readonly string[] | null): Statements {
  const { from, values } = tables(condition);
  const keys = after === null ? "" : sort === "path" ? "AND n.path > ?" : "AND (n.name, n.path) > (?, ?)";
  return {
    page: `SELECT ${SUMMARY} ${from} ${keys} ORDER BY ${ORDERS[sort]} LIMIT ? OFFSET ?`,
    total: `SELECT count(*) AS total ${from}`,
    values,
  };
}

// Tags are filed by path, so that a page is read from where it begins, however many notes have the tag.
function taggedNotes({ where, values }: Tag, after: readonly string[] | null): Statements {
  const from = `FROM tags WHERE ${where}`;
  const some = `SELECT path, note ${from} ${after === null ? "" : "AND path > ?"} ORDER BY path LIMIT ? OFFSET ?`;
  return {
    page: `SELECT ${SUMMARY} FROM (${some}) t JOIN notes n ON n.id = t.note ORDER BY t.path`,
    total: `SELECT count(*) AS total ${from}`,
    values,
  };
}

/** The best notes come first. Where words are only some of the ways to fit, notes that have none of them come last, by path. */
export function listByRank(search: Search, condition: Condition, near: readonly Near[]): ResultList {
  const { sql } = search;
  const question = readQuestion(search, condition.words, (links) => targetsOf(sql, links));
  const needed = new Set(condition.words.flatMap(({ needed: each }, group) => (each ? [group] : [])));
  const isNeeded = ({ group }: { group: number }): boolean => needed.has(group);
  const within = condition.everything ? null : idsOf(sql, condition, "");
  const allowed = within && new Set(within);
  const ranking = search.rank(question.words, search.sizes(), needed, allowed);
  const texts = refine(search, ranking, question.words);
  // A question in several parts, each of which must be met, is not met by the meaning of the whole.
  const mayCome = (id: number): boolean => needed.size === 1 && (allowed === null || allowed.has(id));
  const byMeaning = near.length === 0 ? 0 : mix(ranking, unchanged(sql, near), mayCome);
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
    scoreOf: (id) => ranking.best.get(id)?.score ?? null,
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

const idsOf = (sql: Sql, condition: Condition, order: string): number[] => {
  const { from, values } = tables(condition);
  return rowsOf<{ id: number }>(sql, `SELECT n.id ${from} ${order}`, values).map(({ id }) => id);
};

const THESE = `SELECT ${SUMMARY} FROM notes n WHERE n.id IN (SELECT value FROM json_each(?))`;

function notesOf(sql: Sql, ids: readonly number[]): NoteSummary[] {
  if (ids.length === 0) return [];
  const byId = new Map(
    summariesIn(sql.all(joinedRows(THESE, ids.length), JSON.stringify(ids))).map((note) => [note.id, note]),
  );
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Where words are required, the table of words is read first. */
function tables({ where, values, required }: Condition): { from: string; values: SqlValue[] } {
  if (required.length === 0) return { from: `FROM notes n WHERE ${where}`, values };
  return {
    from: `FROM words JOIN notes n ON n.id = words.rowid WHERE words MATCH ? AND ${where}`,
    values: [required.map((one) => `(${one})`).join(" AND "), ...values],
  };
}

function rowsOf<T>(sql: Sql, text: string, values: SqlValue[]): T[] {
  if (values.length <= VALUES) return sql.all<T>(text, ...values);
  let at = 0;
  const packed = text.replace(/\?/g, () => `json_extract((SELECT list FROM given), '$[${at++}]')`);
  return sql.all<T>(`WITH given (list) AS (SELECT ?) ${packed}`, JSON.stringify(values));
}
