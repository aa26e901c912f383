/** Links as they are stored, read some thousand at a time: of which notes, under which keys, or of the whole vault. */

import type { Link } from "../notebook/link-graph.ts";
import type { NotePath } from "../notebook/paths.ts";
import type { Sql } from "./sql.ts";

/** What tells where a link leads. `id` and `at` say which note it stands in, and which of its links it is. */
export type LinkRow = { id: number; at: number; source: NotePath; target: string; form: Link["form"] };
/** What is shown of a link besides. */
export type LinkDetail = {
  title: string;
  anchor: string;
  label: string | null;
  line: number;
  bodyLine: number;
  context: string;
};

/** Links read at a time: some milliseconds' work. */
const PORTION = 2000;
/** Notes looked through at a time for links that may be broken. */
const NOTES = 500;

// One text a row: handing each column over by itself costs more than all the rest of a query.
const ROW = "json_array(l.source, l.at, s.path, l.target, l.form) AS row";
type Stored = [number, number, NotePath, string, Link["form"]];

const rowOf = ({ row }: { row: string }): LinkRow => {
  const [id, at, source, target, form] = JSON.parse(row) as Stored;
  return { id, at, source, target, form };
};

// By the numbers of the notes, in order; of the first only what comes after a place.
const OF_NOTES = `SELECT ${ROW} FROM json_each(?) j CROSS JOIN links l ON l.source = j.value
  AND l.at > CASE WHEN j.value = ? THEN ? ELSE -1 END JOIN notes s ON s.id = l.source LIMIT ${PORTION}`;

/** The links that stand in these notes. */
export function* linksOf(sql: Sql, paths: readonly NotePath[]): Generator<LinkRow[]> {
  const notes = sql.all<{ id: number }>(
    "SELECT id FROM notes WHERE path IN (SELECT value FROM json_each(?)) ORDER BY id",
    JSON.stringify(paths),
  );
  const ids = notes.map(({ id }) => id);
  let [from, at] = [0, -1];
  while (from < ids.length) {
    const some = JSON.stringify(ids.slice(from, from + PORTION));
    const rows = sql.all<{ row: string }>(OF_NOTES, some, ids[from]!, at).map(rowOf);
    yield rows;
    if (rows.length < PORTION) [from, at] = [from + PORTION, -1];
    else {
      const last = rows.at(-1)!;
      [from, at] = [ids.indexOf(last.id, from), last.at];
    }
  }
}

const UNDER_KEYS = `SELECT ${ROW} FROM json_each(?) j CROSS JOIN links l INDEXED BY links_key ON l.key = j.value
  AND l.source >= CASE WHEN j.key = 0 THEN ? ELSE -1 END AND (j.key > 0 OR l.source > ? OR l.at > ?)
  JOIN notes s ON s.id = l.source LIMIT ${PORTION}`;
const KEY_OF = "SELECT key FROM links WHERE source = ? AND at = ?";

/** The links that are filed under one of these keys. */
export function* linksUnder(sql: Sql, wanted: Iterable<string>): Generator<LinkRow[]> {
  const keys = [...wanted];
  let [from, id, at] = [0, -1, -1];
  while (from < keys.length) {
    const some = JSON.stringify(keys.slice(from, from + PORTION));
    const rows = sql.all<{ row: string }>(UNDER_KEYS, some, id, id, at).map(rowOf);
    const last = rows.at(-1);
    if (!last || rows.length < PORTION) [from, id, at] = [from + PORTION, -1, -1];
    else {
      const key = sql.get<{ key: string }>(KEY_OF, last.id, last.at)!.key;
      [from, id, at] = [keys.indexOf(key, from), last.id, last.at];
    }
    yield rows;
  }
}

// A target that names no folder is broken only if no note has that name.
const MAY_BE_BROKEN = `SELECT ${ROW} FROM links l JOIN notes s ON s.id = l.source
  WHERE l.source >= ? AND l.source < ? AND (l.source > ? OR l.at > ?)
  AND (instr(l.target, '/') > 0 OR l.key NOT IN (SELECT name_key FROM notes)) ORDER BY l.source, l.at LIMIT ${PORTION}`;

/** All links but those that are sure to lead somewhere. */
export function* linksThatMayBeBroken(sql: Sql): Generator<LinkRow[]> {
  const last = sql.get<{ id: number | null }>("SELECT max(id) AS id FROM notes")?.id ?? 0;
  let [from, at] = [0, -1];
  for (let to = NOTES; from <= last;) {
    const rows = sql.all<{ row: string }>(MAY_BE_BROKEN, from, to, from, at).map(rowOf);
    if (rows.length < PORTION) [from, at, to] = [to, -1, to + NOTES];
    else [from, at] = [rows.at(-1)!.id, rows.at(-1)!.at];
    yield rows;
  }
}

const NUMBERED = `SELECT ${ROW} FROM json_each(?) j JOIN links l ON l.source = j.value ->> 0 AND l.at = j.value ->> 1
  JOIN notes s ON s.id = l.source`;

/** Single links, by the number of their note and their place in it. */
export const linksNumbered = (
  sql: Sql,
  links: readonly (readonly [source: number, at: number])[],
): LinkRow[] => sql.all<{ row: string }>(NUMBERED, JSON.stringify(links)).map(rowOf);

const DETAILS = `SELECT json_array(s.title, l.anchor, l.label, l.line, l.body_line, l.context) AS row FROM json_each(?) j
  LEFT JOIN links l ON l.source = j.value ->> 0 AND l.at = j.value ->> 1 LEFT JOIN notes s ON s.id = l.source ORDER BY j.key`;

/** In the order of the links; null where one has gone meanwhile. */
export function detailsOf(sql: Sql, links: readonly LinkRow[]): (LinkDetail | null)[] {
  const wanted = JSON.stringify(links.map(({ id, at }) => [id, at]));
  return sql.all<{ row: string }>(DETAILS, wanted).map(({ row }) => {
    const [title, anchor, label, line, bodyLine, context] = JSON.parse(row) as [
      string | null,
      string,
      string | null,
      number,
      number,
      string,
    ];
    return title === null ? null : { title, anchor, label, line, bodyLine, context };
  });
}
