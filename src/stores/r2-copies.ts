/** Copies: files that are no texts, brought from where their bytes lie to where it was decided that they are, in streams and in an order that loses none (decision 30). */

import { conflictName } from "../notebook/vault-path.ts";
import { isTooSoon, keyOf, onlyIfStill, STAGED, type Fetched } from "./bucket.ts";
import { hashAt } from "./r2-attachments.ts";
import type { BytesRow, FileRow } from "./r2-files.ts";
import type { Outcome, Together } from "./r2-flush.ts";
import { isLeftOver, type Shelf } from "./r2-place.ts";

/** Bytes of the copies that are made before somebody else has a turn. */
const BYTES = 250_000_000;

/** Whether none is left. */
export async function flushCopies(shelf: Shelf, together: Together): Promise<boolean> {
  const { files, tries } = shelf;
  const tried = new Set<string>();
  let bytes = 0;
  for (;;) {
    const copies = files.copies().filter(({ path }) => !tried.has(path));
    if (copies.length === 0) return files.copies().length === 0;
    // An object that another copy still needs is not written over.
    const free = copies.filter(({ path }) => !files.isSource(path));
    const next: BytesRow[] = [];
    for (const copy of free.filter(({ path }) => tries.isDue(path))) {
      bytes += files.get(copy.path)?.size ?? 0;
      if (bytes <= BYTES || tried.size + next.length === 0) next.push(copy);
    }
    for (const { path } of next) tried.add(path);
    const work = next.map((copy) => ({ path: copy.path, work: () => flushCopy(shelf, copy) }));
    if (work.length > 0 && !(await together(work))) return false;
    if (work.length > 0) continue;
    if (free.length > 0) return false;
    // All that are left take each other's names: the first steps aside.
    const [first] = copies as [BytesRow];
    if (!(await together([{ path: first.path, work: () => stepAside(shelf, first) }]))) return false;
  }
}

async function flushCopy(shelf: Shelf, copy: BytesRow): Promise<Outcome> {
  const { bucket, workspace, files, tries, seen } = shelf;
  const { path, source } = copy;
  const row = files.get(path)!;
  const object = await bucket.get(keyOf(workspace, source));
  if (!object) {
    // Another program has removed it meanwhile.
    files.transaction(() => {
      files.drop(path);
      if (row.etag !== "") files.remove(path, row.etag);
    });
    void seen([path]);
    return "done";
  }
  // What another program has put there since goes along as it is; where it was put, it stays, too.
  const isOurs = object.etag === copy.etag;
  const inPlace = (etag: string): Outcome => {
    // It may have been hashed meanwhile.
    const version = isOurs ? files.get(path)!.version : "";
    files.transaction(() => {
      files.put({ ...row, etag, base: version, version, size: object.size, waiting: 0 });
      files.setBytes({ ...files.bytesOf(path)!, source: "", etag: "" });
      tries.settled(path);
    });
    if (!isOurs) void seen([path]);
    return "done";
  };
  const placed = await placeCopy(shelf, row, object, isOurs ? copy.sha256 : "").catch((error: unknown) => {
    tries.touched(path);
    throw error;
  });
  if (placed === "too soon") return "too soon";
  if (placed !== null) return inPlace(placed);
  const there = await bucket.head(keyOf(workspace, path));
  if (there && there.size === object.size && (await isCopyOf(shelf, path, there.etag, source, object.etag)))
    return inPlace(there.etag);
  if (there && (await isLeftOver(shelf, path, there))) files.put({ ...row, etag: there.etag });
  else keepTheirs(shelf, row, there);
  return "again";
}

/** The tag of what is in place now; null where something else lies there than was expected. */
async function placeCopy(
  { bucket, workspace }: Shelf,
  { path, etag, modified }: FileRow,
  object: Fetched,
  sha256: string,
): Promise<string | "too soon" | null> {
  try {
    const made = await bucket.put(keyOf(workspace, path), object.body, {
      onlyIf: onlyIfStill(etag),
      ...metadataIn(object, { modified: new Date(modified).toISOString() }),
      ...(sha256 === "" ? {} : { sha256 }),
    });
    return made?.etag ?? null;
  } catch (error) {
    if (isTooSoon(error)) return "too soon";
    throw error;
  }
}

/** What its owner told beside a file goes along. */
const metadataIn = ({ httpMetadata, customMetadata }: Fetched, more: Record<string, string> = {}) => ({
  customMetadata: { ...customMetadata, ...more },
  ...(httpMetadata ? { httpMetadata } : {}),
});

/** Whether a put of ours was done although it seemed to fail. */
async function isCopyOf(
  shelf: Shelf,
  path: string,
  etag: string,
  source: string,
  sourceTag: string,
): Promise<boolean> {
  if (etag === sourceTag) return true;
  const hash = await hashAt(shelf, path, etag);
  return hash !== null && hash === (await hashAt(shelf, source, sourceTag));
}

/** What another program put in the place of a file that was to come there is kept beside it. */
function keepTheirs(
  { files, seen }: Shelf,
  row: FileRow,
  there: { etag: string; size: number; uploaded: Date } | null,
): void {
  const { path } = row;
  if (!there) {
    files.put({ ...row, etag: "" });
    return;
  }
  const { etag, size, uploaded } = there;
  const copy = conflictName(path, etag, (other) => {
    const found = files.get(other);
    return found ? found.etag || found.base : null;
  });
  files.transaction(() => {
    files.put({ ...row, etag });
    if (files.get(copy)) return;
    const modified = uploaded.getTime();
    files.put({ path: copy, etag: "", base: etag, version: "", modified, size, waiting: 1 });
    files.setBytes({ path: copy, sha256: "", source: path, etag });
  });
  void seen([copy]);
}

/** Copies a file to a place of our own, from where it goes on: `again` where something else lay there. The place is cleared in any case, also where this is cut short. */
async function stepAside(shelf: Shelf, copy: BytesRow): Promise<Outcome> {
  const { bucket, workspace, files } = shelf;
  const aside = `${STAGED.root}${copy.etag}`;
  const key = keyOf(workspace, aside);
  files.remove(aside, "");
  const object = await bucket.get(keyOf(workspace, copy.source));
  const made =
    object && (await bucket.put(key, object.body, { onlyIf: onlyIfStill(""), ...metadataIn(object) }));
  const there = made ?? (await bucket.head(key));
  // A copy of ours may lie there from before; whatever else does has no business in this place.
  const isOurs = made || !there || !object || there.etag === copy.etag;
  if (!isOurs && !(await isCopyOf(shelf, aside, there.etag, copy.source, object.etag))) {
    await bucket.delete(key);
    return "again";
  }
  // Bytes of another program have a tag that is not the expected one, here as there.
  const etag = there && object?.etag === copy.etag ? there.etag : copy.etag;
  files.setBytes({ ...copy, source: aside, etag });
  return "done";
}
