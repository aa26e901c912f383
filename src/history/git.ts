/** History in real git objects: a bare repository in the vault, written by us, which plain git can log, show, diff, fsck and clone. */

import type { Disk } from "../disk/files.ts";
import type { History } from "../notebook/parts.ts";
import { folderKeeping } from "./folder-keeping.ts";
import { openHistory, type HistoryOptions } from "./history.ts";
import { readLoose, type Repo } from "./loose.ts";
import { otherLines } from "./other-lines.ts";
import { openPendingRevisions, type PendingRevisions } from "./pending-revisions.ts";
import { openPacks } from "./pack.ts";
import { openPacking } from "./packing.ts";
import { setAsideBefore } from "./repository.ts";

export type GitOptions = HistoryOptions & {
  durability: "full" | "fast";
  /** The folder of the history on its disk; that in a vault where it is left out. */
  dir?: string;
  /** The vault, where the history is not in it. */
  vault?: string;
  now(): Date;
  /** Loose objects are packed by the git program once they take more than this. */
  looseLimit?: number;
  /** Runs work inside the vault's lock. Where it is given, small revisions are pending until nobody has made any for a moment. */
  alone?: (work: () => Promise<void>) => Promise<unknown>;
  /** That moment, in milliseconds; for tests. */
  idle?: number;
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
  const { ledger, alone } = options;
  const repo: Repo = { disk, dir: options.dir ?? HISTORY, durable: options.durability === "full" };
  const packs = openPacks(repo);
  const stored = async (id: string) =>
    (await packs.read(id)) ?? (await readLoose(repo, id)) ?? (await packs.readAnew(id));
  const pending = openPendingRevisions(repo, stored, { flushing: alone !== undefined });
  const packing = openPacking(repo, options);
  const noticeGrowth = (): void => packing.grown(pending.written());
  const { flush, ...history } = openHistory(folderKeeping(repo, { stored, pending, ledger }), options, {
    recorded() {
      noticeGrowth();
      flushing?.soon();
    },
    caughtUp: () => void packing.tidy(),
  });
  const flushing =
    alone && openFlushing({ idle: IDLE_MS, ...options, alone }, pending, () => flush().then(noticeGrowth));

  return {
    ...history,
    tidy: packing.tidy,
    flushRevisions: async () => flushing?.now(),
    troubles: () => [
      ...setAsideBefore(repo).map((name) => `A damaged history was set aside as "${name}".`),
      ...history.troubles(),
      ...packing.troubles(),
      ...otherLines(repo).map((ref) => otherLineSentence(repo, ref)),
    ],
    async close() {
      await flushing?.now();
      await history.close();
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
