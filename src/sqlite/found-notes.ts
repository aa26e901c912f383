/** Notes that were found, as they are shown: what is known of them, a snippet, and the section it is from. */

import type { FoundNote, Page } from "../notebook/filter.ts";
import { nameOf } from "../notebook/paths.ts";
import type { Listed } from "./listed.ts";
import type { List } from "./lists.ts";
import { sectionAt, type Outline } from "./outline.ts";
import { snippetOf } from "./snippet.ts";
import type { Sql } from "./sql.ts";

/** A snippet is sought in this much of a body. */
const REACH = 300_000;
/** Texts asked for at once: they may be long. */
const TEXTS = 10;

export function foundNotes(
  sql: Sql,
  listed: readonly Listed[],
  list: List,
  size: Page["snippet"],
): FoundNote[] {
  if (!size) return listed.map((note) => noteOf(note, NOTHING));
  const found: FoundNote[] = [];
  for (let at = 0; at < listed.length; at += TEXTS) {
    const some = listed.slice(at, at + TEXTS);
    const texts = textsOf(sql, some);
    for (const note of some) found.push(noteOf(note, shown(texts.get(note.id), list, size)));
  }
  return found;
}

type Shown = Pick<FoundNote, "snippet" | "section">;
const NOTHING: Shown = { snippet: null, section: null };

type Text = { id: number; title: string; body: string; outline: string };

function textsOf(sql: Sql, listed: readonly Listed[]): Map<number, Text> {
  const rows = sql.all<Text>(
    `SELECT id, title, substr(body, 1, ${REACH}) AS body, outline FROM texts WHERE id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(listed.map(({ id }) => id)),
  );
  return new Map(rows.map((row) => [row.id, row]));
}

function shown(text: Text | undefined, list: List, size: NonNullable<Page["snippet"]>): Shown {
  if (!text) return NOTHING;
  const outline = JSON.parse(text.outline) as Outline;
  const number = list.chunkOf(text.id);
  const start = number === null ? undefined : outline.chunks[number - 1];
  const chunk = start === undefined || start >= text.body.length ? null : start;
  const found = snippetOf(
    text.title,
    text.body,
    list.sought,
    size,
    chunk === null ? null : [chunk, outline.chunks[number!] ?? text.body.length],
  );
  if (!found) return NOTHING;
  return {
    snippet: found.snippet,
    section: found.at === null ? null : sectionAt(text.body, outline, found.at),
  };
}

const noteOf = (note: Listed, what: Shown): FoundNote => ({
  path: note.path,
  name: nameOf(note.path),
  title: note.title,
  id: note.handle,
  tags: { fields: tagsIn(note.fieldTags), inline: tagsIn(note.inlineTags) },
  type: note.type,
  created: new Date(note.created),
  modified: new Date(note.modified),
  updated: note.updated,
  size: note.size,
  ...what,
});

const tagsIn = (json: string): string[] => (json === "[]" ? [] : (JSON.parse(json) as string[]));
