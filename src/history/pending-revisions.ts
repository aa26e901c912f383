/** Pending revisions: small ones are one file each, until somebody who holds the vault's lock flushes many of them into the history at once (decision 16). */

import { attempt, codeOf } from "../notebook/system-errors.ts";
import type { Head, Made } from "./commits.ts";
import { readFile, type Repo } from "./loose.ts";
import {
  bytesIn,
  NAMES_LIMIT,
  openPendingView,
  readingFirst,
  RECORD_NAME,
  type PendingView,
} from "./pending-view.ts";
import { decodeRecord, encodeRecord, RECORD_LIMIT } from "./revision-record.ts";
import type { Staged } from "./keeping.ts";
import { stageObjects, type Written } from "./stage.ts";
import type { ReadObject } from "./trees.ts";
import { finishStaged, isStaged, PENDING, stagedName } from "./unfinished.ts";

/** This many revisions, or this many bytes of objects, are flushed without waiting for a quiet moment. */
const COUNT_LIMIT = 32;
const BYTES_LIMIT = 8 * 1024 * 1024;

/** Only inside the vault's lock, but for `head` and `read`. */
export type PendingRevisions = {
  /** The newest revision, pending or not. */
  head(): Promise<Head>;
  /** Pending objects, else those of the history. */
  read: ReadObject;
  /**
   * Begins a revision, which counts once it is `set`: a small one as one file, a large one as objects and a ref, after what was pending before it.
   * `large`: most of it is in packs already.
   */
  stage(made: Made, size?: "large"): Promise<Staged>;
  /** Puts what is pending into the history; false where nothing was. */
  flush(): Promise<boolean>;
  /** Makes revisions count whose writer died when their notes were in place, and drops those whose notes never were. */
  finish(): Promise<void>;
  any(): boolean;
  /** Whether so much is pending that it should be flushed at once. */
  full(): boolean;
  /** The ref was put elsewhere: what was read on top of it does not count any more. */
  forget(): void;
  /** Since this was last asked. */
  written(): Written;
};

/** `flushing: false` where nobody flushes: then every revision is put into the history at once. */
export function openPendingRevisions(
  repo: Repo,
  stored: ReadObject,
  { flushing }: { flushing: boolean },
): PendingRevisions {
  const view = openPendingView(repo, stored);
  let written: Written = { bytes: 0, packs: 0 };

  const any = (): boolean => view.last().names.length > 0;
  const full = (): boolean =>
    view.last().names.length >= COUNT_LIMIT || bytesIn(view.last().objects) > BYTES_LIMIT;

  async function stageAtOnce(made: Made): Promise<Staged> {
    await flush();
    const staged = await stageObjects(repo, made.parent, made.head.id!, made.objects);
    return { set: () => staged.set().then(() => count(staged.written)), drop: staged.drop };
  }

  function count({ bytes, packs }: Written): void {
    written = { bytes: written.bytes + bytes, packs: written.packs + packs };
  }

  async function flush(): Promise<boolean> {
    const { base, head, objects } = await view.look();
    const files = view.files();
    if (files.length === 0) return false;
    if (head.id !== base) {
      const staged = await stageObjects(repo, base, head.id!, [...objects.values()]);
      try {
        await staged.set();
      } catch (error) {
        staged.drop();
        throw error;
      }
      count(staged.written);
    }
    // Also what is damaged or joins nothing, and what a process that died was about to write.
    for (const name of files) attempt(() => repo.disk.unlink(`${repo.dir}/${PENDING}/${name}`));
    view.set({ base: head.id, names: [], head, objects: new Map() });
    return head.id !== base;
  }

  return {
    head: async () => (await view.look()).head,
    read: (id) => readingFirst(view.last().objects, stored)(id),
    async stage(made, size) {
      const record = flushing && size !== "large" && !full() ? await stageRecord(repo, view, made) : null;
      return record ?? stageAtOnce(made);
    },
    flush,
    async finish() {
      const left = view.files().filter(isStaged).slice(0, NAMES_LIMIT);
      if (left.length === 0) return;
      const { head, objects } = await view.look();
      const read = readingFirst(objects, stored);
      const decode = async (name: string) => {
        const bytes = readFile(repo, `${PENDING}/${name}`, 2 * RECORD_LIMIT);
        return bytes && (await decodeRecord(bytes, read));
      };
      await finishStaged({ repo, head, read, decode }, left);
    },
    any,
    full,
    forget: view.forget,
    written() {
      const since = written;
      written = { bytes: 0, packs: 0 };
      return since;
    },
  };
}

/** A revision as one file; null where it is too large for that. */
async function stageRecord(
  { disk, dir, durable }: Repo,
  view: PendingView,
  made: Made,
): Promise<Staged | null> {
  const bytes = encodeRecord(made.objects);
  if (bytes === null || bytes.length > RECORD_LIMIT) return null;
  const before = view.last().head.id === made.parent ? view.last() : await view.look();
  const number = Number(RECORD_NAME.exec(before.names.at(-1) ?? "")?.[1] ?? "0") + 1;
  const name = `${String(number).padStart(8, "0")}-${made.head.id}`;
  const folder = `${dir}/${PENDING}`;
  const temporary = `${folder}/${stagedName(name)}`;
  const create = (): void => disk.create(temporary, bytes, { mode: "own", durable: false });
  try {
    create();
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    disk.makeFolder(folder, { durable: false });
    create();
  }
  const flushed = durable ? disk.flush([temporary]) : Promise.resolve();
  flushed.catch(() => {});
  return {
    async set() {
      await flushed;
      disk.rename(temporary, `${folder}/${name}`);
      for (const object of made.objects) before.objects.set(object.id, object);
      view.set({ ...before, names: [...before.names, name], head: made.head });
    },
    drop: () => void attempt(() => disk.unlink(temporary)),
  };
}
