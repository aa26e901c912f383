/** Which files differ between two trees. Equal parts are passed over as bytes, so the cost is that of what changed. */

import { walkBudget, type Budget } from "./budget.ts";
import { damage } from "./damage.ts";
import { FILE, FOLDER, PATH_LIMIT, recordable, type TreeEntry } from "./objects.ts";
import { compareRows, entryIn, isSameRow, NO_ROWS, rowsIn, type TreeRows } from "./tree-rows.ts";
import type { ReadObject } from "./trees.ts";

/** The version before and the one after, null for none, by path. */
export type Differences = Map<string, { before: string | null; after: string | null }>;

// Only plain files count, under names that we would record: a history may have been made by somebody else.
export async function compareTrees(
  read: ReadObject,
  before: string | null,
  after: string | null,
  budget: Budget = walkBudget(),
): Promise<Differences> {
  const found: Differences = new Map();

  async function rowsOf(id: string | null): Promise<TreeRows> {
    if (id === null) return NO_ROWS;
    const object = await read(id);
    if (object?.kind !== "tree") throw damage("a tree is missing");
    const rows = rowsIn(object.body);
    if (!rows) throw damage("a tree cannot be read");
    return rows;
  }

  async function compare(folder: string, a: string | null, b: string | null, depth: number): Promise<void> {
    const count = budget.enter(`${a}-${b}`, depth);
    for (const pair of pairs(await rowsOf(a), await rowsOf(b))) {
      await budget.turn();
      if (pair === null) continue;
      count();
      const [old, now] = pair;
      const { mode, name } = (old ?? now)!;
      const path = folder + name;
      if (path.length > PATH_LIMIT) continue;
      if (mode === FOLDER) await compare(`${path}/`, old?.id ?? null, now?.id ?? null, depth + 1);
      else if (mode === FILE && recordable(path)) {
        // A folder may have taken the place of a file of its name, or the other way round: two entries, one path each.
        found.set(path, { before: old?.id ?? null, after: now?.id ?? null });
      }
    }
  }
  if (before !== after) await compare("", before, after, 0);
  return found;
}

type Pair = [TreeEntry | null, TreeEntry | null];

/** So many equal entries are passed over before whoever asks may give others their turn. */
const EQUAL_RUN = 1000;

/** Entries of the same name and kind side by side, without those that are equal: now and then null for a run of these. */
function* pairs(a: TreeRows, b: TreeRows): Generator<Pair | null> {
  const [count, otherCount] = [a.starts.length, b.starts.length];
  let equal = 0;
  let [at, other] = [0, 0];
  while (at < count || other < otherCount) {
    const both = at < count && other < otherCount;
    if (both && isSameRow(a, at, b, other)) {
      at++;
      other++;
      if (++equal % EQUAL_RUN === 0) yield null;
      continue;
    }
    const order = both ? compareRows(a, at, b, other) : at < count ? -1 : 1;
    const old = order <= 0 ? entryIn(a, at++) : null;
    const now = order >= 0 ? entryIn(b, other++) : null;
    if (!old || !now || kindOf(old.mode) === kindOf(now.mode)) yield [old, now];
    else {
      yield [old, null];
      yield [null, now];
    }
  }
}

const kindOf = (mode: string): string => (mode === FOLDER || mode === FILE ? mode : "other");
