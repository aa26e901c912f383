/** Keeping the ledger at the head: revisions that others made, or that were made before there was a ledger, are read from the commits. */

import { attempt } from "../notebook/system-errors.ts";
import type { Ledger, Made, Revision } from "../notebook/parts.ts";
import { walkBudget } from "./budget.ts";
import { cacheOf } from "./cache.ts";
import { nullIfDamaged } from "./damage.ts";
import type { Commit, GitObject } from "./objects.ts";
import { readCommit, readRevision } from "./revision.ts";
import type { ReadObject } from "./trees.ts";
import { isWhole } from "./whole.ts";

/** Put into the ledger in one transaction: so many revisions, or as many as change so many notes. */
const SLICE = 100;
const SLICE_CHANGES = 2000;
/** Neighbouring commits share most of their trees. */
const CACHED_BYTES = 16 * 1024 * 1024;

/** Tells the ledger what was just made. Where it is busy, behind or being made anew, it follows the head before it is next read. */
export const tellLedger = (ledger: Ledger, { revisions, parent }: Made): void =>
  void attempt(() => ledger.add(revisions, parent));

export async function followHead(head: string | null, read: ReadObject, ledger: Ledger): Promise<void> {
  const known = ledger.head();
  if (head === known) return;
  if (head === null) return ledger.clear();
  const cached = caching(read);
  const budget = walkBudget();
  const missing: string[] = [];
  for (let id: string | null = head; id !== null && id !== known;) {
    await budget.turn();
    const commit: Commit | null = await readCommit(cached, id).catch(nullIfDamaged);
    if (!commit) break;
    missing.push(id);
    id = commit.parent;
  }
  // Where the head itself cannot be read, the ledger is what the history will be repaired by.
  const oldest = missing.at(-1);
  if (oldest === undefined) return;
  const joins = (await readCommit(cached, oldest)).parent === known;
  // A head of another line is for whoever next records to deal with; until then the past is the one that this computer saw.
  if (!joins && known !== null && (await isWhole(read, known))) return;
  let parent = joins ? known : null;
  if (!joins) ledger.clear();
  let slice: Revision[] = [];
  let changes = 0;
  for (let at = missing.length - 1; at >= 0; at--) {
    await budget.turn();
    const id = missing[at]!;
    const revision = await readRevision(cached, id, await readCommit(cached, id), budget);
    slice.push(revision);
    changes += revision.changes.length;
    if (at > 0 && slice.length < SLICE && changes < SLICE_CHANGES) continue;
    // Another process may be at the same work; it will not be done worse.
    if (!ledger.add(slice, parent)) return;
    parent = id;
    [slice, changes] = [[], 0];
  }
}

function caching(read: ReadObject): ReadObject {
  const kept = cacheOf<GitObject>(CACHED_BYTES);
  return async (id) => {
    const known = kept.get(id);
    if (known) return known;
    const object = await read(id);
    if (object) kept.set(id, object, object.body.length);
    return object;
  };
}
