/** Links as they are stored, read some thousand at a time: by the notes they stand in, by their keys, or of the whole vault. */

import type { Link } from "../notebook/link-graph.ts";
import type { NotePath } from "../notebook/paths.ts";
import type { Sql } from "../sqlite/sql.ts";

/** What tells where a link leads. `id` and `at` say which note it stands in, and which of its links it is. */
export type LinkRow = { id: number; at: number; source: NotePath; target: string; form: Link["form"] };
/** What else is shown of a link. */
export type LinkDetail = {
  title: string;
  anchor: string;
  label: string | null;
  line: number;
  bodyLine: number;
  context: string;
};

/** Links that are read at a time: some milliseconds' work. */
const PORTION = 2000;
/** Notes that are searched at a time for links that may be broken. */
const NOTES = 500;

/** Links to notes, links that can lead to attachments only, and links of canvases. */
export type LinkTable = "links" | "file_links" | "canvas_links";
/** What the links of a table stand in. A canvas has no title but its path. */
const sourcesOf = (table: LinkTable): "notes" | "files" => (table === "canvas_links" ? "files" : "notes");
const titleIn = (table: LinkTable): string => (table === "canvas_links" ? "s.path" : "s.title");

/** A note, by its number and its path. */
type Numbered = { id: number; path: NotePath };

/** Notes come in the order of their numbers. */
export const notesAt = (sql: Sql, paths: readonly NotePath[]): Numbered[] =>
  sql.all<Numbered>(
    "SELECT id, path FROM notes WHERE path IN (SELECT value FROM json_each(?)) ORDER BY id",
    JSON.stringify(paths),
  );

// A portion is one text: handing each column of each row over by itself costs more than all the rest of a query.
const inOne = (columns: string, from: string): string =>
  `SELECT json_group_array(json_array(${columns})) AS rows FROM (SELECT ${columns} ${from} LIMIT ${PORTION})`;
const rowsIn = <T>(sql: Sql, text: string, ...values: (string | number)[]): T[] =>
  JSON.parse(sql.get<{ rows: string }>(text, ...values)!.rows) as T[];

type Short = [number, number, string, Link["form"]];

// The numbers of the notes are in order; the first note gives only the links after a place.
const ofNotes = (table: LinkTable): string =>
  inOne(
    "source, at, target, form",
    `FROM json_each(?) j CROSS JOIN ${table} ON source = j.value AND at > CASE WHEN j.value = ? THEN ? ELSE -1 END`,
  );

/** The links that stand in these notes, which are in order. */
export function* linksOf(
  sql: Sql,
  notes: readonly Numbered[],
  table: LinkTable = "links",
): Generator<LinkRow[]> {
  const ids = notes.map(({ id }) => id);
  const paths = new Map(notes.map(({ id, path }) => [id, path]));
  for (let [from, after] = [0, -1]; from < ids.length;) {
    const some = JSON.stringify(ids.slice(from, from + PORTION));
    const rows = rowsIn<Short>(sql, ofNotes(table), some, ids[from]!, after).map(
      ([id, at, target, form]): LinkRow => ({ id, at, source: paths.get(id)!, target, form }),
    );
    const last = rows[PORTION - 1];
    [from, after] = last ? [ids.indexOf(last.id, from), last.at] : [from + PORTION, -1];
    yield rows;
  }
}

const under = (table: LinkTable): string =>
  `FROM json_each(?) j CROSS JOIN ${table} INDEXED BY ${table}_key ON ${table}.key = j.value
  AND source >= CASE WHEN j.key = 0 THEN ? ELSE -1 END AND (j.key > 0 OR source > ? OR at > ?)`;
const underKeys = (table: LinkTable): string => inOne("source, at, target, form", under(table));
const withPaths = (table: LinkTable): string =>
  inOne(
    "source, at, target, form, note_path",
    `${under(table)} JOIN (SELECT id AS note, path AS note_path FROM ${sourcesOf(table)}) ON note = source`,
  );
const keyOf = (table: LinkTable): string => `SELECT key FROM ${table} WHERE source = ? AND at = ?`;
const PATHS = `SELECT json_group_array(json_array(id, path)) AS rows FROM notes WHERE id IN (SELECT value FROM json_each(?))`;

/** The links that are filed under one of these keys. Where `isWanted` is given, only links of wanted notes: the paths of others are not looked up. */
export function* linksUnder(
  sql: Sql,
  wanted: Iterable<string>,
  { isWanted, table = "links" }: { isWanted?: (source: number) => boolean; table?: LinkTable } = {},
): Generator<LinkRow[]> {
  const keys = [...wanted];
  for (let [from, source, after] = [0, -1, -1]; from < keys.length;) {
    const some = JSON.stringify(keys.slice(from, from + PORTION));
    const text = isWanted ? underKeys(table) : withPaths(table);
    const all = rowsIn<[...Short, path?: NotePath]>(sql, text, some, source, source, after);
    const last = all[PORTION - 1];
    if (!last) [from, source, after] = [from + PORTION, -1, -1];
    else {
      const { key } = sql.get<{ key: string }>(keyOf(table), last[0], last[1])!;
      [from, source, after] = [keys.indexOf(key, from), last[0], last[1]];
    }
    const rows = isWanted ? all.filter(([id]) => isWanted(id)) : all;
    const ids = isWanted ? [...new Set(rows.map(([id]) => id))] : [];
    const paths = new Map(
      ids.length === 0 ? [] : rowsIn<[number, NotePath]>(sql, PATHS, JSON.stringify(ids)),
    );
    yield rows.flatMap(([id, at, target, form, path]) => {
      const source = path ?? paths.get(id);
      return source === undefined ? [] : [{ id, at, source, target, form }];
    });
  }
}

