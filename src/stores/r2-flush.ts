/** Flushing: what was decided in rows is brought into the bucket, a bounded part at a time: texts that wait, objects that are to go, and copies (decision 30). */

import { blobId } from "../disk/hash.ts";
import type { LateEdit } from "../notebook/late-edit.ts";
import type { FilePath, NotePath } from "../notebook/paths.ts";
import { conflictName } from "../notebook/vault-path.ts";
import { keyOf, STAGED } from "./bucket.ts";
import { flushCopies } from "./r2-copies.ts";
import { fetched, isLeftOver, placedOrNot, type Shelf } from "./r2-place.ts";
import { FIRST_MS } from "./r2-tries.ts";

/** Calls to the bucket after which a flush begins nothing more: a request and an alarm may make only so many. */
const FLUSH_CALLS = 200;
/** Calls to the bucket that are under way at once: more would wait for each other. */
const TOGETHER = 6;
/** `again`: there is more to do, and nothing was refused. */
export type Outcome = "done" | "again" | "too soon";
export type Work = { path: string; work(): Promise<Outcome> };
/** Does some work, a little of it at once: whether all of it is done. What fails is done later. */
export type Together = (work: readonly Work[]) => Promise<boolean>;

/** Another program's text that lies where ours is to go. Ours is refused there until it is `settled`: theirs is kept by then. */
export type InTheWay = { edit: LateEdit; settled(): void };

/** `wait`: milliseconds until it is worth while to go on; null where nothing is left. */
export type Flushed = { wait: number | null; late: InTheWay[] };

/** Puts everything in its place, as far as it can. Only inside the lock. */
export async function flush(shelf: Shelf): Promise<Flushed> {
  const { files, tries, calls } = shelf;
  const first = calls();
  let [all, again, cut] = [true, false, false];
  const trying = async ({ path, work }: Work): Promise<boolean> => {
    if (!tries.isDue(path)) return false;
    if (calls() - first >= FLUSH_CALLS) {
      cut = true;
      return false;
    }
    try {
      const outcome = await work();
      if (outcome === "done") tries.done(path);
      if (outcome === "too soon") tries.failed(path, true);
      again ||= outcome === "again";
      return outcome === "done";
    } catch {
      tries.failed(path, false);
      return false;
    }
  };
  const together: Together = async (work) => {
    let done = true;
    for (let from = 0; from < work.length; from += TOGETHER) {
      const some = await Promise.all(work.slice(from, from + TOGETHER).map(trying));
      done = done && some.every(Boolean);
    }
    all &&= done;
    return done;
  };
  if (!(await flushCopies(shelf, together))) {
    all = false;
    again ||= files.copies().some(({ path }) => !files.isSource(path) && tries.isDue(path));
  }
  const late: InTheWay[] = [];
  const work: Work[] = [
    ...files.waiting().map((path) => ({
      path,
      work: () => flushText(shelf, path, (met) => void late.push(met)),
    })),
    ...files.removed().map(({ path, etag }) => ({ path, work: () => flushRemoval(shelf, path, etag) })),
  ];
  // The bytes of a file that is on its way still lie there.
  const free = work.filter(({ path }) => !files.isSource(path));
  await together(free);
  if (all && free.length === work.length) {
    tries.clear();
    return { wait: null, late };
  }
  return { wait: cut ? 0 : again ? FIRST_MS : Math.max(FIRST_MS, tries.soonest() ?? 0), late };
}

async function flushText(shelf: Shelf, path: string, late: (met: InTheWay) => void): Promise<Outcome> {
  const { files, tries } = shelf;
  const row = files.get(path);
  if (!row?.waiting) {
    files.dropText(path);
    return "done";
  }
  const inPlace = (etag: string): Outcome => {
    files.transaction(() => {
      files.put({ ...row, etag, base: row.version, waiting: 0 });
      files.dropText(path);
      tries.settled(path);
    });
    return "done";
  };
  const at = { etag: row.etag, modified: new Date(row.modified) };
  const placed = await placedOrNot(shelf, path, files.text(path), at).catch((failure: unknown) => ({
    failure,
  }));
  if (placed === "too soon") return "too soon";
  if (placed !== "other") {
    if ("etag" in placed) return inPlace(placed.etag);
    tries.touched(path);
    throw placed.failure;
  }
  const there = await fetched(shelf, path);
  const theirs = there?.bytes ? blobId(there.bytes) : "";
  // A put of ours may have been done although it failed: of this text, or of one that it replaces.
  if (there && theirs === row.version) return inPlace(there.etag);
  const settled = (): void => {
    const now = files.get(path);
    if (now?.waiting && now.etag === row.etag) files.put({ ...now, etag: there?.etag ?? "", base: theirs });
  };
  if (!there?.bytes) {
    // What is too large to be merged stays; ours waits beside it.
    if (there) throw new Error("another program's text is too large to be read");
    settled();
  } else if (theirs === row.base || tries.isLeft(path, theirs)) settled();
  else
    late({
      edit: {
        path: path as FilePath,
        base: row.base,
        bytes: there.bytes,
        copy: conflictName(path, theirs, (copy) => files.get(copy)?.version ?? null) as NotePath,
      },
      settled,
    });
  return "again";
}

/** R2 removes whatever is there, so it is looked at just before. What another program has put there since stays. */
async function flushRemoval(shelf: Shelf, path: string, etag: string): Promise<Outcome> {
  const { bucket, workspace, files, tries, seen } = shelf;
  const key = keyOf(workspace, path);
  const there = await bucket.head(key);
  const isTheirs =
    there && there.etag !== etag && !path.startsWith(STAGED.root) && !(await isLeftOver(shelf, path, there));
  if (there && !isTheirs) await bucket.delete(key);
  files.transaction(() => {
    files.dropRemoved(path);
    tries.settled(path);
    if (!isTheirs || files.get(path)) return;
    const { size, uploaded } = there;
    const modified = uploaded.getTime();
    files.put({ path, etag: there.etag, base: "", version: "", modified, size, waiting: 0 });
  });
  if (isTheirs) void seen([path]);
  return "done";
}
