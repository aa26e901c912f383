/** The search engine of one index: everything it remembers between two questions lives in this object, and in nothing else. */

import { openAnalyzer, type Analyzer } from "./analyzer.ts";
import { openCorrections, type Corrections } from "./correct.ts";
import { openLengths, type Sizes } from "./lengths.ts";
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
  /** Runs one question. The numbers of the lexicon and the places that are read meanwhile are good until it returns, and not longer. */
  ask<T>(work: () => T): T;
};

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
