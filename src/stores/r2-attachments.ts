/** Files of a bucket that are no texts: read as their pointers, hashed in a stream when they are to be moved or removed, and found in the trash (decisions 22 and 30). */

import { blobId, streamSha256 } from "../disk/hash.ts";
import { bytesText } from "../markdown/bytes-text.ts";
import { NoteError } from "../markdown/errors.ts";
import type { FolderTree } from "../notebook/folder-tree.ts";
import type { NoteStore, Stat, Version } from "../notebook/parts.ts";
import { isNote, type AttachmentPath, type NotePath } from "../notebook/paths.ts";
import { isText, pointerText } from "../notebook/pointer.ts";
import { isVaultFile } from "../notebook/vault-path.ts";
import { keyOf, refusing } from "./bucket.ts";
import { foldersAmong } from "./flat-keys.ts";
import { statOf, type FileRow, type Files } from "./r2-files.ts";
import type { Shelf } from "./r2-place.ts";

/** The largest file that is moved or removed here: its bytes are read twice, and a request has little time. */
const FILE_LIMIT = 100_000_000;
/** What one call moves or removes of a folder, in bytes of files that are no texts. */
const FOLDER_LIMIT = 1_000_000_000;
/** A file may be replaced while it is hashed; then it is hashed again, this often. */
const READS = 4;

/** Whether a file that has so many bytes is known by its pointer, instead of by its text. */
export const isPointed = (path: string, size: number): boolean => !isText(path, size) && isVaultFile(path);

/** Where the bytes of a file lie: under its own path, or while they are on their way under another. */
export const bytesAt = (files: Files, { path, waiting }: FileRow): string =>
  waiting ? files.bytesOf(path)!.source : path;

/** The pointer to a file. Its hash is known as long as its tag stays. */
export async function readPointer(shelf: Shelf, path: string): ReturnType<NoteStore["read"]> {
  const { files } = shelf;
  for (let tries = 1; tries <= READS; tries++) {
    const row = files.get(path);
    if (!row && files.isRemoved(path) !== null) return null;
    const known = row && knownPointer(files, row);
    // What is on its way has been hashed; what stands in its place may be another program's by now.
    if (row?.waiting && known) return known;
    const at = row ? bytesAt(files, row) : path;
    const there = await refusing(() => shelf.bucket.head(keyOf(shelf.workspace, at)), path);
    if (!isSame(files.get(path), row)) continue;
    if (!there && row?.waiting) return null;
    if (!there) {
      if (row) files.drop(path);
      if (row) void shelf.seen([path]);
      return null;
    }
    if (known && there.etag === row!.etag) return known;
    if (there.size > FILE_LIMIT) throw tooLarge(path, there.size);
    const sha256 = await refusing(() => hashAt(shelf, at, there.etag), path);
    if (sha256 === null || !isSame(files.get(path), row)) continue;
    const { etag, size, uploaded } = there;
    const version = pointerVersion(sha256, size);
    const found: FileRow = row?.waiting
      ? { ...row, version }
      : {
          path,
          etag,
          base: version,
          version,
          modified: row?.etag === etag ? row.modified : uploaded.getTime(),
          size,
          waiting: 0,
        };
    files.transaction(() => {
      files.put(found);
      files.setBytes({ source: "", etag: "", ...(row?.waiting ? files.bytesOf(path) : {}), path, sha256 });
    });
    void shelf.seen([path]);
    return knownPointer(files, found);
  }
  throw new NoteError("busy", `Another program is writing "${path}". Try again in a moment.`, { path });
}

const isSame = (one: FileRow | undefined, other: FileRow | undefined): boolean =>
  one?.etag === other?.etag && one?.version === other?.version && one?.waiting === other?.waiting;

const pointerBytes = (sha256: string, size: number): Uint8Array =>
  new TextEncoder().encode(pointerText({ sha256, size }));
export const pointerVersion = (sha256: string, size: number): Version => blobId(pointerBytes(sha256, size));

/** Null where its bytes have not been hashed since they changed. */
function knownPointer(files: Files, row: FileRow): Awaited<ReturnType<NoteStore["read"]>> {
  const sha256 = row.version === "" ? undefined : files.bytesOf(row.path)?.sha256;
  if (sha256 === undefined || sha256 === "") return null;
  const bytes = pointerBytes(sha256, row.size);
  return { ...statOf(row), bytes, version: row.version };
}

/** The hash of the object of this tag; null where another is in its place. */
export async function hashAt(
  { bucket, workspace }: Shelf,
  path: string,
  etag: string,
): Promise<string | null> {
  const object = await bucket.get(keyOf(workspace, path));
  if (object?.etag === etag) return streamSha256(object.body);
  await object?.body.cancel();
  return null;
}

const tooLarge = (path: string, size: number): NoteError =>
  new NoteError(
    "too_large",
    `"${path}" has ${bytesText(size)}; files up to ${bytesText(FILE_LIMIT)} are moved and deleted here. Nothing was changed; move it in the bucket itself, or leave it where it is.`,
    { path, size, limit: FILE_LIMIT },
  );

/** The first bytes of a file that is no note. An object is only ever replaced whole, so they belong together. */
export async function firstBytes(
  { bucket, workspace, files }: Shelf,
  path: AttachmentPath,
  most: number,
): ReturnType<NoteStore["bytes"]> {
  const row = files.get(path);
  if (!row) return null;
  const stat = statOf(row) as Stat<string> as Stat<AttachmentPath>;
  if (row.waiting && !isPointed(path, row.size)) return { ...stat, bytes: files.text(path).slice(0, most) };
  // R2 gives no part of what is empty.
  if (row.size === 0 || most === 0) return { ...stat, bytes: new Uint8Array() };
  const range = { offset: 0, length: Math.min(most, row.size) };
  const key = keyOf(workspace, bytesAt(files, row));
  const object = await refusing(() => bucket.get(key, { range }), path);
  if (!object) return null;
  const bytes = new Uint8Array(await refusing(() => object.arrayBuffer(), path));
  return { ...stat, size: object.size, bytes };
}

/** All that a folder holds. Refused, before anything is hashed, where that is more than one call can take along. */
export function treeAmong(rows: readonly FileRow[], folder: string): FolderTree | null {
  if (rows.length === 0) return null;
  const pointed = rows.filter(({ path, size }) => isPointed(path, size));
  const large = pointed.find(({ size }) => size > FILE_LIMIT);
  if (large) throw tooLarge(large.path, large.size);
  const sum = pointed.reduce((all, { size }) => all + size, 0);
  if (sum > FOLDER_LIMIT)
    throw new NoteError(
      "too_large",
      `The folder "${folder}/" holds ${bytesText(sum)} of files that are no notes; one call takes at most ${bytesText(FOLDER_LIMIT)}. Take its subfolders one by one.`,
      { path: folder, size: sum, limit: FOLDER_LIMIT },
    );
  const paths = rows.map(({ path }) => path);
  return {
    notes: paths.filter(isNote) as NotePath[],
    attachments: paths.filter((path) => !isNote(path)) as AttachmentPath[],
    folders: foldersAmong(paths, folder),
    obstacles: [],
  };
}
