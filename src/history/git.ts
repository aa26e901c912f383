/** History in real git objects: a bare repository in the vault, written by us, which plain git can log, show, diff, fsck and clone. */

import { codeOf, diskError } from "../notebook/system-errors.ts";
import { attempt, type Disk } from "../disk/files.ts";
import { NoteError } from "../markdown/errors.ts";
import type { History, Ledger, NoteStore, PendingEdits, Revision } from "../notebook/parts.ts";
import type { FilePath } from "../notebook/paths.ts";
import { findUnrecorded, readable } from "./catch-up.ts";
import type { Head } from "./commits.ts";
import { isDamage, nullIfDamaged } from "./damage.ts";
import { draftOutside, type Content, type States } from "./drafts.ts";
import { followHead } from "./follow.ts";
import { readLoose, type Repo } from "./loose.ts";
import { isId } from "./objects.ts";
import { otherLines } from "./other-lines.ts";
import { openOwed } from "./pending-revisions.ts";
import { openPacks } from "./pack.ts";
import { openPacking } from "./packing.ts";
import { openQueue, TIMINGS, type Timings } from "./pending-edits.ts";
import { openRecorder } from "./recorder.ts";
import { setAsideBefore } from "./repository.ts";
import { openTrees } from "./trees.ts";

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
  /** Runs work inside the vault's lock. Where it is given, small revisions are owed, and put in when nobody has made any for a moment. */
  alone?: (work: () => Promise<void>) => Promise<unknown>;
  /** What there is to record, where the history was taken away under us and begins anew. */
  notes?: NoteStore;
};
export type GitHistory = History & {
  /** Packs loose objects where they have grown too large and git is there; true where it did. */
  tidy(): Promise<boolean>;
  /** Puts in what is owed now, as far as it can. Takes the lock itself. */
  settle(): Promise<void>;
  /** Records what has been pending for long enough, as is done by itself. */
  flushDue(): Promise<void>;
};

export const HISTORY = ".notewright/history.git";
/** What is owed is put in when nothing has been recorded for so long. */
const IDLE_MS = 100;

/** So long what is pending may take at the end: a process whose client is gone must end. */
const CLOSING_MS = 1000;

const isDamaged = (error: unknown): false => {
  if (!isDamage(error)) throw error;
  return false;
};

