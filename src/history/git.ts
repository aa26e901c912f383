/** History in real git objects: a bare repository in the vault, written by us, which plain git can log, show, diff, fsck and clone. */

import { codeOf } from "../notebook/system-errors.ts";
import type { Disk } from "../disk/files.ts";
import type { Draft, History, Ledger, NoteStore, Revision } from "../notebook/parts.ts";
import { isDamage } from "./damage.ts";
import { openFirstRecording } from "./first-recording.ts";
import { sha1 } from "./hashing.ts";
import { readLoose, type Repo } from "./loose.ts";
import { otherLines } from "./other-lines.ts";
import { openPendingRevisions, type PendingRevisions } from "./pending-revisions.ts";
import { openPacks } from "./pack.ts";
import { openPacking } from "./packing.ts";
import { openPast } from "./past.ts";
import { openRecorder } from "./recorder.ts";
import { setAsideBefore } from "./repository.ts";
import { openTrees } from "./trees.ts";

export type GitOptions = {
  ledger: Ledger;
  durability: "full" | "fast";
  /** The folder of the history on its disk; that in a vault where it is left out. */
  dir?: string;
  /** The vault, where the history is not in it. */
  vault?: string;
  /** Under whose name edits by other programs are recorded. */
  outsideAuthor: string;
  now(): Date;
  /** Loose objects are packed by the git program once they take more than this. */
  looseLimit?: number;
  /** Runs work inside the vault's lock. Where it is given, small revisions are pending until nobody has made any for a moment. */
  alone?: (work: () => Promise<void>) => Promise<unknown>;
  /** That moment, in milliseconds; for tests. */
  idle?: number;
  /** What there is to record, where the history was taken away under us and begins anew. */
  notes?: NoteStore;
};
export type GitHistory = History & {
  /** Packs loose objects where they have grown too large and git is there; true where it did. */
  tidy(): Promise<boolean>;
  /** Puts pending revisions into the history now, as far as it can. Takes the lock itself. */
  flushRevisions(): Promise<void>;
};

export const HISTORY = ".notewright/history.git";
/** Pending revisions are flushed when nothing has been recorded for so long. */
const IDLE_MS = 100;

/** Nothing is written before the first revision is: opening only looks. */
export function openGit(disk: Disk, options: GitOptions): GitHistory {
  const { ledger, outsideAuthor, alone } = options;
  const repo: Repo = { disk, dir: options.dir ?? HISTORY, durable: options.durability === "full" };
  const packs = openPacks(repo);
  const stored = async (id: string) =>
    (await packs.read(id)) ?? (await readLoose(repo, id)) ?? (await packs.readAnew(id));
  const pending = openPendingRevisions(repo, stored, { flushing: alone !== undefined });
  const trees = openTrees(pending.read, sha1);
  const recorder = openRecorder({ repo, stored, pending, trees, sha1, ledger, outsideAuthor });
  const { known, ...past } = openPast(ledger, pending.head, pending.read);
  const first = openFirstRecording({ repo, trees, recorder, ledger, known, outsideAuthor });
  const packing = openPacking(repo, options);
  const noticeGrowth = (): void => packing.grown(pending.written());
  const flushing =
    alone &&
    openFlushing({ idle: IDLE_MS, ...options, alone }, pending, () => recorder.flush().then(noticeGrowth));
  const closing = new AbortController();
  let unfinished: string | null = null;

  function afterRecording(): void {
    noticeGrowth();
    flushing?.soon();
  }

  const noticed = (draft: Draft | null): Draft | null =>
    draft && { seal: () => draft.seal().finally(afterRecording), drop: draft.drop };

  async function catchUp(store: NoteStore, date: Date, signal?: AbortSignal): Promise<Revision | null> {
    const revision = await first.record(store, date, signal);
    if (revision) afterRecording();
    unfinished = null;
    void packing.tidy();
    return revision;
  }

  return {
    ...past,
    async prepare(changes, info) {
      if (options.notes && recorder.isAnother())
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
    tidy: packing.tidy,
    flushRevisions: async () => flushing?.now(),
    troubles: () => [
      ...setAsideBefore(repo).map((name) => `A damaged history was set aside as "${name}".`),
      ...recorder.troubles(),
      ...packing.troubles(),
      ...otherLines(repo).map((ref) => otherLineSentence(repo, ref)),
      ...(unfinished === null ? [] : [`Not every note could be recorded as it was found (${unfinished}).`]),
    ],
    async close() {
      await flushing?.now();
      closing.abort();
      await packing.close();
      packs.close();
    },
  };
}

const otherLineSentence = (repo: Repo, ref: string): string =>
  `Another computer wrote to this history as well. Its revisions are kept as ${ref}, and nothing of them is merged: ` +
  `git --git-dir ${repo.dir} log ${ref} lists them. Keep the history out of what is synced (--history-dir).`;

/** When pending revisions are flushed: soon where nothing more is recorded meanwhile, at once where much is pending already. */
function openFlushing(
  { alone, idle }: Required<Pick<GitOptions, "alone" | "idle">>,
  pending: PendingRevisions,
  flush: () => Promise<void>,
): { soon(): void; now(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<unknown> = Promise.resolve();
  // Where others hold the lock or the disk fails, nothing is lost by waiting for the next revision, or the next process.
  const begin = (): void => void (flushing = alone(flush).catch(() => {}));
  return {
    soon() {
      if (!pending.any()) return;
      clearTimeout(timer);
      timer = setTimeout(begin, pending.full() ? 0 : idle);
      timer.unref();
    },
    async now() {
      clearTimeout(timer);
      await flushing;
      if (pending.any()) begin();
      await flushing;
    },
  };
}
