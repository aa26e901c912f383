/** Notes that were found, as they are shown: what is known of them, a snippet, and the section it is from (decision 11). */

import type { FoundNote, Page } from "../notebook/filter.ts";
import { nameOf } from "../notebook/paths.ts";
import type { Analyzer } from "../search/analyzer.ts";
import type { NoteSummary } from "./note-summary.ts";
import type { ResultList } from "./result-list.ts";
import { sectionAt, type Outline } from "../search/outline.ts";
import { storedText, TEXT, type KeptText, type StoredText } from "../search/refine.ts";
import { snippetOf } from "../search/snippet.ts";
import type { Search } from "../search/search.ts";
import type { Sql } from "../sqlite/sql.ts";

/** Texts that are read at once: they may be long. */
const TEXTS = 10;

export function foundNotes(
  { sql, analyzer }: Search,
  notes: readonly NoteSummary[],
  list: ResultList,
  size: Page["snippet"],
): FoundNote[] {
  if (!size) return notes.map((note) => noteOf(note, list, NOTHING));
  const found: FoundNote[] = [];
  for (let at = 0; at < notes.length; at += TEXTS) {
    const some = notes.slice(at, at + TEXTS);
    const texts = textsOf(
      sql,
      some.map(({ id }) => id).filter((id) => !list.texts.has(id)),
    );
    for (const note of some) {
      const text = list.texts.get(note.id) ?? texts.get(note.id);
      found.push(noteOf(note, list, text ? shown(analyzer, text, list, size) : NOTHING));
    }
  }
  return found;
}

type Shown = Pick<FoundNote, "snippet" | "section" | "bodyLine">;
const NOTHING: Shown = { snippet: null, section: null, bodyLine: null };

function textsOf(sql: Sql, ids: readonly number[]): Map<number, StoredText> {
  if (ids.length === 0) return new Map();
  const rows = sql.all<KeptText>(
    `SELECT ${TEXT} FROM texts t WHERE t.id IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
  return new Map(rows.map((row) => [row.id, storedText(sql, row)]));
}

function shown(
  analyzer: Analyzer,
  text: StoredText,
  list: ResultList,
  size: NonNullable<Page["snippet"]>,
): Shown {
  const outline = JSON.parse(text.outline) as Outline;
  const number = list.chunkOf(text.id);
  const start = number === null ? undefined : outline.chunks[number - 1];
  const chunk = start === undefined || start >= text.body.length ? null : start;
  const found = snippetOf(
    analyzer,
    text.title,
    text.body,
    list.sought,
    size,
    chunk === null ? null : [chunk, outline.chunks[number!] ?? text.body.length],
  );
  if (!found) return NOTHING;
  return {
    snippet: found.snippet,
    section: found.at === null ? null : sectionAt(outline, found.at),
    bodyLine: found.at === null ? null : lineAt(text.body, found.at),
  };
}

const lineAt = (text: string, end: number): number => {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < end; at = text.indexOf("\n", at + 1)) line++;
  return line;
};

const noteOf = (note: NoteSummary, list: ResultList, what: Shown): FoundNote => ({
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
  score: list.scoreOf(note.id),
  ...what,
});

const tagsIn = (json: string): string[] => (json === "[]" ? [] : (JSON.parse(json) as string[]));
