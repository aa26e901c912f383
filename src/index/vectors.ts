/** Vectors of the chunks of notes, by model: which are missing, and which were put since (decision 12). What a vector means is nothing to this file. */

import type { Unembedded, VectorRow, Vectors } from "../notebook/vectors.ts";
import { beginning, beginningOf } from "../search/bodies.ts";
import type { Outline } from "../search/outline.ts";
import type { Search } from "../search/search.ts";
import type { Sql, SqlValue } from "../sqlite/sql.ts";
import { flushWords } from "../search/text-rows.ts";

// `number` is the order in which they were put, so that a process can ask for what came since. `maker` makes vectors until `until`.
export const VECTORS = `
CREATE TABLE models (
  name TEXT PRIMARY KEY,
  used INTEGER NOT NULL,
  maker TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE vectors (
  number INTEGER PRIMARY KEY,
  model TEXT NOT NULL,
  note INTEGER NOT NULL,
  version TEXT NOT NULL,
  chunks INTEGER NOT NULL,
  data BLOB NOT NULL
) STRICT;
CREATE UNIQUE INDEX vectors_note ON vectors (model, note);
`;

/** More chunks of a note, and more letters of a chunk, are not embedded. */
const CHUNKS = 200;
const LETTERS = 2000;
const BODY = 300_000;
const HEADING = 200;
/** The vectors of a model that nobody has asked for in so long are dropped. */
const UNUSED = 30 * 86_400_000;

export function openVectors(search: Search, model: string, now: () => Date): Vectors {
  const { sql } = search;
  beginUsing(sql, model, now().getTime());
  return {
    missing(which, limit) {
      flushWords(search);
      const [where, value]: [string, SqlValue] =
        "after" in which
          ? ["n.id > ?", which.after]
          : ["n.path IN (SELECT value FROM json_each(?))", JSON.stringify(which.paths)];
      return sql
        .all<Row>(`${MISSING} AND ${where} ORDER BY n.id LIMIT ?`, model, value, limit)
        .map((row) => textsOf(row, beginningOf(sql, row.body, BODY)));
    },
    count: () =>
      sql.get<{ made: number; total: number }>(
        `SELECT count(v.number) AS made, count(*) AS total ${NOTES} WHERE n.version <> ''`,
        model,
      )!,
    put: (rows) =>
      sql.transaction(() => {
        for (const { note, version, chunks, data } of rows)
          sql.run(
            "INSERT OR REPLACE INTO vectors (model, note, version, chunks, data) VALUES (?, ?, ?, ?, ?)",
            model,
            note,
            version,
            chunks,
            data,
          );
      }),
    since: (number, limit) =>
      sql.all<VectorRow>(
        `SELECT number, note, version, chunks, data FROM vectors WHERE model = ? AND number > ${FROM} ORDER BY number LIMIT ?`,
        model,
        number,
        number,
        limit,
      ),
    lease: (who, milliseconds) =>
      sql.transaction(() => {
        const time = now().getTime();
        const held = sql.get<{ maker: string; until: number }>(
          "SELECT maker, until FROM models WHERE name = ?",
          model,
        );
        // A clock that was set back must not lock everyone out.
        if (held && held.maker !== who && held.until > time && held.until <= time + milliseconds)
          return false;
        sql.run("INSERT OR REPLACE INTO models VALUES (?, ?, ?, ?)", model, time, who, time + milliseconds);
        return true;
      }),
  };
}

const NOTES = "FROM notes n LEFT JOIN vectors v ON v.model = ? AND v.note = n.id AND v.version = n.version";
const MISSING = `SELECT n.id AS note, n.version, t.title, ${beginning("t.body", BODY)} AS body, t.outline
  ${NOTES} JOIN texts t ON t.id = n.id WHERE v.number IS NULL AND n.version <> ''`;

// A new index begins at 1.
const FROM = "CASE WHEN ? > (SELECT coalesce(max(number), 0) FROM vectors) THEN 0 ELSE ? END";

type Row = { note: number; version: string; title: string; body: string | Uint8Array; outline: string };

/** Vectors of notes that are gone, and of models that nobody uses any more, are dropped. */
function beginUsing(sql: Sql, model: string, time: number): void {
  sql.transaction(() => {
    sql.run(
      "INSERT INTO models VALUES (?, ?, '', 0) ON CONFLICT (name) DO UPDATE SET used = excluded.used",
      model,
      time,
    );
    sql.run("DELETE FROM models WHERE used < ?", time - UNUSED);
    // The newest stays, or its number would be given again.
    sql.run(
      `DELETE FROM vectors WHERE number < (SELECT max(number) FROM vectors)
         AND (note NOT IN (SELECT id FROM notes) OR model NOT IN (SELECT name FROM models))`,
    );
  });
}

/** Each chunk comes under the title of its note and the heading it stands below. */
function textsOf({ note, version, title, outline }: Row, body: string): Unembedded {
  const { sections, chunks } = JSON.parse(outline) as Outline;
  const texts: string[] = [];
  let section = 0;
  for (const [at, start] of chunks.slice(0, CHUNKS).entries()) {
    if (start > 0 && start >= body.length) break;
    while (section < sections.length && sections[section]![0] <= start) section++;
    const heading = sections[section - 1]?.[2].slice(0, HEADING) ?? "";
    const names = heading === "" || heading === title ? [title] : [title, heading];
    texts.push([...names, body.slice(start, chunks[at + 1]).trim()].join("\n").slice(0, LETTERS));
  }
  return { note, version, texts };
}
