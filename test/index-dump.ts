/** Everything an index holds: every table by path instead of number, in an order of its own. */

import type { Sql } from "../src/sqlite/sql.ts";

const TABLES = [
  "SELECT * FROM notes ORDER BY path",
  "SELECT n.path, t.* FROM aliases t JOIN notes n ON n.id = t.note ORDER BY n.path, alias",
  "SELECT n.path, t.* FROM tags t JOIN notes n ON n.id = t.note ORDER BY n.path, tag",
  "SELECT n.path, t.* FROM links t JOIN notes n ON n.id = t.source ORDER BY n.path, at",
  "SELECT * FROM texts ORDER BY path, id",
  "SELECT term, doc, cnt FROM vocabulary",
  "SELECT (SELECT count(*) FROM aliases) + (SELECT count(*) FROM tags) + (SELECT count(*) FROM links) + (SELECT count(*) FROM texts) AS total",
];

export function dumpOf(sql: Sql): unknown {
  sql.exec("CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, words, row)");
  return TABLES.map((text) => sql.all(text).map((one) => ({ ...one, id: null, note: null, source: null })));
}
