/** A history, wherever it is kept: recording, the first recording, and the past. */

import type { Draft, History, Ledger, NoteStore, Revision } from "../notebook/parts.ts";
import { codeOf } from "../notebook/system-errors.ts";
import { isDamage } from "./damage.ts";
import { openFirstRecording } from "./first-recording.ts";
import { sha1 } from "./hashing.ts";
import type { Keeping } from "./keeping.ts";
import { openPast } from "./past.ts";
import { openRecorder, type Recorder } from "./recorder.ts";
import { openTrees } from "./trees.ts";

export type HistoryOptions = {
  ledger: Ledger;
  /** Under whose name edits by other programs are recorded. */
  outsideAuthor: string;
  /** What there is to record, where the history was taken away under us and begins anew. */
  notes?: NoteStore;
};
/** What is done beside it by whoever keeps it. */
export type Beside = {
  /** After each revision. */
  recorded(): void;
  /** After the first recording. */
  caughtUp(): void;
};

/** `flush` puts what is pending in order, inside the lock. Closing ends a first recording that is under way. */
export function openHistory(
  keeping: Keeping,
  options: HistoryOptions,
  beside: Beside = { recorded: () => undefined, caughtUp: () => undefined },
): History & Pick<Recorder, "flush"> {
  const { ledger, outsideAuthor } = options;
  const trees = openTrees(keeping.read, sha1);
  const recorder = openRecorder({ keeping, trees, sha1, ledger, outsideAuthor });
  const { known, ...past } = openPast(ledger, keeping.head, keeping.read);
  const first = openFirstRecording({ keeping, trees, recorder, ledger, known, outsideAuthor });
  const closing = new AbortController();
  let unfinished: string | null = null;

  const noticed = (draft: Draft | null): Draft | null =>
    draft && { seal: () => draft.seal().finally(beside.recorded), drop: draft.drop };

  async function catchUp(store: NoteStore, date: Date, signal?: AbortSignal): Promise<Revision | null> {
    const revision = await first.record(store, date, signal);
    if (revision) beside.recorded();
    unfinished = null;
    beside.caughtUp();
    return revision;
  }

  return {
    ...past,
    async prepare(changes, info) {
      if (options.notes && keeping.isAnother())
        await first.recordAnew(options.notes, info.date, closing.signal).catch(() => {});
      return noticed(await recorder.prepare(changes, info));
    },
    prepareOutside: async (seen, how) => noticed(await recorder.prepareOutside(await first.due(seen), how)),
    version: recorder.version,
    catchUp: (store, date, signal) =>
      catchUp(store, date, signal)
        .catch(async (error: unknown) => {
          if (!isDamage(error)) throw error;
          await store.alone(recorder.repaired);
          return catchUp(store, date, signal);
        })
        .catch((error: unknown) => {
          // Nothing is lost: until then a note is recorded as it was when it is first touched.
          if (!signal?.aborted) unfinished = codeOf(error) ?? "unexpected";
          return null;
        }),
    flush: recorder.flush,
    troubles: () => [
      ...recorder.troubles(),
      ...(unfinished === null ? [] : [`Not every note could be recorded as it was found (${unfinished}).`]),
    ],
    async close() {
      closing.abort();
    },
  };
}
