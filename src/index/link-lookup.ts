/** What resolving a link asks of the index: notes by path, name, alias and title. One lookup answers each question alone; the other remembers, and fetches beforehand what will be asked. */

import type { Lookup } from "../notebook/link-graph.ts";
import type { AttachmentPath, NotePath } from "../notebook/paths.ts";
import { foldKey, linkKey } from "../notebook/resolve.ts";
import type { Sql } from "../sqlite/sql.ts";

const BY_PATH = "SELECT path FROM notes WHERE name_key = ? AND path_key = ? ORDER BY path";
const BY_NAME = "SELECT path FROM notes WHERE name_key = ? ORDER BY path";
const BY_ALIAS = "SELECT n.path FROM aliases a JOIN notes n ON n.id = a.note WHERE a.key = ? ORDER BY n.path";
// A title may end in `.md`; the key of a target never does.
const BY_TITLE = "SELECT path FROM notes WHERE title_key IN (?, ? || '.md') ORDER BY path";

const BY_FILE_NAME = "SELECT path FROM files WHERE key = ? ORDER BY path";

const lastSegment = (key: string): string => key.slice(key.lastIndexOf("/") + 1);

/** The lookup by which links are resolved: in the whole vault, also where only some of it may be seen. */
export function linkLookup(sql: Sql): Lookup {
  if (!sql.narrowed) return indexLookup(sql);
  const { whole, inside } = sql.narrowed;
  return { ...indexLookup(whole), hides: (path) => !inside(path) };
}

/** The notes there are to be seen. */
export function indexLookup(sql: Sql): Lookup {
  const paths = (text: string, ...keys: string[]): NotePath[] =>
    sql.all<{ path: NotePath }>(text, ...keys).map(({ path }) => path);
  const files = (key: string): AttachmentPath[] =>
    sql.all<{ path: AttachmentPath }>(BY_FILE_NAME, key).map(({ path }) => path);
  return {
    byPath: (key) => paths(BY_PATH, lastSegment(key), key),
    byName: (key) => paths(BY_NAME, key),
    byAlias: (key) => [...new Set(paths(BY_ALIAS, key))],
    byTitle: (key) => paths(BY_TITLE, key, key),
    attachments: {
      byPath: (key) => files(lastSegment(key)).filter((path) => foldKey(path) === key),
      byName: files,
    },
  };
}

export type RememberingLookup = Lookup & {
  /** Fetches at once what resolving these targets will ask. */
  expect(targets: Iterable<string>): void;
  titleOf(path: NotePath): string;
};

/** A lookup by which the many links of one query are resolved. A path is looked for among the notes of its name, so names serve for both. */
export function rememberingLookup(given: Sql): RememberingLookup {
  const sql = given.narrowed?.whole ?? given;
  const names = new Map<string, NotePath[]>();
  const aliases = new Map<string, NotePath[]>();
  const titles = new Map<string, NotePath[]>();
  const titleOf = new Map<string, string>();
  const plain = linkLookup(given);
  const byName = (key: string) => remembered(names, key, plain.byName);
  const fetch = (map: Map<string, NotePath[]>, keys: Iterable<string>, text: string) => {
    const unknown = [...new Set(keys)].filter((key) => !map.has(key));
    if (unknown.length === 0) return;
    for (const key of unknown) map.set(key, []);
    for (const row of sql.all<{ key: string; path: NotePath; title: string }>(
      text,
      JSON.stringify(unknown),
    )) {
      titleOf.set(row.path, row.title);
      map.get(row.key)!.push(row.path);
    }
  };
  return {
    ...plain,
    byName,
    byPath: (key) => byName(lastSegment(key)).filter((path) => foldKey(path) === key),
    byAlias: (key) => remembered(aliases, key, plain.byAlias),
    byTitle: (key) => remembered(titles, key, plain.byTitle),
    titleOf(path) {
      let title = titleOf.get(path);
      if (title === undefined) {
        title = sql.get<{ title: string }>("SELECT title FROM notes WHERE path = ?", path)?.title ?? path;
        titleOf.set(path, title);
      }
      return title;
    },
    expect(targets) {
      const each = [...new Set(targets)];
      fetch(names, each.map(linkKey), NAMES);
      // Only where no note has the name are aliases and titles asked for, so only those are fetched.
      const nameless = each.filter((target) => byName(linkKey(target)).length === 0).map(foldKey);
      fetch(aliases, nameless, ALIASES);
      fetch(titles, nameless, TITLES);
    },
  };
}

const NAMES =
  "SELECT name_key AS key, path, title FROM notes WHERE name_key IN (SELECT value FROM json_each(?))";
const ALIASES = `SELECT DISTINCT a.key, n.path, n.title FROM aliases a JOIN notes n ON n.id = a.note
  WHERE a.key IN (SELECT value FROM json_each(?))`;
const TITLES = `SELECT j.value AS key, n.path, n.title FROM json_each(?) j
  JOIN notes n ON n.title_key IN (j.value, j.value || '.md')`;

function remembered(map: Map<string, NotePath[]>, key: string, ask: (key: string) => NotePath[]): NotePath[] {
  let found = map.get(key);
  if (!found) map.set(key, (found = ask(key)));
  return found;
}
