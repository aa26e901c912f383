/** Behind: notes that are on disk, but that the index could not take. They are put in as soon as it can. */

import type { Parts } from "./parts.ts";
import type { NotePath } from "./paths.ts";
import { reindex } from "./refresh.ts";

/** Notes that are read and put in together: while the index fails, a question tries no more than these. */
const SLICE = 64;

export type Behind = {
  /** Reports why the index could not take them. */
  add(paths: Iterable<NotePath>, why: unknown): void;
  /** Tries once more; null where nothing is behind. It never fails, and what fails again stays behind. */
  catchUp(): Promise<void> | null;
};

export function openBehind(parts: Parts): Behind {
  const behind = new Set<NotePath>();
  let running: Promise<void> | null = null;

  async function catchUp(): Promise<void> {
    while (behind.size > 0) {
      const paths = [...behind].slice(0, SLICE);
      for (const path of paths) behind.delete(path);
      try {
        await reindex(parts, paths);
      } catch (error) {
        for (const path of paths) behind.add(path);
        throw error;
      }
    }
    // Whoever asks for the newest revision has the ledger follow the history.
    await parts.history.log({ limit: 1 });
  }

  return {
    add(paths, why) {
      parts.report(
        "A change is on disk, but could not be put into the index. Search finds it once the index has caught up.",
        why,
      );
      for (const path of paths) behind.add(path);
    },
    catchUp() {
      if (behind.size === 0) return null;
      return (running ??= catchUp()
        .catch(() => undefined)
        .finally(() => (running = null)));
    },
  };
}
