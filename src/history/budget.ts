/** Budgets: how much one walk through a history of unknown origin may look at, and when it gives others their turn. */

import { breather } from "../notebook/turns.ts";
import { damage } from "./damage.ts";

/** The entries that one tree may list, and all trees of one walk together: more than any vault has notes. */
export const TREE_ENTRIES = 2_000_000;
const WALK_ENTRIES = 2 * TREE_ENTRIES;
/** Entries of trees that the same commit has named before. A few trees that name each other unfold to millions; the folders of a vault are seldom alike. */
const REPEATED_ENTRIES = 200_000;
/** What each commit adds to both, so that small revisions are read whatever stands beside them. */
const COMMIT_SHARE = 100;
const DEPTH_LIMIT = 600;
/** Milliseconds that a walk may keep all others waiting. */
const TURN = 5;
/** Entries after which a turn ends whatever the clock says. */
const ENTRIES_IN_A_TURN = 2000;

export type Budget = {
  /** The walk comes to another commit. */
  next(): void;
  /** The walk comes to a folder: counts its entries, so many folders down. Throws damage where there is one too many. */
  enter(tree: string, depth: number): () => void;
  /** To be called often: leaves the event loop to others where the turn has gone on for long enough. */
  turn(): Promise<void>;
};

export function walkBudget(): Budget {
  let all = WALK_ENTRIES;
  let repeated = REPEATED_ENTRIES;
  const entered = new Set<string>();
  return {
    next() {
      all += COMMIT_SHARE;
      repeated += COMMIT_SHARE;
      entered.clear();
    },
    enter(tree, depth) {
      const again = entered.has(tree);
      entered.add(tree);
      return () => {
        all--;
        if (again) repeated--;
        if (all < 0 || repeated < 0 || depth > DEPTH_LIMIT) throw damage("a tree unfolds without end");
      };
    },
    turn: breather(TURN, ENTRIES_IN_A_TURN),
  };
}
