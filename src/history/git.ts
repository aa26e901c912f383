/** History in real git objects: a bare repository in the vault, written by us, which plain git can log, show, diff, fsck and clone. */

import { codeOf, diskError } from "../disk/calls.ts";
import { attempt, type Disk } from "../disk/files.ts";
import { NoteError } from "../markdown/errors.ts";
import type { History, Ledger, NoteStore, PendingEdits, Revision } from "../notebook/parts.ts";
import type { FilePath } from "../notebook/paths.ts";
import { findUnrecorded, lookAt, readable } from "./catch-up.ts";
import type { Head } from "./commits.ts";
import { isDamage, nullIfDamaged } from "./damage.ts";
import { draftOutside, type Content, type States } from "./drafts.ts";
import { followHead } from "./follow.ts";
import { findGit, looseBytes, oddEntry, removeStalePacks, repack } from "./gc.ts";
import { readHead, readLoose, type Repo } from "./loose.ts";
import { isId } from "./objects.ts";
import { openOwed } from "./owed.ts";
import { openPacks, packNames } from "./pack.ts";
import { openRecorder } from "./recorder.ts";
import { examine, setAsideBefore } from "./repository.ts";
import { openTrees } from "./trees.ts";

export type GitOptions = {
  ledger: Ledger;
  /** What other programs changed and is not recorded yet; left out where nobody looks after it. */
  pending?: PendingEdits;
  durability: "full" | "fast";
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
};

export const HISTORY = ".notewright/history.git";
const LOOSE_LIMIT = 50 * 1024 * 1024;
/** So many packs are put together; a change of many notes makes one, a first recording one for every 8 MB. */
const PACK_LIMIT = 50;
/** What is owed is put in when nothing has been recorded for so long. */
const IDLE_MS = 100;

/** Nothing is written before the first revision is: opening only looks. */
export function openGit(disk: Disk, options: GitOptions): GitHistory {
  const { ledger, outsideAuthor, now, looseLimit = LOOSE_LIMIT } = options;
  const repo: Repo = { disk, dir: HISTORY, durable: options.durability === "full" };
  const packs = openPacks(repo);
  const stored = async (id: string) =>
    (await packs.read(id)) ?? (await readLoose(repo, id)) ?? (await packs.readAnew(id));
  const owed = openOwed(repo, stored);
  const { read } = owed;
  const trees = openTrees(read);
  const { alone } = options;
  const recorder = openRecorder({ repo, stored, owed, trees, ledger, owing: alone !== undefined });
  const closing = new AbortController();
  let following: Promise<void> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let settling: Promise<void> = Promise.resolve();
  let tidying: Promise<boolean> | undefined;
  let unpacked = 0;
  let morePacks = 0;
  let unfinished: string | null = null;
  let inTheWay: string | null = null;
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
    const git = findGit(disk.root);
    const safe = disk.look(`${HISTORY}/objects/info/alternates`) === null;
    if (git === null || !safe) return false;
    inTheWay = await oddEntry(repo);
    return inTheWay === null && (await repack(repo, git, head, closing.signal));
  }

  function noticeGrowth(): void {
    const { bytes, packs } = recorder.written();
    unpacked += bytes;
    morePacks += packs;
    if (unpacked < looseLimit && morePacks < PACK_LIMIT) return;
    unpacked = 0;
    morePacks = 0;
    void tidy();
  }

  async function catchUp(store: NoteStore, date: Date, signal?: AbortSignal): Promise<Revision | null> {
    if ((await known()).whole()) return recordPending(store, date);
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
      const draft = draftOutside(states, { date, outsideAuthor, message });
      const drafts = [states === found ? { ...draft, tree: found.tree } : draft];
      return { made: await recorder.commit(drafts, date, found.inPack) };
    });
    if (done === null) throw diskError("ENOENT", "The vault or our folder in it is gone.");
    const { made } = done;
    if (made) recorder.tell(made);
    await known();
    ledger.setWhole(true);
    await recordPending(store, date);
    unfinished = null;
    void tidy();
    return made?.revisions[0] ?? null;
  }

  /** What was seen before a crash and not recorded: by then the index took it for known. */
  async function recordPending(store: NoteStore, date: Date): Promise<Revision | null> {
    if (!options.pending || options.pending.all().length === 0) return null;
    return store.alone(async () => {
      const seen: { path: FilePath; after: Content | null }[] = [];
      const paths = options.pending!.all().map(({ path }) => path);
      for (const path of paths) {
        const after = await lookAt(store, path);
        if (after !== undefined) seen.push({ path, after });
      }
      const revision = await recorder.recordOutside(seen, { date, outsideAuthor });
      options.pending!.drop(paths);
      return revision;
    });
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
    async record(changes, message, who, date, write = async () => {}, alongside) {
      const said = { message, who, date, outsideAuthor };
      if (recorder.isAnother()) await recordAnew(date).catch(() => {});
      const revision = await recorder.record(changes, said, write, alongside);
      noticeGrowth();
      settleLater();
      return revision;
    },
    pend: (paths, date) => options.pending?.add(paths, date),
    async recordOutside(seen, date) {
      // A note that a first recording will come to is left to it; recorded one by one they would be too many files.
      let whole = true;
      attempt(() => (whole = wasWhole ||= ledger.whole()));
      const due: { path: FilePath; after: Content | null }[] = [];
      for (const { path, after } of seen) {
        if (whole || (await recordedBefore(path))) due.push({ path, after });
        else seenLate.add(path);
      }
      const revision = due.length === 0 ? null : await recorder.recordOutside(due, { date, outsideAuthor });
      options.pending?.drop(seen.map(({ path }) => path));
      noticeGrowth();
      return revision;
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
    tidy,
    settle,
    troubles: () => [
      ...setAsideBefore(repo).map((name) => `A damaged history was set aside as "${name}".`),
      ...recorder.troubles(),
      ...(inTheWay === null
        ? []
        : [
            `The history's folder holds ${JSON.stringify(inTheWay)}, which is no file. It is not followed, and the history is not packed while it is there.`,
          ]),
      ...(unfinished === null ? [] : [`Not every note could be recorded as it was found (${unfinished}).`]),
    ],
    async close() {
      await settle();
      closing.abort();
      await tidying;
      packs.close();
    },
  };

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
