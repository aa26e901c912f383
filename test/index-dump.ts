/** Everything an index holds: every table by path instead of number, in an order of its own. */

import { eachFresh } from "../src/search/fresh-postings.ts";
import { BUCKETS } from "../src/search/lexicon.ts";
import { eachFiled, eachLength, lengthsAt } from "../src/search/posting-bytes.ts";
import { BLOCK, ROWS } from "../src/search/postings.ts";
import { openSearch } from "../src/search/search.ts";
import type { Sql } from "../src/sqlite/sql.ts";
import { flushWords } from "../src/search/text-rows.ts";

const TABLES = [
  "SELECT * FROM notes ORDER BY path",
  "SELECT n.path, t.* FROM aliases t JOIN notes n ON n.id = t.note ORDER BY n.path, alias",
  "SELECT n.path, t.* FROM tags t JOIN notes n ON n.id = t.note ORDER BY n.path, tag",
  "SELECT n.path, t.* FROM links t JOIN notes n ON n.id = t.source ORDER BY n.path, at",
  "SELECT * FROM files ORDER BY path",
  "SELECT n.path, t.* FROM file_links t JOIN notes n ON n.id = t.source ORDER BY n.path, at",
  "SELECT n.path, t.* FROM canvas_links t JOIN files n ON n.id = t.source ORDER BY n.path, at",
  "SELECT * FROM texts ORDER BY path, id",
  "SELECT term, doc, cnt FROM vocabulary",
  "SELECT (SELECT count(*) FROM aliases) + (SELECT count(*) FROM tags) + (SELECT count(*) FROM links) + (SELECT count(*) FROM file_links) + (SELECT count(*) FROM canvas_links) + (SELECT count(*) FROM texts) AS total",
];

export function dumpOf(sql: Sql): unknown {
  flushWords(openSearch(sql));
  return [
    ...TABLES.map((text) => sql.all(text).map((one) => ({ ...one, id: null, note: null, source: null }))),
    postingsIn(sql),
  ];
}

/** Whatever rows they are kept in. */
function postingsIn(sql: Sql): string[] {
  const paths = new Map(
    sql.all<{ id: number; path: string }>("SELECT id, path FROM notes").map((row) => [row.id, row.path]),
  );
  const found: string[] = [];
  for (const { id, data } of sql.all<{ id: number; data: Uint8Array }>("SELECT id, data FROM postings")) {
    const [bucket, first] = [id % ROWS, Math.floor(id / ROWS) * BLOCK];
    if (bucket < BUCKETS)
      eachFiled(data, (key, filed) => {
        for (const { note, places } of filed)
          found.push(`${paths.get(first + note)} ${bucket} ${key} ${JSON.stringify(places)}`);
      });
    else
      eachLength(data, (note, at, chunks) =>
        found.push(`${paths.get(first + note)} ${lengthsAt(data, at, chunks).join(" ")}`),
      );
  }
  eachFresh(sql, (id, bucket, bytes) =>
    eachFiled(bytes, (key, filed) => {
      for (const { places } of filed)
        found.push(`${paths.get(id)} ${bucket} ${key} ${JSON.stringify(places)}`);
    }),
  );
  return found.toSorted();
}
