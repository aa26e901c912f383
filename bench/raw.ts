/** Raw limits: what the disk, SQLite and git take for the same work when nothing stands around it. */

import { execFileSync } from "node:child_process";
import { closeSync, cpSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Sql } from "../src/sqlite/sql.ts";
import { openSql } from "../src/sqlite/node.ts";

/** A note as a plain indexer would hold it before it is inserted. */
export type Plain = { path: string; title: string; text: string; links: string[]; tags: string[] };

export function plainNote(path: string, text: string): Plain {
  const title = /^# (.*)$/m.exec(text)?.[1] ?? path;
  const links = [...text.matchAll(/\[\[([^\]|#]+)/g)].map((match) => match[1]!);
  const tags = (/^tags: \[(.*)\]$/m.exec(text)?.[1] ?? "").split(", ").filter(Boolean);
  return { path, title, text, links, tags };
}

/** Rows, links, tags and full text, inserted in one transaction. */
export async function plainIndex(file: string, notes: Iterable<Plain>): Promise<void> {
  const sql = await openSql(file);
  sql.exec(`CREATE TABLE note (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, title TEXT NOT NULL, text TEXT NOT NULL);
    CREATE TABLE link (source INTEGER NOT NULL, target TEXT NOT NULL); CREATE INDEX link_target ON link (target);
    CREATE TABLE tag (note INTEGER NOT NULL, tag TEXT NOT NULL); CREATE INDEX tag_tag ON tag (tag);
    CREATE VIRTUAL TABLE word USING fts5(title, text, content = 'note', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2')`);
  sql.transaction(() => {
    let id = 0;
    for (const { path, title, text, links, tags } of notes) {
      id++;
      sql.run("INSERT INTO note VALUES (?, ?, ?, ?)", id, path, title, text);
      for (const link of links) sql.run("INSERT INTO link VALUES (?, ?)", id, link);
      for (const tag of tags) sql.run("INSERT INTO tag VALUES (?, ?)", id, tag);
      sql.run("INSERT INTO word (rowid, title, text) VALUES (?, ?, ?)", id, title, text);
    }
  });
  sql.close();
}

/** The ten best for any of the words, with their snippets: the index of `plainIndex` asked by plain SQL. */
export function plainSearch(sql: Sql, words: readonly string[]): string[] {
  const match = words.map((word) => `"${word}"`).join(" OR ");
  const best = sql.all<{ id: number }>(
    "SELECT rowid AS id FROM word WHERE word MATCH ? ORDER BY bm25(word, 3, 1) LIMIT 10",
    match,
  );
  const rows = sql.all<{ path: string; snippet: string }>(
    `SELECT n.path, snippet(word, 1, '', '', '…', 24) AS snippet FROM word JOIN note n ON n.id = word.rowid
     WHERE word MATCH ? AND word.rowid IN (SELECT value FROM json_each(?))`,
    match,
    JSON.stringify(best.map(({ id }) => id)),
  );
  return rows.map(({ path }) => path);
}

let count = 0;

/** Written beside, flushed, renamed into place, and the folder flushed. */
export function durableWrite(file: string, text: string): void {
  const temporary = join(dirname(file), `.raw-${count++}`);
  const handle = openSync(temporary, "w");
  writeSync(handle, text);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(temporary, file);
  const folder = openSync(dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
}

/** Each file read, changed and written durably, one by one. */
export function durableReplace(files: readonly string[], from: string, to: string): void {
  for (const file of files) durableWrite(file, readFileSync(file, "utf8").replaceAll(from, to));
}

/** A copy of a vault under plain git; gives what commits one note of it. */
export function plainGit(vault: string, copy: string): (path: string, text: string) => void {
  cpSync(vault, copy, { recursive: true, filter: (path) => !path.includes(".notewright") });
  const settings = ["user.name=bench", "user.email=bench@localhost", "gc.auto=0"].flatMap((it) => ["-c", it]);
  const git = (...args: string[]) => execFileSync("git", ["-C", copy, ...settings, ...args]);
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "all");
  return (path, text) => {
    durableWrite(join(copy, path), text);
    git("add", path);
    git("commit", "-q", "-m", "one");
  };
}
