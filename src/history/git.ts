/** History in real git objects: a bare repository in the vault, written by us, which plain git can log, show, diff, fsck and clone. */

import { codeOf } from "../notebook/system-errors.ts";
import type { Disk } from "../disk/files.ts";
import type { Content, History, Ledger, NoteStore, PendingEdits, Revision } from "../notebook/parts.ts";
import type { FilePath } from "../notebook/paths.ts";
import { atMost } from "../notebook/waiting.ts";
import { isDamage } from "./damage.ts";
import { openFirstRecording, type FirstRecording } from "./first-recording.ts";
import { readLoose, type Repo } from "./loose.ts";
import { otherLines } from "./other-lines.ts";
import { openPendingRevisions, type PendingRevisions } from "./pending-revisions.ts";
import { openPacks } from "./pack.ts";
import { openPacking } from "./packing.ts";
import { openPast } from "./past.ts";
import { openQueue, TIMINGS, type Queue, type Timings } from "../notebook/pending-edits.ts";
import { openRecorder, type Recorder } from "./recorder.ts";
import { setAsideBefore } from "./repository.ts";
import { openTrees, type Trees } from "./trees.ts";

export type GitOptions = {
  ledger: Ledger;
  /** What other programs save is left pending here until a note is quiet, where there is a lock to record it in; else it is recorded as it is seen. */
  pending?: {
    edits: PendingEdits;
    /** What is there now; undefined where it cannot be read. */
    look(path: FilePath): Promise<Content | null | undefined>;
    timings?: Partial<Timings>;
  };
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
  /** Records what has been pending for long enough, as is done by itself. */
  flushDue(): Promise<void>;
};

type Seen = { path: FilePath; after: Content | null };

export const HISTORY = ".notewright/history.git";
/** Pending revisions are flushed when nothing has been recorded for so long. */
const IDLE_MS = 100;

/** So long what is pending may take at the end: a process whose client is gone must end. */
const CLOSING_MS = 1000;

const isDamaged = (error: unknown): false => {
  if (!isDamage(error)) throw error;
  return false;
};

/** Nothing is written before the first revision is: opening only looks. */
export function openGit(disk: Disk, options: GitOptions): GitHistory {
  const { ledger, outsideAuthor, alone } = options;
  const repo: Repo = { disk, dir: options.dir ?? HISTORY, durable: options.durability === "full" };
  const packs = openPacks(repo);
  const stored = async (id: string) =>
    (await packs.read(id)) ?? (await readLoose(repo, id)) ?? (await packs.readAnew(id));
  const pending = openPendingRevisions(repo, stored, { flushing: alone !== undefined });
  const trees = openTrees(pending.read);
  const recorder = openRecorder({ repo, stored, pending, trees, ledger, outsideAuthor });
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

  const { queue, ...outside } = openOutside(options, { recorder, trees, first, afterRecording });

  /** What was seen before a crash and not recorded, too: by then the index took it for known. */
  async function catchUp(store: NoteStore, date: Date, signal?: AbortSignal): Promise<Revision | null> {
    const revision = await first.record(store, date, signal);
    if (revision) afterRecording();
    await queue?.flush("all");
    queue?.begin();
    unfinished = null;
    void packing.tidy();
    return revision;
  }

  return {
    ...past,
    async prepare(changes, said) {
      if (options.notes && recorder.isAnother())
        await first.recordAnew(options.notes, said.date, closing.signal).catch(() => {});
      const draft = await recorder.prepare(changes, said);
      return draft && { seal: () => draft.seal().finally(afterRecording), drop: draft.drop };
    },
    ...outside,
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
      queue?.close();
      // Where others hold the lock, or the vault is gone, what waits is left to whoever comes next.
      if (queue)
        await atMost(
          CLOSING_MS,
          queue.flushAtEnd().catch(() => {}),
        );
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

type OutsideParts = {
  recorder: Recorder;
  trees: Trees;
  first: FirstRecording;
  afterRecording(): void;
};

/** Edits by other programs: recorded when a note has been quiet for a while, where somebody keeps what is pending (decision 18). */
function openOutside(
  { pending, alone, now }: GitOptions,
  { recorder, trees, first, afterRecording }: OutsideParts,
): Pick<GitHistory, "pend" | "isPending" | "flush" | "flushDue" | "recordOutside"> & { queue: Queue | null } {
  async function recordNow(notes: readonly Seen[], date: Date, lastSeen?: ReadonlyMap<string, string>) {
    const revision = await recorder.recordOutside(notes, { date, ...(lastSeen ? { lastSeen } : {}) });
    afterRecording();
    return revision;
  }

  const queue =
    alone && pending
      ? openQueue({
          ...pending,
          alone,
          now,
          timings: { ...TIMINGS, ...pending.timings },
          held: async (path) => trees.version((await recorder.head()).tree, path),
          record: async (notes, lastSeen) => (await recordNow(notes, now(), lastSeen)) !== false,
        })
      : null;

  return {
    queue,
    pend: (paths, date) => queue && pending!.edits.add(paths, date),
    isPending: (path, { indexed }) => queue !== null && (!indexed || pending!.edits.has(path)),
    flush: async (path) => (path === undefined ? queue?.flushWhenStill() : queue?.flush(path)),
    flushDue: async () => queue?.flush("due"),
    async recordOutside(seen, date, how) {
      const due = await first.due(seen);
      // A history that cannot be read is repaired by recording.
      if (queue && !how?.now && (await queue.saw(due, date).then(() => true, isDamaged))) return null;
      const revision = due.length === 0 ? null : await recordNow(due, date);
      if (queue && revision !== false) pending!.edits.drop(seen.map(({ path }) => path));
      return revision || null;
    },
  };
}

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
