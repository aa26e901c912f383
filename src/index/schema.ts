/** The tables of the index, and what is in each. All of it can be made again from the notes. */

import type { Sql } from "../sqlite/sql.ts";
import { TEXTS } from "../search/text-tables.ts";
import { VECTORS } from "./vectors.ts";

/** This number is raised whenever the tables, or what is put into them, change; an index of another number is not read. */
export const SCHEMA = 16;

/** The stamp UNREAD, as it is stored. There are few such notes or none, so they have an index of their own. */
export const IS_UNREAD = "stamp = '+'";

// Keys are folded (notebook/resolve.ts). Notes are numbered as they come, so `id` is also the order of their coming.
// `dated` tells how `created` is known (created.ts); 0 where it is only the file's time.
// `modified` is the time by which a note is listed, made (modified.ts) of `saved`, its file's time, of `counted`, the time in its fields, and of
// the ledger. `due`: when a field counts that is still in the future. `updated` and `modified_field` are those fields as they are written.
// `queries`: whether the note holds a query of Dataview or Bases.
// `path_key` needs no index of its own: who has a path has its last segment, `name_key`.
// A note is also filed under what its tags lie below: for `a/b` there is a row `a`, which stands neither in its fields nor in its body.
// `ways` tells how it has the key (tag-rows.ts). Its path stands with its tags so that their index alone gives a page in order; a note
// never changes its path while it keeps its number.
const NOTES = `
CREATE TABLE notes (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  path_key TEXT NOT NULL,
  folder_key TEXT NOT NULL,
  name_key TEXT NOT NULL,
  name TEXT NOT NULL,
  title TEXT NOT NULL,
  title_key TEXT NOT NULL,
  handle TEXT NOT NULL,
  type TEXT,
  created INTEGER NOT NULL,
  dated INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  saved INTEGER NOT NULL,
  counted INTEGER,
  due INTEGER,
  updated TEXT,
  modified_field TEXT,
  size INTEGER NOT NULL,
  version TEXT NOT NULL,
  stamp TEXT NOT NULL,
  body_line INTEGER NOT NULL,
  field_tags TEXT NOT NULL,
  inline_tags TEXT NOT NULL,
  fields TEXT NOT NULL,
  queries INTEGER NOT NULL
) STRICT;
CREATE INDEX notes_name ON notes (name_key, path);
CREATE INDEX notes_by_name ON notes (name, path);
CREATE INDEX notes_folder ON notes (folder_key, path);
CREATE INDEX notes_title ON notes (title_key);
CREATE INDEX notes_handle ON notes (handle);
CREATE INDEX notes_created ON notes (created);
CREATE INDEX notes_modified ON notes (modified, saved);
CREATE INDEX notes_queries ON notes (path) WHERE queries = 1;
CREATE INDEX notes_due ON notes (due) WHERE due IS NOT NULL;
CREATE INDEX notes_unread ON notes (path) WHERE ${IS_UNREAD};

CREATE TABLE aliases (note INTEGER NOT NULL, alias TEXT NOT NULL, key TEXT NOT NULL, PRIMARY KEY (note, alias)) STRICT, WITHOUT ROWID;
CREATE INDEX aliases_key ON aliases (key);

CREATE TABLE tags (
  note INTEGER NOT NULL,
  tag TEXT NOT NULL,
  key TEXT NOT NULL,
  path TEXT NOT NULL,
  ways INTEGER NOT NULL,
  in_fields INTEGER NOT NULL,
  in_body INTEGER NOT NULL,
  PRIMARY KEY (note, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX tags_key ON tags (key, path, ways);
`;

// What a link means is not stored: it is worked out when asked, so that a note that comes, goes or moves changes no rows but its own.
const linkTable = (name: string): string => `
CREATE TABLE ${name} (
  source INTEGER NOT NULL,
  at INTEGER NOT NULL,
  key TEXT NOT NULL,
  target TEXT NOT NULL,
  form TEXT NOT NULL,
  anchor TEXT NOT NULL,
  label TEXT,
  line INTEGER NOT NULL,
  body_line INTEGER NOT NULL,
  context TEXT NOT NULL,
  PRIMARY KEY (source, at)
) STRICT, WITHOUT ROWID;
CREATE INDEX ${name}_key ON ${name} (key);
`;

