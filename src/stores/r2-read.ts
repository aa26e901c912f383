/** Reading a text of a bucket: one call, and what it shows of other programs (decision 30). */

import { blobId } from "../disk/hash.ts";
import { NoteError } from "../markdown/errors.ts";
import { NOTE_LIMIT, type NoteStore } from "../notebook/parts.ts";
import type { FilePath, TrashPath } from "../notebook/paths.ts";
import type { SettingsPath } from "../notebook/settings/settings-files.ts";
import { findTrashed, nameIn, namesBeforeTrash, TRASH } from "../notebook/vault-path.ts";
import { refusing } from "./bucket.ts";
import { isPointed, readPointer } from "./r2-attachments.ts";
import { afterAll, isTooLarge, statOf, type FileRow } from "./r2-files.ts";
import { fetched, type Shelf } from "./r2-place.ts";

/** A note may be changed by us while it is being read; then it is read again, this often. */
const READS = 4;

/** A text, or the pointer to a file that is none. */
export async function readFrom(shelf: Shelf, path: FilePath | SettingsPath): ReturnType<NoteStore["read"]> {
  if (isPointed(path, shelf.files.get(path)?.size ?? 0)) return readPointer(shelf, path);
  return readText(shelf, path);
}

/** The text that waits where one does, else what lies in the bucket: what another program put there is known from then on. */
async function readText(shelf: Shelf, path: FilePath | SettingsPath): ReturnType<NoteStore["read"]> {
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
      if (row) void seen([path]);
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
      if (row?.version !== "") void seen([path]);
    }
    // A canvas that outgrew what is taken for text.
    if (!there.bytes && isPointed(path, size)) return readPointer(shelf, path);
    if (!there.bytes) throw tooLarge(path);
    return { ...statOf(found), bytes: there.bytes, version };
  }
}

const tooLarge = (path: string): NoteError =>
  new NoteError("too_large", `The note is larger than ${NOTE_LIMIT / 1024 / 1024} MiB.`, {
    path,
    limit: NOTE_LIMIT,
  });

/** Files of the trash that are looked at for the names that are wanted. */
const TRASH_LIMIT = 100_000;

/** Where files of these names and versions lie in the trash, the last ones that were put there first. */
export async function trashedAmong(
  shelf: Shelf,
  wanted: Parameters<NoteStore["trashed"]>[0],
): ReturnType<NoteStore["trashed"]> {
  if (wanted.length === 0) return [];
  const { files } = shelf;
  const names = new Set(wanted.map(({ path }) => nameIn(path)));
  const places = files
    .after(`${TRASH}/`, afterAll(`${TRASH}/`), TRASH_LIMIT)
    .map(({ path }) => path as TrashPath)
    .filter((place) => namesBeforeTrash(place).some((name) => names.has(name)));
  // What another program put there has a version once it is read.
  for (const place of places) if (files.get(place)?.version === "") await readIfCan(shelf, place);
  return findTrashed(wanted, places.toReversed(), (place) => files.get(place)?.version ?? null);
}

/** What cannot be read there is nobody's copy. */
async function readIfCan(shelf: Shelf, place: TrashPath): Promise<void> {
  try {
    await readFrom(shelf, place as string as FilePath);
  } catch (error) {
    if (!(error instanceof NoteError) || error.code !== "too_large") throw error;
  }
}
