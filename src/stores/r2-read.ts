/** Reading a note of a bucket: one call, and what it shows of other programs (decision 30). */

import { blobId } from "../disk/hash.ts";
import { NoteError } from "../markdown/errors.ts";
import { NOTE_LIMIT, type NoteStore, type Stat } from "../notebook/parts.ts";
import type { AttachmentPath, FilePath } from "../notebook/paths.ts";
import type { SettingsPath } from "../notebook/settings/settings-files.ts";
import { bucketFailed, keyOf } from "./bucket.ts";
import { isTooLarge, statOf, type FileRow } from "./r2-files.ts";
import { fetched, type Shelf } from "./r2-flush.ts";

/** A note may be changed by us while it is being read; then it is read again, this often. */
const READS = 4;

/** The text that waits where one does, else what lies in the bucket: what another program put there is known from then on. */
export async function readFrom(shelf: Shelf, path: FilePath | SettingsPath): ReturnType<NoteStore["read"]> {
  const { files, seen } = shelf;
  for (let tries = 1; ; tries++) {
    const row = files.get(path);
    if (row?.waiting) return { ...statOf(row), bytes: files.text(path), version: row.version };
    if (row && isTooLarge(row)) throw tooLarge(path);
    if (!row && files.isRemoved(path) !== null) return null;
    const there = await refusing(() => fetched(shelf, path), path);
    const now = files.get(path);
    if ((now?.etag !== row?.etag || now?.version !== row?.version) && tries < READS) continue;
    if (!there) {
      if (row) files.drop(path);
      if (row) seen([path]);
      return null;
    }
    const version = there.bytes ? blobId(there.bytes) : "";
    const { etag, size, modified } = there;
    const found: FileRow =
      row?.etag === etag && row.version === version
        ? row
        : { path, etag, base: version, version, modified, size, waiting: 0 };
    if (found !== row) {
      files.put(found);
      // One that was known only by its tag is read by whoever was told of it.
      if (row?.version !== "") seen([path]);
    }
    if (!there.bytes) throw tooLarge(path);
    return { ...statOf(found), bytes: there.bytes, version };
  }
}

const tooLarge = (path: string): NoteError =>
  new NoteError("too_large", `The note is larger than ${NOTE_LIMIT / 1024 / 1024} MiB.`, {
    path,
    limit: NOTE_LIMIT,
  });

/** The first bytes of a file that is no note. An object is only ever replaced whole, so they belong together. */
export async function firstBytes(
  { bucket, workspace, files }: Shelf,
  path: AttachmentPath,
  most: number,
): ReturnType<NoteStore["bytes"]> {
  const row = files.get(path);
  if (!row || files.isRemoved(path) !== null) return null;
  const stat = statOf(row) as Stat<string> as Stat<AttachmentPath>;
  // R2 gives no part of what is empty.
  if (row.size === 0 || most === 0) return { ...stat, bytes: new Uint8Array() };
  const range = { offset: 0, length: Math.min(most, row.size) };
  const object = await refusing(() => bucket.get(keyOf(workspace, path), { range }), path);
  if (!object) return null;
  const bytes = new Uint8Array(await refusing(() => object.arrayBuffer(), path));
  return { ...stat, size: object.size, modified: object.uploaded, bytes };
}

/** What the bucket says, as a refusal that a caller can act on. */
export async function refusing<T>(work: () => Promise<T>, path?: string): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof NoteError ? error : bucketFailed(error, path);
  }
}
