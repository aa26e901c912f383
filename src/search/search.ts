/** The search engine of one index: everything it remembers between two questions lives in this object, and in nothing else. */

import { openAnalyzer, type Analyzer } from "./analyzer.ts";
import { blockChanges, newestMark } from "./block-changes.ts";
import { openCorrections, type Corrections } from "./correct.ts";
import { openLengths, sizesOf, type Sizes } from "./lengths.ts";
import { openPlacePool, type PlacePool } from "./posting-bytes.ts";
import { openRanker, type Ranker } from "./rank.ts";
import type { Sql } from "../sqlite/sql.ts";

export type Search = {
  sql: Sql;
  analyzer: Analyzer;
  pool: PlacePool;
  rank: Ranker;
  sizes(): Sizes;
  corrections: Corrections;
  /** The notes that may be seen, by their numbers, where not all of them may. */
  seen?: () => ReadonlySet<number>;
  /** Runs one question. The numbers of the lexicon and the places that are read meanwhile are good until it returns, and not longer. */
  ask<T>(work: () => T): T;
};

/** Searches some of the notes, and ranks them as if there were no others. */
export function narrowedSearch(search: Search, sql: Sql): Search {
  const kept = <T>(make: () => T): (() => T) => {
    let known: { mark: string; value: T } | null = null;
    return () => {
      const mark = newestMark(blockChanges(sql));
      if (known?.mark !== mark) known = { mark, value: make() };
      return known.value;
    };
  };
  const seen = kept(() => new Set(sql.all<{ id: number }>("SELECT id FROM notes").map(({ id }) => id)));
  const sizes = kept(() => sizesOf(search.sizes(), seen()));
  return { ...search, sql, corrections: openCorrections(sql), seen, sizes };
}

export function openSearch(sql: Sql): Search {
  const analyzer = openAnalyzer();
  const pool = openPlacePool();
  return {
    sql,
    analyzer,
    pool,
    rank: openRanker(),
    sizes: openLengths(sql),
    corrections: openCorrections(sql),
    ask: (work) =>
      analyzer.lexicon.during(() => {
        try {
          return work();
        } finally {
          pool.reclaim();
        }
      }),
  };
}
