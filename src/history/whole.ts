/** Whether a commit can be gone on from. */

import { isDamage } from "./damage.ts";
import { sha1 } from "./hashing.ts";
import { readCommit } from "./revision.ts";
import { openTrees, type ReadObject } from "./trees.ts";

/** All its folders can be read. */
export async function isWhole(read: ReadObject, id: string): Promise<boolean> {
  try {
    await openTrees(read, sha1).files((await readCommit(read, id)).tree);
    return true;
  } catch (error) {
    if (!isDamage(error)) throw error;
    return false;
  }
}
