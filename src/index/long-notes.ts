/** Long notes are put into the index over several turns, so that others are served in between. */

import { LINK_LIMIT } from "../notebook/link-graph.ts";
import type { Clock } from "../notebook/modified.ts";
import type { IndexRow } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { encodeStamp, isUnread, partial } from "../notebook/stamp.ts";
import type { Steps } from "../markdown/steps.ts";
import {
  applyRows,
  dropNote,
  heldNote,
  holds,
  LINKS,
  linksOf,
  NAMES,
  putParts,
  putRow,
  rowOf,
  timesOf,
} from "./note-rows.ts";
import type { Search } from "../search/search.ts";
import type { Sql } from "../sqlite/sql.ts";
import { dropText, prepareText, putPreparedText, storedWords } from "../search/text-rows.ts";

/** A note beyond these limits is as much work as a slice of others. */
const LONG_TEXT = 64 * 1024;
const LONG_LINKS = 2000;

/** Whether the note is long, or the one that the index holds in its place. */
export const isLong = (sql: Sql, { path, seen, stamp, note }: IndexRow): boolean =>
  !isUnread(stamp) &&
  ((note !== null && (note.bytes.length > LONG_TEXT || note.links.length > LONG_LINKS)) ||
    (seen !== null && sizeHeld(sql, path) > LONG_TEXT));

const sizeHeld = (sql: Sql, path: NotePath): number =>
  sql.get<{ size: number }>("SELECT size FROM notes WHERE path = ?", path)?.size ?? 0;

/**
 * Puts in a long note, or takes it out, over several turns, each with a transaction of its own. Until the last it counts as not read: its stamp is no file's, and its
 * version none, so that a process that finds it so, also after a crash, reads it again. A note that has been changed meanwhile is left to the process that changed it. Two
 * processes that put in the same do not disturb each other: it is the same stamp, and the same rows.
 */
export function* putLong(search: Search, row: IndexRow, clock: Clock): Steps<NotePath[]> {
  const { sql } = search;
  const { path, seen, stamp, note } = row;
  const unread = encodeStamp(partial(stamp));
  const held = heldNote(sql, path);
  const ended = !holds(held, seen) || held?.version === note?.version || !claim(sql, row, unread, clock);
  if (ended) return sql.transaction(() => applyRows(search, [row], clock));
  yield;
  const id = heldNote(sql, path)?.id ?? 0;
  /** Does the work if the note is still ours to put in, and says whether it is. */
  const done = (work: () => void): boolean =>
    sql.transaction(() => {
      if (heldNote(sql, path)?.stamp !== unread) return false;
      work();
      return true;
    });
  const release = search.analyzer.lexicon.hold();
  try {
    const before = held ? yield* storedWords(search, id) : null;
    if (before && !done(() => dropText(search, id, before))) return [path];
    yield;
    const links = Math.max(note ? Math.min(note.links.length, LINK_LIMIT) : 0, linksHeld(sql, id));
    for (let from = 0; from < links || from === 0; from += LONG_LINKS) {
      const to = from + LONG_LINKS < links ? from + LONG_LINKS : Number.MAX_SAFE_INTEGER;
      const rows = note ? linksOf(note, from, to) : [];
      if (!done(() => putParts(sql, id, true, LINKS, rows, [from, to]))) return [path];
      yield;
    }
    if (!note) return done(() => dropNote(sql, id)) ? [] : [path];
    const text = yield* prepareText(search, note);
    yield;
    const last = done(() =>
      putPreparedText(search, id, text, () => {
        putRow(sql, id, true, [...timesOf(sql, note, encodeStamp(stamp), clock), ...rowOf(note)]);
        for (const part of NAMES) putParts(sql, id, true, part, part.of(note));
      }),
    );
    return last ? [] : [path];
  } finally {
    release();
  }
}

const linksHeld = (sql: Sql, id: number): number =>
  (sql.get<{ last: number | null }>("SELECT max(at) AS last FROM links WHERE source = ?", id)?.last ?? -1) +
  1;

/** Puts the row in as that of a note that nobody has read; false where it has changed. */
const claim = (sql: Sql, { path, seen, note }: IndexRow, unread: string, clock: Clock): boolean =>
  sql.transaction(() => {
    const held = heldNote(sql, path);
    if (!holds(held, seen)) return false;
    if (held) {
      sql.run("UPDATE notes SET stamp = ?, version = '' WHERE id = ?", unread, held.id);
      sql.run("DELETE FROM pending_texts WHERE id = ?", held.id);
    } else {
      const { id } = sql.get<{ id: number }>("SELECT coalesce(max(id), 0) + 1 AS id FROM notes")!;
      putRow(sql, id, false, [...timesOf(sql, note!, unread, clock), ...rowOf({ ...note!, version: "" })]);
    }
    return true;
  });
