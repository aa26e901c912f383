/** Keeping the ledger at the head: revisions that others made, or that were made before there was a ledger, are read from the commits. */

import type { Ledger } from "../notebook/parts.ts";
import type { Commit, GitObject } from "./objects.ts";
import { nullIfDamaged, readCommit, readRevision } from "./revision.ts";
import type { ReadObject } from "./trees.ts";

/** Revisions put into the ledger in one transaction. */
const SLICE = 100;
/** Neighbouring commits share most of their trees. */
const CACHED_OBJECTS = 500;

export async function followHead(head: string | null, read: ReadObject, ledger: Ledger): Promise<void> {
  const known = ledger.head();
  if (head === known) return;
  if (head === null) return ledger.clear();
  const cached = caching(read);
  const missing: string[] = [];
  for (let id: string | null = head; id !== null && id !== known;) {
    const commit: Commit | null = await readCommit(cached, id).catch(nullIfDamaged);
    if (!commit) break;
    missing.push(id);
    id = commit.parent;
  }
  // Where the head itself cannot be read, the ledger is what the history will be mended by.
  const oldest = missing.at(-1);
  if (oldest === undefined) return;
  const joins = (await readCommit(cached, oldest)).parent === known;
  let parent = joins ? known : null;
  if (!joins) ledger.clear();
  for (let end = missing.length; end > 0; end -= SLICE) {
    const ids = missing.slice(Math.max(0, end - SLICE), end).toReversed();
    const revisions = [];
    for (const id of ids) revisions.push(await readRevision(cached, id, await readCommit(cached, id)));
    // Another process may be at the same work; it will not be done worse.
    if (!ledger.add(revisions, parent)) return;
    parent = ids.at(-1)!;
  }
}

function caching(read: ReadObject): ReadObject {
  const kept = new Map<string, GitObject>();
  return async (id) => {
    const known = kept.get(id);
    if (known) return known;
    const object = await read(id);
    if (object) kept.set(id, object);
    if (kept.size > CACHED_OBJECTS) kept.delete(kept.keys().next().value!);
    return object;
  };
}
