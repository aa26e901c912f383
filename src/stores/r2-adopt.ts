/** Objects of the bucket taken as they are: one that another program put there, and what the last change of an earlier life has left (decision 30). */

import { blobId } from "../disk/hash.ts";
import { keyOf } from "./bucket.ts";
import { isPointed } from "./r2-attachments.ts";
import { fetched, type Shelf } from "./r2-place.ts";

/**
 * The last change may have been cut short: the index may lack all of it. What was put straight into the bucket, which is one note alone, is looked
 * up there; several were decided in rows, which know. Gives the paths of that change.
 */
export async function recoverLast(shelf: Shelf): Promise<string[]> {
  const { bucket, workspace, files } = shelf;
  const paths = files.last();
  const [only, ...more] = paths;
  if (only !== undefined && more.length === 0) {
    const there = await bucket.head(keyOf(workspace, only));
    const row = files.get(only);
    if ((there?.etag ?? "") !== (row?.etag ?? "") || row?.version === "") await adopt(shelf, only);
  }
  return paths;
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
