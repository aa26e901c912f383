/** Notes that were found, as they are shown: what is known of them, a snippet, and the section it is from. */

import type { FoundNote, Page } from "../notebook/filter.ts";
import { nameOf, type NotePath } from "../notebook/paths.ts";
import type { Hit, List } from "./lists.ts";
import { sectionAt, type Outline } from "./outline.ts";
import { snippetOf } from "./snippet.ts";
import type { Sql } from "./sql.ts";

/** A snippet is sought in this much of a body. */
const REACH = 300_000;

type Row = {
  id: number;
  path: NotePath;
  title: string;
  handle: string;
  field_tags: string;
  inline_tags: string;
  type: string | null;
  created: number;
  modified: number;
  updated: string | null;
  size: number;
};

const COLUMNS = "id path title handle field_tags inline_tags type created modified updated size".split(" ");
// One text a row: handing each column over by itself takes longer.
const ROWS = `SELECT json_array(${COLUMNS.join(", ")}) AS row FROM notes WHERE id IN (SELECT value FROM json_each(?))`;

export function foundNotes(sql: Sql, hits: readonly Hit[], list: List, size: Page["snippet"]): FoundNote[] {
  if (hits.length === 0) return [];
  const ids = JSON.stringify(hits.map(({ id }) => id));
  const byId = new Map(
    sql.all<{ row: string }>(ROWS, ids).map(({ row }) => {
      const found = Object.fromEntries(
        (JSON.parse(row) as unknown[]).map((value, at) => [COLUMNS[at], value]),
      );
      return [found["id"] as number, found as Row];
    }),
  );
  return hits.flatMap(({ id }) => {
    const row = byId.get(id);
    return row ? [noteOf(row, size ? shown(sql, id, list, size) : NOTHING)] : [];
  });
}

type Shown = Pick<FoundNote, "snippet" | "section">;
const NOTHING: Shown = { snippet: null, section: null };

function shown(sql: Sql, id: number, list: List, size: NonNullable<Page["snippet"]>): Shown {
  const text = sql.get<{ title: string; body: string; outline: string }>(
    `SELECT title, substr(body, 1, ${REACH}) AS body, outline FROM texts WHERE id = ?`,
    id,
  );
  if (!text) return NOTHING;
  const outline = JSON.parse(text.outline) as Outline;
  const number = list.chunkOf(id);
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

const noteOf = (row: Row, what: Shown): FoundNote => ({
  path: row.path,
  name: nameOf(row.path),
  title: row.title,
  id: row.handle,
  tags: {
    fields: JSON.parse(row.field_tags) as string[],
    inline: JSON.parse(row.inline_tags) as string[],
  },
  type: row.type,
  created: new Date(row.created),
  modified: new Date(row.modified),
  updated: row.updated,
  size: row.size,
  ...what,
});
