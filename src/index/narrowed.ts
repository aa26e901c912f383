/** Narrowed tables: the index and the ledger as if they held the notes of some folders only. The statements stay as they are; in front of each, tables of the same names hide the real ones. */

import { insideOf, prefixesOf } from "../notebook/folders/inside.ts";
import type { Sql, SqlValue } from "../sqlite/sql.ts";

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A condition on a column with a path. `0` comes right after `/`, so a folder is a range, which an index serves. */
function insideSql(folders: readonly string[]): (column: string) => string {
  const ranges = prefixesOf(folders).map((prefix) => [quoted(prefix), quoted(`${prefix.slice(0, -1)}0`)]);
  return (column) =>
    `(${ranges.map(([from, to]) => `(${column} >= ${from} AND ${column} < ${to})`).join(" OR ")})`;
}

/** What a revision is called that also touched something else, where its own message names that, or counts it. */
export const ALSO_ELSEWHERE = "Change notes, some of them outside your folders";

/** Each table as it is seen. Those that are not here are only ever read together with one of these, or hold no word of a note. */
function tablesIn(folders: readonly string[]): Record<string, string> {
  const inside = insideSql(folders);
  const ids = `(SELECT id FROM main.notes WHERE ${inside("path")})`;
  const crossing = `NOT (${inside("t.path")} AND (t.moved_from IS NULL OR ${inside("t.moved_from")}))`;
  const ofRevision = `FROM main.touches t WHERE t.number = r.number AND`;
  const touched = `(SELECT count(*) ${ofRevision} (${inside("t.path")} OR ${inside("t.moved_from")}))`;
  const named = (column: string): string =>
    `(NOT ${inside(column)} AND instr(r.message, substr(${column}, 1, length(${column}) - 3)) > 0)`;
  // "Move 3 notes: …" has a number after its first word.
  const counted = "replace(r.message, 'Undo: ', '')";
  const tellsMore = `EXISTS (SELECT 1 ${ofRevision} ${crossing}) AND (r.surface = 'outside'
    OR EXISTS (SELECT 1 ${ofRevision} (${named("t.path")} OR ${named("t.moved_from")}))
    OR CAST(substr(${counted}, instr(${counted}, ' ') + 1) AS INTEGER) > ${touched})`;
  return {
    notes: `SELECT * FROM main.notes WHERE ${inside("path")}`,
    files: `SELECT * FROM main.files WHERE ${inside("path")}`,
    tags: `SELECT * FROM main.tags WHERE ${inside("path")}`,
    texts: `SELECT * FROM main.texts WHERE id IN ${ids}`,
    vocabulary: `SELECT term, doc FROM (SELECT term, (SELECT count(*) FROM words w WHERE w.words MATCH '"' || term || '"'
      AND w.rowid IN ${ids}) AS doc FROM main.vocabulary) WHERE doc > 0`,
    // What came from outside came to be; what went there is gone.
    touches: `SELECT path, number, CASE WHEN ${inside("moved_from")} THEN moved_from END AS moved_from,
        CASE WHEN moved_from IS NULL OR ${inside("moved_from")} THEN before END AS before, version, changed
      FROM main.touches WHERE ${inside("path")}
      UNION ALL SELECT t.moved_from, t.number, NULL, t.before, NULL, t.changed
      FROM main.touches t WHERE ${inside("t.moved_from")} AND NOT ${inside("t.path")}
        AND NOT EXISTS (SELECT 1 FROM main.touches o WHERE o.path = t.moved_from AND o.number = t.number)`,
    revisions: `SELECT number, id, author, date,
        CASE WHEN ${tellsMore} THEN ${quoted(ALSO_ELSEWHERE)} ELSE message END AS message,
        surface, tool, connection, accepted_by, ${touched} AS touched, NULL AS folders
      FROM main.revisions r WHERE EXISTS (SELECT 1 ${ofRevision} (${inside("t.path")} OR ${inside("t.moved_from")}))`,
  };
}

/** Only asks: whatever is written goes to the real tables. */
export function narrowed(whole: Sql, folders: readonly string[]): Sql {
  const tables = Object.entries(tablesIn(folders)).map(([name, rows]) => ({
    named: new RegExp(`\\b${name}\\b`),
    table: `${name} AS NOT MATERIALIZED (${rows})`,
  }));
  const known = new Map<string, string>();
  const before = (text: string): string => {
    let made = known.get(text);
    if (made !== undefined) return made;
    const seen = tables.filter(({ named }) => named.test(text)).map(({ table }) => table);
    const [, rest] = /^\s*WITH\s+(.*)$/s.exec(text) ?? [];
    made = seen.length === 0 ? text : `WITH ${seen.join(", ")}${rest ? `, ${rest}` : ` ${text}`}`;
    if (known.size >= STATEMENTS) known.clear();
    known.set(text, made);
    return made;
  };
  return {
    ...whole,
    all: <T>(text: string, ...values: SqlValue[]) => whole.all<T>(before(text), ...values),
    get: <T>(text: string, ...values: SqlValue[]) => whole.get<T>(before(text), ...values),
    narrowed: { whole, inside: insideOf(folders) },
  };
}

const STATEMENTS = 500;
