/** When the history is packed: once its loose objects, or its packs, have grown to many, and the git program is there (decision 5). */

import { findGit, looseBytes, oddEntry, removeStalePacks, repack } from "./gc.ts";
import { readHead, type Repo } from "./loose.ts";
import { packNames } from "./pack.ts";
import { examine } from "./repository.ts";

const LOOSE_LIMIT = 50 * 1024 * 1024;
/** So many packs are put together; a change of many notes makes one, a first recording one for every 8 MB. */
const PACK_LIMIT = 50;

export type Packing = {
  /** Packs where there is reason to; true where it did. */
  tidy(): Promise<boolean>;
  /** Counts what was written since the last call. */
  grown(written: { bytes: number; packs: number }): void;
  troubles(): string[];
  /** Ends what is under way. */
  close(): Promise<void>;
};

export function openPacking(
  repo: Repo,
  { now, looseLimit = LOOSE_LIMIT, vault }: { now(): Date; looseLimit?: number; vault?: string },
): Packing {
  const closing = new AbortController();
  let tidying: Promise<boolean> | undefined;
  let [bytes, packs] = [0, 0];
  let inTheWay: string | null = null;

  function tidy(): Promise<boolean> {
    return (tidying ??= tidyNow()
      .catch(() => false)
      .finally(() => (tidying = undefined)));
  }

  // Alternates are the one thing in the vault that git would follow from the objects alone; `ready` sets them aside.
  async function tidyNow(): Promise<boolean> {
    const head = readHead(repo);
    if (head === null || head === "damaged" || examine(repo) !== "sound") return false;
    removeStalePacks(repo, now());
    if (packNames(repo).length < PACK_LIMIT && (await looseBytes(repo)) <= looseLimit) return false;
    const git = findGit(vault ?? repo.disk.root);
    const safe = repo.disk.look(`${repo.dir}/objects/info/alternates`) === null;
    if (git === null || !safe) return false;
    inTheWay = await oddEntry(repo);
    return inTheWay === null && (await repack(repo, git, head, closing.signal));
  }

  return {
    tidy,
    grown(written) {
      bytes += written.bytes;
      packs += written.packs;
      if (bytes < looseLimit && packs < PACK_LIMIT) return;
      [bytes, packs] = [0, 0];
      void tidy();
    },
    troubles: () =>
      inTheWay === null
        ? []
        : [
            `The history's folder holds ${JSON.stringify(inTheWay)}, which is no file. It is not followed, and the history is not packed while it is there.`,
          ],
    async close() {
      closing.abort();
      await tidying;
    },
  };
}
