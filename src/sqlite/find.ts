/** Finding: a filter and a page to notes, a total and a cursor. */

import type { Filter, Found, Page } from "../notebook/filter.ts";
import type { NotePath } from "../notebook/paths.ts";
import { foldKey, linkKey } from "../notebook/resolve.ts";
import { hashOf, HASHES, readCursor, START, writeCursor, type Place } from "./cursor.ts";
import { conditionOf, type Asked } from "./filter-sql.ts";
import { foundNotes } from "./found-notes.ts";
import { holding, holdingStretch, type Holding } from "./holding.ts";
import { listBy, listByRank, type Hit, type List } from "./lists.ts";
import { notesIn } from "./posting-bytes.ts";
import { readQuestion } from "./question.ts";
import type { Sql } from "./sql.ts";

/** More than any list is long; keeps an offset and a limit added up a whole number. */
const MOST = 1_000_000_000;

export function find(
  sql: Sql,
  filter: Filter,
  page: Page,
  linking: (path: NotePath) => number[],
  indexed: boolean,
): Found {
  let whole = indexed;
  const looked = (found: Holding): number[] => {
    whole &&= found.whole;
    return found.ids;
  };
  const ranked = page.sort === "rank";
  const condition = conditionOf(filter, askedOf(sql, linking, looked), ranked);
  const limit = Math.min(Math.max(0, Math.floor(page.limit)), MOST);
  const place = page.cursor === undefined ? START : readCursor(page.cursor, filter, page.sort);
  const offset = page.cursor === undefined ? Math.min(page.offset ?? 0, MOST) : place.given;
  const list =
    ranked && condition.words.length > 0
      ? listByRank(sql, condition)
      : listBy(sql, condition, page.sort, place.after);
  const found = limit === 0 ? [] : hits(list, place, page.cursor === undefined ? offset : 0, limit + 1);
  const hit = found.slice(0, limit);
  const ended = limit > 0 && found.length <= limit && (hit.length > 0 || offset === 0);
  return {
    notes: foundNotes(sql, hit, list, page.snippet),
    // Unless all of it is here, it is counted: a cursor may have passed notes that are gone, or not yet come.
    total: ended && offset === 0 ? hit.length : list.total(),
    offset,
    cursor: found.length > limit ? writeCursor(filter, page.sort, next(place, page.sort, offset, hit)) : null,
    corrected: list.corrected,
    partial: !whole,
  };
}

const askedOf = (
  sql: Sql,
  linking: (path: NotePath) => number[],
  looked: (found: Holding) => number[],
): Asked => ({
  standing: (path) => standing(sql, path),
  linking,
  holding: (part) => looked(holding(sql, part)),
  holdingStretch: (stretch) => looked(holdingStretch(sql, stretch)),
  having(text) {
    const { words } = readQuestion(sql, [{ text, forgiving: true }]);
    const ids = new Set(words.flatMap(({ places }) => [...notesIn(places)]));
    return { ids: [...ids], mark: { terms: new Set(words.flatMap(({ terms }) => [...terms])) } };
  },
});

function next(place: Place, sort: Page["sort"], offset: number, hit: readonly Hit[]): Place {
  const given = offset + hit.length;
  const last = hit.at(-1)!;
  if (sort === "path") return { given, after: [last.path], hashes: [] };
  if (sort === "name") return { given, after: [last.name_key, last.path], hashes: [] };
  return { given, after: null, hashes: [...place.hashes, ...hit.map(({ path }) => hashOf(path))] };
}

/** The notes of one page, and one more where there is more. */
function hits(list: List, place: Place, skip: number, limit: number): Hit[] {
  if (place.hashes.length === 0) return list.part(skip, limit);
  // Of what was given, the hashes of the last are known: those stand, if nothing was written, just before this page.
  const known = new Set(place.hashes);
  const from = Math.max(0, place.given - HASHES);
  return list
    .part(from, place.given - from + limit)
    .filter(({ path }) => !known.has(hashOf(path)))
    .slice(0, limit);
}

/** The note that stands there: spelled so, else the same but for Unicode form, else but for case. */
function standing(sql: Sql, path: NotePath): number[] {
  const rows = sql.all<{ id: number; path: string }>(
    "SELECT id, path FROM notes WHERE name_key = ? AND path_key = ?",
    linkKey(path),
    foldKey(path),
  );
  const composed = path.normalize("NFC");
  const best =
    rows.find((row) => row.path === path) ??
    rows.find((row) => row.path.normalize("NFC") === composed) ??
    rows[0];
  return best ? [best.id] : [];
}
