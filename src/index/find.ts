/** Finding: a filter and a page become notes, a total and a cursor. */

import { atOnce, type Steps } from "../markdown/steps.ts";
import type { Filter, Found, Page } from "../notebook/filter.ts";
import type { NotePath } from "../notebook/paths.ts";
import { hashOf, HASHES, readCursor, START, writeCursor, type Place } from "./cursor.ts";
import { hasField } from "./field-sql.ts";
import { conditionOf, type Answers } from "./filter-sql.ts";
import { needsTexts, prefetch, type Prefetched } from "./prefetch.ts";
import { foundNotes } from "./found-notes.ts";
import { holding, holdingStretch, type Holding } from "../search/holding.ts";
import type { NoteSummary } from "./note-summary.ts";
import { listByColumn, listByRank, type ResultList } from "./result-list.ts";
import { targetsOf } from "./link-query.ts";
import { loosened } from "./loosen.ts";
import { standing } from "./locate.ts";
import { notesIn } from "../search/posting-bytes.ts";
import { readQuestion } from "../search/question.ts";
import type { Search } from "../search/search.ts";
import type { Titled } from "./titles.ts";

/** No list is longer; an offset and a limit added up stay a whole number. */
const MOST = 1_000_000_000;

/** In a larger vault a word that no note has is looked for as part of a title only: to look into every text takes 7 ms a thousand notes. */
const LOOKED_INTO = 2000;

/** What a page is found in. */
export type Sources = {
  search: Search;
  titled: Titled;
  /** Puts pending words in. */
  flush(): void;
};

export function* find(sources: Sources, filter: Filter, page: Page, indexed: boolean): Steps<Found> {
  const { search } = sources;
  if (needsTexts(filter, page)) sources.flush();
  // What may take long is answered first, in steps; all the rest in one, since its parts share what they have read. Words that
  // become pending between two steps stay so.
  const prefetched = yield* prefetch(search.sql, filter);
  return search.ask(() => answer(sources, prefetched, filter, page, indexed));
}

function answer(
  { search, titled }: Sources,
  prefetched: Prefetched,
  filter: Filter,
  page: Page,
  indexed: boolean,
): Found {
  const { sql } = search;
  const answers = answersOf(search, titled, prefetched);
  const listOf = (each: Filter, after: string[] | null): ResultList => {
    const condition = conditionOf(each, answers, page.sort === "rank");
    return page.sort === "rank" && condition.words.length > 0
      ? listByRank(search, condition, page.near ?? [])
      : listByColumn(sql, condition, page.sort, after);
  };
  const limit = Math.min(Math.max(0, Math.floor(page.limit)), MOST);
  const place = page.cursor === undefined ? START : readCursor(page.cursor, filter, page.sort);
  const offset = page.cursor === undefined ? Math.min(page.offset ?? 0, MOST) : place.given;
  let list = listOf(filter, place.after);
  // Where no note has any word of a question, it may be part of a word.
  if (list.unknown) list = listOf(asPart(filter, answers.partIn()), place.after);
  const loose = loosened(
    filter,
    () => page.sort === "rank" && list.total() === 0,
    (name) => hasField(sql, name),
  );
  if (loose) list = listOf(loose.filter, place.after);
  const found = limit === 0 ? [] : pageOf(list, place, page.cursor === undefined ? offset : 0, limit + 1);
  const given = found.slice(0, limit);
  const ended = limit > 0 && found.length <= limit && (given.length > 0 || offset === 0);
  return {
    notes: foundNotes(search, given, list, page.snippet),
    // Unless the page is the whole list, the notes are counted: a cursor may have passed notes that are gone, or not yet come.
    total: ended && offset === 0 ? given.length : list.total(),
    offset,
    cursor:
      found.length > limit ? writeCursor(filter, page.sort, next(place, page.sort, offset, given)) : null,
    corrected: [...list.corrected, ...answers.corrected],
    loosened: loose?.written ?? [],
    byMeaning: list.byMeaning,
    partial: !indexed || !answers.whole,
  };
}

/** What SQL cannot answer by itself; `whole` is false where a limit was met. */
function answersOf(
  search: Search,
  titled: Titled,
  prefetched: Prefetched,
): Answers & Pick<Found, "corrected"> & { whole: boolean } {
  const { sql } = search;
  const idsIn = ({ ids, whole }: Holding): number[] => {
    answers.whole &&= whole;
    return ids;
  };
  const answers = {
    whole: true,
    corrected: [] as Found["corrected"],
    standing: (path: NotePath) => standing(sql, path),
    partIn: (): "title" | "either" =>
      sql.get("SELECT 1 FROM notes LIMIT 1 OFFSET ?", LOOKED_INTO) ? "title" : "either",
    linked: prefetched.linked,
    titled,
    holding: (part: string) => idsIn(prefetched.holding(part) ?? atOnce(holding(sql, part))),
    holdingStretch: (stretch: string) => idsIn(holdingStretch(search, stretch)),
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

function next(place: Place, sort: Page["sort"], offset: number, page: readonly NoteSummary[]): Place {
  const given = offset + page.length;
  const last = page.at(-1)!;
  if (sort === "path") return { given, after: [last.path], hashes: [] };
  if (sort === "name") return { given, after: [last.name, last.path], hashes: [] };
  return { given, after: null, hashes: [...place.hashes, ...page.map(({ path }) => hashOf(path))] };
}

/** The notes of one page, and one more where there is more. */
function pageOf(list: ResultList, place: Place, skip: number, limit: number): NoteSummary[] {
  if (place.hashes.length === 0) return list.part(skip, limit);
  // The cursor has the hashes of the last notes that were given. If nothing was written, they stand just before this page.
  const known = new Set(place.hashes);
  const from = Math.max(0, place.given - HASHES);
  return list
    .part(from, place.given - from + limit)
    .filter(({ path }) => !known.has(hashOf(path)))
    .slice(0, limit);
}
