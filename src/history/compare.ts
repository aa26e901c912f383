/** Which files differ between two trees. Equal parts are passed over as bytes, so the cost is that of what changed. */

import { walkBudget, type Budget } from "./budget.ts";
import { damage } from "./damage.ts";
import { entryAt, FILE, FOLDER, PATH_LIMIT, recordable, type TreeEntry } from "./objects.ts";
import type { ReadObject } from "./trees.ts";

/** By path: the version before and the one after, null for none. */
export type Differences = Map<string, { before: string | null; after: string | null }>;

// Only plain files count, under names that we would record: a history may have been made by somebody else.
export async function compareTrees(
  read: ReadObject,
  before: string | null,
  after: string | null,
  budget: Budget = walkBudget(),
): Promise<Differences> {
  const found: Differences = new Map();

  async function bodyOf(id: string | null): Promise<Buffer> {
    if (id === null) return Buffer.alloc(0);
    const object = await read(id);
    if (object?.kind !== "tree") throw damage("a tree is missing");
    return object.body;
  }

  async function compare(folder: string, a: string | null, b: string | null, depth: number): Promise<void> {
    const count = budget.enter(`${a}-${b}`, depth);
    for (const pair of pairs(await bodyOf(a), await bodyOf(b))) {
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
function* pairs(a: Buffer, b: Buffer): Generator<Pair | null> {
  let equal = 0;
  let [at, other] = [0, 0];
  while (at < a.length || other < b.length) {
    const end = endOf(a, at);
    const otherEnd = endOf(b, other);
    if (end !== 0 && otherEnd !== 0 && a.compare(b, other, otherEnd, at, end) === 0) {
      [at, other] = [end, otherEnd];
      if (++equal % EQUAL_RUN === 0) yield null;
      continue;
    }
    const old = end === 0 ? null : entryAt(a, at)!.entry;
    const now = otherEnd === 0 ? null : entryAt(b, other)!.entry;
    const order = !old ? 1 : !now ? -1 : inOrder(old, now);
    if (order <= 0) at = end;
    if (order >= 0) other = otherEnd;
    if (order === 0 && kindOf(old!.mode) === kindOf(now!.mode)) yield [old, now];
    else {
      if (order <= 0) yield [old, null];
      if (order >= 0) yield [null, now];
    }
  }
}

/** Where the next entry begins; 0 where there is no more. */
function endOf(body: Buffer, at: number): number {
  if (at >= body.length) return 0;
  const space = body.indexOf(0x20, at);
  const name = body.indexOf(0, at);
  if (space === -1 || space > name || name + 21 > body.length || name - at > PATH_LIMIT)
    throw damage("a tree cannot be read");
  return name + 21;
}

const kindOf = (mode: string): string => (mode === FOLDER || mode === FILE ? mode : "other");
const inOrder = (a: TreeEntry, b: TreeEntry): number => Buffer.compare(key(a), key(b));
const key = ({ mode, name }: TreeEntry): Buffer => Buffer.from(mode === FOLDER ? `${name}/` : name);