type Stored = [number, number, NotePath, string, Link["form"]];
const rowOf = ([id, at, source, target, form]: Stored): LinkRow => ({ id, at, source, target, form });

// A note and a place in it are one number: taking two out of a list takes as long as all the rest. No note has so many links (LINK_LIMIT).
const PLACES = 65_536;
const placeNumbers = (links: readonly { id: number; at: number }[]): string =>
  JSON.stringify(links.map(({ id, at }) => id * PLACES + at));
const atPlaces = (
  table: LinkTable,
): string => `FROM json_each(?) j CROSS JOIN ${table} l ON l.source = j.value / ${PLACES} AND l.at = j.value % ${PLACES}
  JOIN ${sourcesOf(table)} s ON s.id = l.source`;

const AT = `SELECT json_group_array(json_array(l.source, l.at, s.path, l.target, l.form)) AS rows ${atPlaces("links")}`;

/** These links, each by the number of their note and their place in it. */
export const linksAt = (sql: Sql, links: readonly { id: number; at: number }[]): LinkRow[] =>
  rowsIn<Stored>(sql, AT, placeNumbers(links)).map(rowOf);

// A target that names no folder is broken only if no note has that name; or if it means another of that name, which may not be seen.
const inNotes = (table: LinkTable, columns: string, which: string): string =>
  inOne(
    columns,
    `FROM ${table} JOIN ${sourcesOf(table)} s ON s.id = source WHERE source >= ? AND source < ? AND (source > ? OR at > ?)
     ${which} ORDER BY source, at`,
  );
const DOUBTFUL = "(instr(target, '/') > 0 OR key NOT IN (SELECT name_key FROM notes))";
const COLUMNS = "source, at, path, target, form";
const MAY_BE_BROKEN = inNotes("links", COLUMNS, `AND ${DOUBTFUL}`);
const ANY = inNotes("links", COLUMNS, "");

/** All links except the ones that are sure to lead somewhere. */
export function* linksThatMayBeBroken(sql: Sql): Generator<LinkRow[]> {
  for (const rows of ofVault<Stored>(sql, "links", sql.narrowed ? ANY : MAY_BE_BROKEN)) yield rows.map(rowOf);
}

/** A link with the place in its target that it names, and its line. */
export type AnchoredRow = LinkRow & { anchor: string; line: number };
type StoredAnchored = [...Stored, anchor: string, line: number];

const ANCHORED = `${COLUMNS}, anchor, line`;
const MAY_LACK_PLACE = inNotes("links", ANCHORED, `AND (anchor <> '' OR ${DOUBTFUL})`);
const anyAnchored = (table: LinkTable): string => inNotes(table, ANCHORED, "");

/** All links of a table, except the ones that are sure to lead somewhere and name no place there. */
export function* linksThatMayLack(sql: Sql, table: LinkTable): Generator<AnchoredRow[]> {
  const text = table === "links" && !sql.narrowed ? MAY_LACK_PLACE : anyAnchored(table);
  for (const rows of ofVault<StoredAnchored>(sql, table, text))
    yield rows.map(([id, at, source, target, form, anchor, line]) => ({
      ...rowOf([id, at, source, target, form]),
      anchor,
      line,
    }));
}

/** The rows of a whole table, some notes at a time; a row begins with the number of its note and its place there. */
function* ofVault<Row extends readonly [number, number, ...unknown[]]>(
  sql: Sql,
  table: LinkTable,
  text: string,
): Generator<Row[]> {
  const last = sql.get<{ id: number | null }>(`SELECT max(id) AS id FROM ${sourcesOf(table)}`)?.id ?? 0;
  for (let [from, to, after] = [0, NOTES, -1]; from <= last;) {
    const rows = rowsIn<Row>(sql, text, from, to, from, after);
    const end = rows[PORTION - 1];
    [from, to, after] = end ? [end[0], to, end[1]] : [to, to + NOTES, -1];
    yield rows;
  }
}

const details = (table: LinkTable): string =>
  `SELECT json_group_array(json_array(j.key, ${titleIn(table)}, l.anchor, l.label, l.line, l.body_line, l.context)) AS rows ${atPlaces(table)}`;
type StoredDetail = [number, string, string, string | null, number, number, string];

/** Details come in the order of the links; a link that has gone meanwhile has none. */
export function detailsOf(sql: Sql, links: readonly LinkRow[], table: LinkTable): (LinkDetail | undefined)[] {
  const found: (LinkDetail | undefined)[] = [];
  for (const stored of rowsIn<StoredDetail>(sql, details(table), placeNumbers(links))) {
    const [which, title, anchor, label, line, bodyLine, context] = stored;
    found[which] = { title, anchor, label, line, bodyLine, context };
  }
  return found;
}
