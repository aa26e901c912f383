/** One object of the bucket: put in place under a condition, looked up, and told from those of other programs (decision 30). */

import { blobId } from "../disk/hash.ts";
import { keyOf, isTooSoon, metadataOf, onlyIfStill, type Bucket } from "./bucket.ts";
import { hashAt, isPointed, pointerVersion } from "./r2-attachments.ts";
import { isTooLarge, type Files } from "./r2-files.ts";
import type { Tries } from "./r2-tries.ts";

export type Shelf = {
  bucket: Bucket;
  /** How many calls the bucket has had. */
  calls(): number;
  workspace: string;
  files: Files;
  tries: Tries;
  now(): Date;
  /** Takes the paths of notes that are found to be other than the index may know; resolves to whether it knows them then. */
  seen(paths: string[]): Promise<boolean>;
};

/** `too soon`: the key was written to in this second. `other`: the object there is not the one that was expected. */
export type Placed = { etag: string } | "too soon" | "other";

/** One conditional put: on the tag that is known, or on there being nothing. */
async function place(
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

/** A put that fails may have been done all the same: that is looked up before it is refused. */
export async function placedOrNot(
  shelf: Shelf,
  path: string,
  bytes: Uint8Array,
  at: { etag: string; modified: Date },
): Promise<Placed | { failure: unknown }> {
  try {
    return await place(shelf, path, bytes, at);
  } catch (failure) {
    const there = await fetched(shelf, path);
    if (there?.bytes && blobId(there.bytes) === blobId(bytes)) return { etag: there.etag };
    return (there?.etag ?? "") === at.etag ? { failure } : "other";
  }
}

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

/** Whether the object that lies there is one of ours, of whose put nobody heard how it ended. */
export async function isLeftOver(
  shelf: Shelf,
  path: string,
  there: { etag: string; size: number },
): Promise<boolean> {
  if (!shelf.tries.leavesAny(path)) return false;
  if (isPointed(path, there.size)) {
    const sha256 = await hashAt(shelf, path, there.etag);
    return sha256 !== null && shelf.tries.isLeft(path, pointerVersion(sha256, there.size));
  }
  const found = await fetched(shelf, path);
  return found?.bytes != null && found.etag === there.etag && shelf.tries.isLeft(path, blobId(found.bytes));
}
