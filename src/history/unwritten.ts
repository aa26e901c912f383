/** Unwritten revisions: those that could not be written stay pending, in memory, until they can be (decision 16). */

import { attempt } from "../notebook/system-errors.ts";
import type { Change } from "../notebook/change.ts";
import type { Ledger, RevisionInfo } from "../notebook/parts.ts";

/** More revisions than these are still recorded, but as somebody else's edits. */
const LIMIT = 100;

type Revision = { changes: readonly Change[]; info: RevisionInfo };

export type Unwritten = {
  count(): number;
  /** A revision that could not be written now. */
  add(revision: Revision): Promise<void>;
  /** The oldest, with those of its changes that can still be recorded as they were planned; null where there is none. */
  first(): Promise<Revision | null>;
  /** The oldest has been dealt with. */
  drop(): void;
  /** Something could not be recorded that is not kept here: the next process looks for it. */
  forget(): void;
};

/** `held` gives the version that the newest revision holds. */
export function openUnwritten(ledger: Ledger, held: (path: string) => Promise<string | null>): Unwritten {
  /** Beside each revision what the head held where it would have changed something. */
  let queue: (Revision & { before: Map<string, string | null> })[] = [];
  /** The ledger knows that something is missing; `forgotten` where that is not in the queue. */
  let lapsed = false;
  let forgotten = false;

  // What is in memory goes with the process. The next one then looks for what is missing, as it does the first time.
  function lapse(): void {
    attempt(() => {
      if (!ledger.whole()) return;
      ledger.setWhole(false);
      lapsed = true;
    });
  }

  return {
    count: () => queue.length,
    async add({ changes, info }) {
      const before = new Map<string, string | null>();
      try {
        for (const { path, from } of changes) before.set(from ?? path, await held(from ?? path));
      } catch {
        // The history cannot even be read: what is missing will be recorded as found.
      }
      queue.push({ changes, info, before });
      forgotten ||= queue.length > LIMIT;
      queue = queue.slice(-LIMIT);
      lapse();
    },
    async first() {
      const oldest = queue[0];
      if (!oldest) {
        if (lapsed && !forgotten) lapsed = !attempt(() => ledger.setWhole(true));
        return null;
      }
      // It is recorded as it was planned while the head holds what it held then, or what an earlier one has just put there.
      const changes: Change[] = [];
      for (const change of oldest.changes) {
        const place = change.from ?? change.path;
        const now = await held(place);
        if (now === oldest.before.get(place) || now === (change.before?.version ?? null))
          changes.push(change);
      }
      return { changes, info: oldest.info };
    },
    drop: () => void queue.shift(),
    forget() {
      forgotten = true;
      lapse();
    },
  };
}
