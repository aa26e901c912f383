/** Finding: a filter and a page to notes, a total and a cursor. */

import { atOnce, type Steps } from "../markdown/steps.ts";
import type { Filter, Found, Page } from "../notebook/filter.ts";
import type { NotePath } from "../notebook/paths.ts";
import { hashOf, HASHES, readCursor, START, writeCursor, type Place } from "./cursor.ts";
import { hasField } from "./field-sql.ts";
import { conditionOf, type Asked } from "./filter-sql.ts";
import { foresee, needsTexts, type Foreseen } from "./prefetch.ts";
import { foundNotes } from "./found-notes.ts";
import { holding, holdingStretch, type Holding } from "../search/holding.ts";
import type { Listed } from "./note-summary.ts";
import { listBy, listByRank, type List } from "./result-list.ts";
import { targetsOf } from "./link-query.ts";
import { loosened } from "./loosen.ts";
import { standing } from "./locate.ts";
import { notesIn } from "../search/posting-bytes.ts";
import { readQuestion } from "../search/question.ts";
import type { Search } from "../search/search.ts";
import { settleTexts } from "../search/text-rows.ts";
import type { Titled } from "./titles.ts";

/** More than any list is long; keeps an offset and a limit added up a whole number. */
const MOST = 1_000_000_000;

/** In a larger vault a word that no note has is looked for as part of a title only: to look into every text takes 7 ms a thousand notes. */
const LOOKED_INTO = 2000;

/** What a page is found in. */
export type Sources = { search: Search; titled: Titled };

export function* find(sources: Sources, filter: Filter, page: Page, indexed: boolean): Steps<Found> {
  const { search } = sources;
  const texts = needsTexts(filter, page);
  if (texts) settleTexts(search);
  // What may take long is answered first, in steps; all the rest in one, since it shares what it has read.
  const foreseen = yield* foresee(search.sql, filter);
  if (texts) settleTexts(search);
  return search.ask(() => found(sources, foreseen, filter, page, indexed));
}

function found(
  { search, titled }: Sources,
  foreseen: Foreseen,
  filter: Filter,
  page: Page,
  indexed: boolean,
): Found {
  const { sql } = search;
  const answers = answersOf(search, titled, foreseen);
  const listed = (each: Filter, after: string[] | null): List => {
    const condition = conditionOf(each, answers, page.sort === "rank");
    return page.sort === "rank" && condition.words.length > 0
      ? listByRank(search, condition, page.near ?? [])
      : listBy(sql, condition, page.sort, after);
  };
  const limit = Math.min(Math.max(0, Math.floor(page.limit)), MOST);
  const place = page.cursor === undefined ? START : readCursor(page.cursor, filter, page.sort);
  const offset = page.cursor === undefined ? Math.min(page.offset ?? 0, MOST) : place.given;
  let list = listed(filter, place.after);
  // Where no word of a question is known, it may be part of one.
  if (list.unknown) list = listed(asPart(filter, answers.partIn()), place.after);
  const loose = loosened(
    filter,
    () => page.sort === "rank" && list.total() === 0,
    (name) => hasField(sql, name),
  );
  if (loose) list = listed(loose.filter, place.after);
  const some = limit === 0 ? [] : hits(list, place, page.cursor === undefined ? offset : 0, limit + 1);
  const hit = some.slice(0, limit);
  const ended = limit > 0 && some.length <= limit && (hit.length > 0 || offset === 0);
  return {
    notes: foundNotes(search, hit, list, page.snippet),
    // Unless all of it is here, it is counted: a cursor may have passed notes that are gone, or not yet come.
    total: ended && offset === 0 ? hit.length : list.total(),
    offset,
    cursor: some.length > limit ? writeCursor(filter, page.sort, next(place, page.sort, offset, hit)) : null,
    corrected: [...list.corrected, ...answers.corrected],
    loosened: loose?.written ?? [],
    byMeaning: list.byMeaning,
    partial: !indexed || !answers.whole,
  };
}

/** What SQL cannot answer by itself; and how far it could be answered. */
function answersOf(
  search: Search,
  titled: Titled,
  foreseen: Foreseen,
): Asked & Pick<Found, "corrected"> & { whole: boolean } {
  const { sql } = search;
  const looked = ({ ids, whole }: Holding): number[] => {
    answers.whole &&= whole;
    return ids;
  };
  const answers = {
    whole: true,
    corrected: [] as Found["corrected"],
    standing: (path: NotePath) => standing(sql, path),
    partIn: (): "title" | "either" =>
      sql.get("SELECT 1 FROM notes LIMIT 1 OFFSET ?", LOOKED_INTO) ? "title" : "either",
    linked: foreseen.linked,
    titled,
    holding: (part: string) => looked(foreseen.holding(part) ?? atOnce(holding(sql, part))),
    holdingStretch: (stretch: string) => looked(holdingStretch(search, stretch)),
    having(text: string) {
      const { words, corrected } = readQuestion(search, [{ text, forgiving: true }], (links) =>
        targetsOf(sql, links),
      );
      answers.corrected.push(...corrected);
      const ids = new Set(words.flatMap(({ places }) => [...notesIn(places)]));
      return ids.size === 0
        ? null
        : { ids: [...ids], mark: { terms: new Set(words.flatMap(({ terms }) => [...terms])) } };
    },
  };
  return answers;
}

function asPart(filter: Filter, place: "title" | "either"): Filter {
  if ("ask" in filter) return { holds: filter.ask.trim(), in: place };
  return "all" in filter ? { all: filter.all.map((each) => asPart(each, place)) } : filter;
}

function next(place: Place, sort: Page["sort"], offset: number, hit: readonly Listed[]): Place {
  const given = offset + hit.length;
  const last = hit.at(-1)!;
  if (sort === "path") return { given, after: [last.path], hashes: [] };
  if (sort === "name") return { given, after: [last.name, last.path], hashes: [] };
  return { given, after: null, hashes: [...place.hashes, ...hit.map(({ path }) => hashOf(path))] };
}

/** The notes of one page, and one more where there is more. */
function hits(list: List, place: Place, skip: number, limit: number): Listed[] {
  if (place.hashes.length === 0) return list.part(skip, limit);
  // Of what was given, the hashes of the last are known: those stand, if nothing was written, just before this page.
  const known = new Set(place.hashes);
  const from = Math.max(0, place.given - HASHES);
  return list
    .part(from, place.given - from + limit)
    .filter(({ path }) => !known.has(hashOf(path)))
    .slice(0, limit);
}