/** Nothing is written before the first revision is: opening only looks. */
export function openGit(disk: Disk, options: GitOptions): GitHistory {
  const { ledger, outsideAuthor, now } = options;
  const repo: Repo = { disk, dir: options.dir ?? HISTORY, durable: options.durability === "full" };
  const packs = openPacks(repo);
  const stored = async (id: string) =>
    (await packs.read(id)) ?? (await readLoose(repo, id)) ?? (await packs.readAnew(id));
  const owed = openOwed(repo, stored);
  const { read } = owed;
  const trees = openTrees(read);
  const { alone, pending } = options;
  const recorder = openRecorder({ repo, stored, owed, trees, ledger, owing: alone !== undefined });
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
  const packing = openPacking(repo, options);
  const closing = new AbortController();
  let following: Promise<void> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let settling: Promise<void> = Promise.resolve();
  let unfinished: string | null = null;
  /** Once it was, what fails now is missing for a moment only, and the rest goes on. */
  let wasWhole = false;
  /** Notes seen while a first recording reads the others: it may have read them too early. */
  const seenLate = new Set<FilePath>();

  async function known(): Promise<Ledger> {
    // One after another: a walk that began before the newest commit does not know it.
    const earlier = following;
    following = (async () => {
      await earlier?.catch(() => {});
      // What cannot be read is mended by whoever next records; until then the ledger is what there is.
      const head = await owed.head().catch(nullIfDamaged);
      if (head) await followHead(head.id, read, ledger);
    })();
    await following;
    return ledger;
  }

  /** Soon where nothing more is recorded meanwhile, at once where much is owed already. */
  function settleLater(): void {
    if (!alone || !owed.any()) return;
    clearTimeout(idle);
    idle = setTimeout(settleNow, owed.full() ? 0 : IDLE_MS);
    idle.unref();
  }

  // Where others hold the lock or the disk fails, nothing is lost by waiting for the next revision, or the next process.
  function settleNow(): void {
    settling = alone!(recorder.settle).then(noticeGrowth, () => {});
  }

  async function settle(): Promise<void> {
    clearTimeout(idle);
    await settling;
    if (alone && owed.any()) settleNow();
    await settling;
  }

  /** The whole id of a revision, for the first digits of one. */
  async function resolved(id: string): Promise<string> {
    const prefix = id.toLowerCase();
    const found = /^[0-9a-f]{4,40}$/.test(prefix) ? (await known()).find(prefix) : [];
    if (found.length === 1) return found[0]!;
    throw new NoteError(
      "revision_missing",
      found.length > 1
        ? `More than one revision begins with ${prefix}. Give more of its digits.`
        : `There is no revision ${JSON.stringify(id.slice(0, 60))}. Give at least four hex digits of one that the history lists.`,
      { revision: id.slice(0, 60) },
    );
  }

  const noticeGrowth = (): void => packing.grown(recorder.written());
  const afterRecording = (): void => {
    noticeGrowth();
    settleLater();
  };

  async function catchUp(store: NoteStore, date: Date, signal?: AbortSignal): Promise<Revision | null> {
    if ((await known()).whole()) {
      await flushAll();
      return null;
    }
    await store.alone(recorder.ready);
    seenLate.clear();
    const start = await recorder.head();
    const found = await findUnrecorded(repo, trees, start.tree, store, signal);
    const done = await store.background(async () => {
      const head = await recorder.head();
      const states =
        head.id === start.id && seenLate.size === 0 ? found : await stillMissing(found, start, head, store);
      if (states.after.size === 0) return { made: null };
      const count = states.after.size;
      const message = `Record ${count === 1 ? "a note" : `${count} notes`} as found`;
      const draft = draftOutside(states, { date, outsideAuthor, message, dated: "when recorded" });
      const drafts = [states === found ? { ...draft, tree: found.tree } : draft];
      return { made: await recorder.commit(drafts, date, found.inPack) };
    });
    if (done === null) throw diskError("ENOENT", "The vault or our folder in it is gone.");
    const { made } = done;
    if (made) recorder.tell(made);
    await known();
    ledger.setWhole(true);
    await flushAll();
    unfinished = null;
    void packing.tidy();
    return made?.revisions[0] ?? null;
  }

  /** What was seen before a crash and not recorded, too: by then the index took it for known. */
  async function flushAll(): Promise<void> {
    await queue?.flush("all");
    queue?.begin();
    void packing.tidy();
  }

  async function recordNow(
    notes: readonly { path: FilePath; after: Content | null }[],
    date: Date,
    lastSeen: ReadonlyMap<string, string> = new Map(),
  ): Promise<Revision | null | false> {
    const revision = await recorder.recordOutside(notes, { date, outsideAuthor, lastSeen });
    noticeGrowth();
    return revision;
  }

  // Inside the lock, unlike a first recording: the change that is about to be made comes on top of all that was there before it.
  async function recordAnew(date: Date): Promise<void> {
    await recorder.ready();
    // Another process may have begun it anew already.
    if (!options.notes || (await known()).whole()) return;
    const { tree } = await recorder.head();
    const found = await findUnrecorded(repo, trees, tree, options.notes, closing.signal);
    if (found.after.size > 0) {
      const message = `Record ${found.after.size === 1 ? "a note" : `${found.after.size} notes`} as found`;
      const draft = { ...draftOutside(found, { date, outsideAuthor, message }), tree: found.tree };
      recorder.tell(await recorder.commit([draft], date, found.inPack));
    }
    await known();
    ledger.setWhole(true);
  }

  /** What was recorded since the reading began is newer than what was read; what was only seen since is read again. */
  async function stillMissing(found: States, start: Head, head: Head, store: NoteStore): Promise<States> {
    const since = head.id === start.id ? new Set<string>() : (await known()).touchedSince(start.id);
    const after = new Map<string, Content | null>(found.after);
    for (const path of seenLate) after.set(path, await readable(store, path));
    const states: States = { before: new Map(), after: new Map() };
    for (const [path, content] of after) {
      const version = await trees.version(head.tree, path);
      if (since.has(path) || version === (content?.version ?? null)) continue;
      states.before.set(path, version);
      states.after.set(path, content);
    }
    return states;
  }

  return {
    async prepare(changes, said) {
      if (recorder.isAnother()) await recordAnew(said.date).catch(() => {});
      const draft = await recorder.prepare(changes, { ...said, outsideAuthor });
      return draft && { seal: () => draft.seal().finally(afterRecording), drop: draft.drop };
    },
    pend: (paths, date) => queue && pending!.edits.add(paths, date),
    isPending: (path, { indexed }) => queue !== null && (!indexed || pending!.edits.has(path)),
    flush: async (path) => (path === undefined ? queue?.flushWhenStill() : queue?.flush(path)),
    flushDue: async () => queue?.flush("due"),
    async recordOutside(seen, date, how) {
      // A note that a first recording will come to is left to it; recorded one by one they would be too many files.
      let whole = true;
      attempt(() => (whole = wasWhole ||= ledger.whole()));
      const due: { path: FilePath; after: Content | null }[] = [];
      for (const { path, after } of seen) {
        if (whole || (await recordedBefore(path))) due.push({ path, after });
        else seenLate.add(path);
      }
      // A history that cannot be read is repaired by recording.
      if (queue && !how?.now && (await queue.saw(due, date).then(() => true, isDamaged))) return null;
      const revision = due.length === 0 ? null : await recordNow(due, date);
      if (queue && revision !== false) pending!.edits.drop(seen.map(({ path }) => path));
      return revision || null;
    },
    async catchUp(store, date, signal) {
      try {
        return await catchUp(store, date, signal).catch(async (error: unknown) => {
          if (!isDamage(error)) throw error;
          await store.alone(recorder.mended);
          return catchUp(store, date, signal);
        });
      } catch (error) {
        // Nothing is lost: until then a note is recorded as it was when it is first touched.
        if (!signal?.aborted) unfinished = codeOf(error) ?? "unexpected";
        return null;
      }
    },
    log: async (query) => (await known()).log(query),
    revision: async (id) => ledger.revision(await resolved(id)),
    async read(path, id) {
      const version = ledger.versionAt(path, await resolved(id));
      return version === null ? null : blob(version);
    },
    nameAt: async (path, id) => ledger.nameAt(path, await resolved(id)),
    movedTo: async (path) => (await known()).movedTo(path),
    blob,
    tidy: packing.tidy,
    settle,
    troubles: () => [
      ...setAsideBefore(repo).map((name) => `A damaged history was set aside as "${name}".`),
      ...recorder.troubles(),
      ...packing.troubles(),
      ...otherLines(repo).map(
        (ref) =>
          `Another computer wrote to this history as well. Its revisions are kept as ${ref}, and nothing of them is merged: ` +
          `git --git-dir ${repo.dir} log ${ref} lists them. Keep the history out of what is synced (--history-dir).`,
      ),
      ...(unfinished === null ? [] : [`Not every note could be recorded as it was found (${unfinished}).`]),
    ],
    async close() {
      queue?.close();
      await flushAtEnd();
      await settle();
      closing.abort();
      await packing.close();
      packs.close();
    },
  };

  // Where others hold the lock, or the vault is gone, what waits is left to whoever comes next.
  async function flushAtEnd(): Promise<void> {
    if (!queue) return;
    const ended = new Promise((done) => setTimeout(done, CLOSING_MS).unref());
    await Promise.race([queue.flushAtEnd().catch(() => {}), ended]);
  }

  async function recordedBefore(path: string): Promise<boolean> {
    try {
      return (await trees.version((await recorder.head()).tree, path)) !== null;
    } catch {
      return true;
    }
  }

  async function blob(version: string): Promise<Uint8Array | null> {
    const object = isId(version) ? await read(version) : null;
    return object?.kind === "blob" ? object.body : null;
  }
}
