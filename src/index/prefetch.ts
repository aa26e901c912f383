/** What of a filter may take long to answer: which links lead where, and which bodies hold a piece of text. Answered beforehand, in steps. */

import type { Steps } from "../markdown/steps.ts";
import type { Filter, Page } from "../notebook/filter.ts";
import { lookedFor } from "./filter-sql.ts";
import { holding, type Holding } from "../search/holding.ts";
import { brokenIn, linking, linkingName, orphans } from "./link-query.ts";
import type { Sql } from "../sqlite/sql.ts";

export type Foreseen = {
  /** By the part of the filter that asks. */
  linked(part: Filter): number[];
  /** By the piece, folded; undefined where nobody foresaw that it would be asked for. */
  holding(piece: string): Holding | undefined;
};

export function* foresee(sql: Sql, filter: Filter): Steps<Foreseen> {
  const linked = new Map<string, number[]>();
  const held = new Map<string, Holding>();
  for (const each of partsOf(filter)) {
    const key = JSON.stringify(each);
    for (const piece of lookedFor(each))
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

/** Whether a page has to do with texts at all. One by rank may yet: what no note fits is then read as words. */
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
