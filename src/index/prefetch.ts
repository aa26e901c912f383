/** Prefetching: the parts of a filter that may take long, which links lead where and which bodies hold a piece of text, are answered beforehand, in steps. */

import type { Steps } from "../markdown/steps.ts";
import type { Filter, Page } from "../notebook/filter.ts";
import { bodyPiecesOf } from "./filter-sql.ts";
import { holding, type Holding } from "../search/holding.ts";
import { brokenIn, linking, linkingName, orphans } from "./link-query.ts";
import type { Sql } from "../sqlite/sql.ts";

export type Prefetched = {
  /** The notes that a part of the filter about links stands for. */
  linked(part: Filter): number[];
  /** The notes whose body holds a piece, which is folded; undefined where it was not prefetched. */
  holding(piece: string): Holding | undefined;
};

export function* prefetch(sql: Sql, filter: Filter): Steps<Prefetched> {
  const linked = new Map<string, number[]>();
  const held = new Map<string, Holding>();
  for (const each of partsOf(filter)) {
    const key = JSON.stringify(each);
    for (const piece of bodyPiecesOf(each))
      if (piece !== "" && !held.has(piece)) held.set(piece, yield* holding(sql, piece));
    if (linked.has(key)) continue;
    else if ("linksTo" in each) linked.set(key, yield* linking(sql, each.linksTo));
    else if ("linksToName" in each) linked.set(key, yield* linkingName(sql, each.linksToName));
    else if ("is" in each && each.is === "orphan") linked.set(key, yield* orphans(sql));
    else if ("is" in each && each.is === "broken") linked.set(key, yield* brokenIn(sql));
  }
  return {
    linked: (part) => linked.get(JSON.stringify(part)) ?? [],
    holding: (piece) => held.get(piece),
  };
}

/** Parts of a filter that are answered from the texts or their words. */
const OF_TEXTS = ["ask", "words", "phrase", "holds", "title"];

/** Whether a page needs texts at all. A page by rank may: where nothing fits, the filter is read as words. */
export function needsTexts(filter: Filter, { sort, snippet }: Page): boolean {
  if (sort === "rank" || snippet !== undefined) return true;
  return [...partsOf(filter)].some((each) => OF_TEXTS.some((kind) => kind in each));
}

function* partsOf(filter: Filter): Generator<Filter> {
  const left = [filter];
  for (let each = left.pop(); each; each = left.pop()) {
    if ("all" in each) left.push(...each.all);
    else if ("any" in each) left.push(...each.any);
    else if ("not" in each) left.push(each.not);
    else yield each;
  }
}
