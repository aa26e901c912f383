/** Bringing in: when what waits goes into the bucket, how much of it at once, and what becomes of texts of other programs that lie there (decision 30). */

import type { LateEdit } from "../notebook/late-edit.ts";
import type { NoteStore } from "../notebook/parts.ts";
import { flush, type InTheWay } from "./r2-flush.ts";
import type { Shelf } from "./r2-place.ts";
import { FIRST_MS } from "./r2-tries.ts";

/** Edits of other programs that are merged in one go; each is a change of its own. */
const MERGES = 20;

export type Bringing = {
  /** A part of what waits. What another program put in the way stays there: while a change is under way, nothing else is recorded. */
  bringIn(): Promise<InTheWay[]>;
  /** A part of what waits, between two changes: what other programs put in the way is merged. */
  bringInMerged(): Promise<void>;
  /** Whether it is worth while now. */
  isDue(): boolean;
  isLeft(): boolean;
  /** Milliseconds until it is worth while; null where nothing waits. */
  due(): number | null;
  onLateEdit: NoteStore["onLateEdit"];
};

/** Only inside the lock. `later` is told when there is more to do. */
export function openBringing(shelf: Shelf, later: (milliseconds: number) => void): Bringing {
  const { now } = shelf;
  let merge: (edit: LateEdit) => Promise<unknown> = async () => undefined;
  /** When what waits is tried again; null where nothing waits. Something may be left of an earlier life. */
  let next: number | null = 0;
  /** Whether there was too much for one go: the rest is not for whoever comes next, but for alarms. */
  let cut = false;

  async function bringIn(): Promise<InTheWay[]> {
    const { wait, late } = await flush(shelf);
    cut = wait === 0;
    next = wait === null ? null : now().getTime() + (wait || FIRST_MS);
    if (wait !== null) later(wait);
    return late;
  }

  return {
    bringIn,
    async bringInMerged() {
      const late = next === null ? [] : await bringIn();
      if (late.length === 0) return;
      await mergeAll(shelf, late.slice(0, MERGES), merge);
      await bringIn();
    },
    isDue: () => next !== null && next <= now().getTime(),
    isLeft: () => next !== null,
    due: () => (next === null ? null : cut ? 0 : Math.max(0, next - now().getTime())),
    onLateEdit: (handler) => void (merge = handler),
  };
}

/** A merge is a change of its own, so they come one after another. One that fails is tried again, and theirs stays where it is. */
async function mergeAll(
  { tries }: Shelf,
  late: InTheWay[],
  merge: (edit: LateEdit) => Promise<unknown>,
): Promise<void> {
  for (const { edit, settled } of late)
    try {
      await merge(edit);
      settled();
    } catch {
      tries.failed(edit.path!, false);
    }
}
