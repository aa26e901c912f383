/** A history kept in the folder of a bare repository: pending revisions, objects and packs, and the repair of all that (decision 23). */

import type { Ledger } from "../notebook/parts.ts";
import type { Keeping } from "./keeping.ts";
import type { Repo } from "./loose.ts";
import { beginPack } from "./pack-write.ts";
import type { PendingRevisions } from "./pending-revisions.ts";
import { openRepair } from "./repair.ts";
import type { ReadObject } from "./trees.ts";
import { isBegun } from "./unfinished.ts";

/** `stored` reads objects that are in the history, not the pending ones. */
export function folderKeeping(
  repo: Repo,
  parts: { stored: ReadObject; pending: PendingRevisions; ledger: Ledger },
): Keeping {
  const { pending } = parts;
  const troubles = new Set<string>();
  const { repairing, isAnother } = openRepair({ repo, ...parts, tell: (sentence) => troubles.add(sentence) });
  return {
    head: pending.head,
    read: pending.read,
    stage: pending.stage,
    gather: () => beginPack(repo),
    flush: pending.flush,
    repairing,
    isAnother,
    isBegun: (changes) => isBegun(repo.disk, changes),
    troubles: () => [...troubles],
  };
}
