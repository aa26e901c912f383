/** Flushing: what was decided in rows is brought into the bucket: texts that wait, objects that are to go, and puts of which nobody knows how they ended (decision 30). */

import { blobId } from "../disk/hash.ts";
import type { LateEdit } from "../notebook/late-edit.ts";
import type { FilePath, NotePath } from "../notebook/paths.ts";
import { conflictName } from "../notebook/vault-path.ts";
import { isTooSoon, keyOf, metadataOf, onlyIfStill, STAGED, type Bucket } from "./bucket.ts";
import { isPointed } from "./r2-attachments.ts";
import { flushCopies } from "./r2-copies.ts";
import { isTooLarge, type Files } from "./r2-files.ts";

export type Shelf = {
  bucket: Bucket;
  workspace: string;
  files: Files;
  now(): Date;
  /** Takes the paths of notes that are found to be other than the index may know. */
  seen(paths: string[]): void;
};

/** `too soon`: the key was written to in this second. `other`: the object there is not the one that was expected. */
export type Placed = { etag: string } | "too soon" | "other";

/** One conditional put: on the tag that is known, or on there being nothing. */
export async function place(
  { bucket, workspace }: Shelf,
  path: string,
  bytes: Uint8Array,
  known: { etag: string; modified: Date },
): Promise<Placed> {
  try {
    const made = await bucket.put(keyOf(workspace, path), bytes, {
      onlyIf: onlyIfStill(known.etag),
      customMetadata: metadataOf(path, bytes, known.modified),
    });
    return made ? { etag: made.etag } : "other";
  } catch (error) {
    if (isTooSoon(error)) return "too soon";
    throw error;
  }
}

/** Calls to the bucket that are under way at once: more would wait for each other. */
const TOGETHER = 6;
/** Does some work, a little of it at once: whether all of it is done. What fails is reported, and done later. */
export type Together = (work: readonly (() => Promise<boolean>)[]) => Promise<boolean>;

/** What lies in the bucket now. */
export async function fetched(
  { bucket, workspace }: Shelf,
  path: string,
): Promise<{ etag: string; size: number; modified: number; bytes: Uint8Array | null } | null> {
  const object = await bucket.get(keyOf(workspace, path));
  if (!object) return null;
  const { etag, size, uploaded } = object;
  const bytes = isTooLarge(object) ? null : new Uint8Array(await object.arrayBuffer());
  if (bytes === null) await object.body.cancel();
  return { etag, size, modified: uploaded.getTime(), bytes };
}

/** Another program's text that lies where ours is to go. Ours is refused there until it is `settled`: theirs is kept by then. */
export type InTheWay = { edit: LateEdit; settled(): void };

/** Puts everything in its place, as far as it can. Only inside the lock. */
export async function flush(
  shelf: Shelf,
  report: (error: unknown) => void,
): Promise<{ all: boolean; late: InTheWay[] }> {
  let all = true;
  const trying = async (work: () => Promise<boolean>): Promise<boolean> => {
    try {
      const done = await work();
      all &&= done;
      return done;
    } catch (error) {
      all = false;
      report(error);
      return false;
    }
  };
  const together: Together = async (work) => {
    let done = true;
    for (let from = 0; from < work.length; from += TOGETHER) {
      const some = await Promise.all(work.slice(from, from + TOGETHER).map(trying));
      done = done && some.every(Boolean);
    }
    return done;
  };
  await trying(() => flushCopies(shelf, together));
  const late: InTheWay[] = [];
  await together([
    ...shelf.files.waiting().map((path) => () => flushText(shelf, path, (met) => void late.push(met))),
    ...shelf.files.removed().map(
      ({ path, etag }) =>
        () =>
          flushRemoval(shelf, path, etag),
    ),
  ]);
  return { all, late };
}

async function flushText(shelf: Shelf, path: string, late: (met: InTheWay) => void): Promise<boolean> {
  const { files } = shelf;
  const row = files.get(path);
  if (!row?.waiting) {
    files.dropText(path);
    return true;
  }
  // The bytes of a file that is on its way still lie there.
  if (files.isSource(path)) return false;
  const inPlace = (etag: string): void =>
    files.transaction(() => {
      files.put({ ...row, etag, base: row.version, waiting: 0 });
      files.dropText(path);
    });
  const placed = await place(shelf, path, files.text(path), {
    etag: row.etag,
    modified: new Date(row.modified),
  });
  if (placed === "too soon") return false;
  if (placed !== "other") {
    inPlace(placed.etag);
    return true;
  }
  const there = await fetched(shelf, path);
  const theirs = there?.bytes ? blobId(there.bytes) : "";
  // A put of ours may have been done although it failed.
  if (there && theirs === row.version) {
    inPlace(there.etag);
    return true;
  }
  const settled = (): void => {
    const now = files.get(path);
    if (now?.waiting && now.etag === row.etag) files.put({ ...now, etag: there?.etag ?? "", base: theirs });
  };
  if (!there?.bytes || theirs === row.base) settled();
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
  return false;
}

/** R2 removes whatever is there, so it is looked at just before. What another program has put there since stays. */
async function flushRemoval(
  { bucket, workspace, files, seen }: Shelf,
  path: string,
  etag: string,
): Promise<boolean> {
  if (files.isSource(path)) return false;
  const key = keyOf(workspace, path);
  const there = await bucket.head(key);
  if (there && there.etag !== etag && !path.startsWith(STAGED.root)) {
    const { size, uploaded } = there;
    files.transaction(() => {
      files.dropRemoved(path);
      if (!files.get(path))
        files.put({
          path,
          etag: there.etag,
          base: "",
          version: "",
          modified: uploaded.getTime(),
          size,
          waiting: 0,
        });
    });
    seen([path]);
    return true;
  }
  if (there) await bucket.delete(key);
  files.dropRemoved(path);
  return true;
}

/** The last change may have been cut short: what became of its notes is looked up, and the index may lack all of it. */
export async function recoverLast(shelf: Shelf): Promise<void> {
  const paths = shelf.files.last();
  for (const path of paths) await adopt(shelf, path);
  if (paths.length > 0) shelf.seen(paths);
}

/** Takes the object at a path as it is. Gives whether it is another than was known. */
export async function adopt(shelf: Shelf, path: string): Promise<boolean> {
  const { files } = shelf;
  const before = files.get(path);
  if (before?.waiting || files.isRemoved(path) !== null) return false;
  const there = await looked(shelf, path, before?.size ?? 0);
  const row = files.get(path);
  // We have changed it meanwhile: what was fetched is old.
  if (row?.etag !== before?.etag || row?.version !== before?.version) return false;
  if (!there) {
    if (row) files.drop(path);
    return row !== undefined;
  }
  if (row?.etag === there.etag && row.version !== "") return false;
  const { etag, size, modified, bytes } = there;
  const version = bytes ? blobId(bytes) : "";
  files.put({ path, etag, base: version, version, modified, size, waiting: 0 });
  return row?.version !== version;
}

/** What lies there now: of a file that is no text only its tag. */
async function looked(shelf: Shelf, path: string, size: number): ReturnType<typeof fetched> {
  if (!isPointed(path, size)) return fetched(shelf, path);
  const there = await shelf.bucket.head(keyOf(shelf.workspace, path));
  return there && { etag: there.etag, size: there.size, modified: there.uploaded.getTime(), bytes: null };
}