// Links whose target can only be an attachment stand apart: few of them lead to a note. Links of canvases have a file for their source.
const LINKS = linkTable("links") + linkTable("file_links") + linkTable("canvas_links");

// `key` of a file is the key of its name, under which links to it are filed. `read_as` tells what is read of it (attachments.ts).
const ATTACHMENTS = `
CREATE TABLE files (
  id INTEGER PRIMARY KEY,
  path TEXT NOT NULL UNIQUE,
  key TEXT NOT NULL,
  size INTEGER NOT NULL,
  modified INTEGER NOT NULL,
  stamp TEXT NOT NULL,
  read_as INTEGER NOT NULL
) STRICT;
CREATE INDEX files_key ON files (key, path);
CREATE INDEX files_read ON files (read_as, path) WHERE read_as > 0;
`;

// Revisions are numbered as they follow each other; `touches` has one row for each file of each. `changed`: when its text was, null where it was not.
const LEDGER = `
CREATE TABLE revisions (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  author TEXT NOT NULL,
  date INTEGER NOT NULL,
  message TEXT NOT NULL,
  surface TEXT,
  tool TEXT,
  connection TEXT,
  accepted_by TEXT,
  touched INTEGER NOT NULL,
  folders TEXT
) STRICT;
CREATE INDEX revisions_author ON revisions (author, number);

CREATE TABLE touches (
  path TEXT NOT NULL,
  number INTEGER NOT NULL,
  moved_from TEXT,
  before TEXT,
  version TEXT,
  changed INTEGER,
  PRIMARY KEY (path, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX touches_number ON touches (number, path);
CREATE INDEX touches_from ON touches (moved_from, number) WHERE moved_from IS NOT NULL;

CREATE TABLE recorded (whole INTEGER PRIMARY KEY) STRICT;
`;

const PENDING = `
CREATE TABLE pending (
  path TEXT PRIMARY KEY,
  version TEXT,
  edited INTEGER NOT NULL,
  first INTEGER NOT NULL,
  last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;

// No user_version: a Durable Object does not allow it.
const META = "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID";

export function createSchema(sql: Sql): void {
  if (isMade(sql)) return;
  sql.transaction(() => {
    if (isMade(sql)) return;
    sql.exec(`${META};` + NOTES + LINKS + ATTACHMENTS + TEXTS + VECTORS + LEDGER + PENDING);
    sql.run("INSERT INTO meta VALUES ('schema', ?)", String(SCHEMA));
  });
}

/** Other tables may stand beside those of the index, where one database holds everything. */
const isMade = (sql: Sql): boolean =>
  sql.get("SELECT 1 AS x FROM sqlite_master WHERE type = 'table' AND name = 'meta'") !== undefined;

/** Drops an index of another number, or, asked `anew`, of this one: every table but those that are `kept` because nothing could make them again. Gives whether it did. */
export function dropIndex(sql: Sql, kept: RegExp, how: { anew: boolean }): boolean {
  const number = isMade(sql) && sql.get<{ value: string }>("SELECT value FROM meta WHERE name = 'schema'");
  if (!how.anew && (!number || number.value === String(SCHEMA))) return false;
  sql.transaction(() => {
    // Tables that are views of others go first; those that belong to another go with it.
    const names = sql
      .all<{ name: string; type: string }>(
        "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') ORDER BY type = 'table', sql NOT LIKE 'CREATE VIRTUAL%'",
      )
      .filter(({ name }) => !kept.test(name));
    for (const { name, type } of names) sql.exec(`DROP ${type} IF EXISTS "${name}"`);
  });
  return true;
}

/** Everything that is declared in the database, and its number, as one text; empty where nothing is. */
export function schemaOf(sql: Pick<Sql, "all">): string {
  const rows = sql.all<{ sql: string | null }>(
    "SELECT type, name, sql FROM sqlite_master ORDER BY type, name",
  );
  if (rows.length === 0) return "";
  const numbered = rows.some((row) => row.sql === META);
  return JSON.stringify([rows, numbered ? sql.all("SELECT value FROM meta WHERE name = 'schema'") : null]);
}

/** What makes an index file ours: how its tables are made, and the text that tells them from others. */
export const indexSchema = { create: createSchema, describe: schemaOf };
