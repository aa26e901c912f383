/** Refresh: compare store and index by stamp, and repair the index where they differ. */

import { makeNote } from "./note.ts";
import type { NotePath } from "./paths.ts";
import { NoteError } from "../markdown/errors.ts";
import type { IndexRow, Parts, Stamp } from "./parts.ts";

/** Notes put into the index in one transaction: small, so that others get their turn, and large, so that it is quick. */
const SLICE = 200;
/** A file saved this shortly before it was read may be saved again under the same time: its stamp is not believed yet. */
const RACY_MS = 2000;
/** Another process may index the same notes meanwhile; then they are read again, this often. */
const ATTEMPTS = 5;

export type Progress = (done: number, total: number) => void;

/** The whole vault. Gives the number of notes that had changed. */
export async function refresh(parts: Parts, progress?: Progress): Promise<number> {
  const known = parts.index.stamps();
  const changed: NotePath[] = [];
  let total = 0;
  for await (const stats of parts.store.list()) {
    for (const stat of stats) {
      if (known.get(stat.path) !== stat.stamp) changed.push(stat.path);
      known.delete(stat.path);
    }
    total += stats.length;
  }
  const same = total - changed.length;
  await bringIn(parts, changed, (done) => progress?.(same + done, total));
  await bringIn(parts, [...known.keys()]);
  if (!parts.index.complete()) parts.index.completed();
  return changed.length + known.size;
}

/** What stands directly in these folders, and whatever the index still believes to be below one that is gone. Gives the folders directly below. */
export async function refreshFolders(parts: Parts, folders: readonly string[]): Promise<string[]> {
  const below: string[] = [];
  for (const folder of folders) {
    const there = (await parts.store.folder(folder)) ?? { notes: [], folders: [] };
    below.push(...there.folders);
    const known = parts.index.stampsIn(folder, "direct");
    const changed = there.notes
      .filter((stat) => known.get(stat.path) !== stat.stamp)
      .map((stat) => stat.path);
    for (const stat of there.notes) known.delete(stat.path);
    const lost = parts.index.folders(folder).filter(({ name }) => !there.folders.includes(name));
    const gone = lost.flatMap(({ name }) => [...parts.index.stampsIn(name, "deep").keys()]);
    await bringIn(parts, [...changed, ...known.keys(), ...gone]);
  }
  return below;
}

/** These notes, where they differ from what the index knows: a watcher also tells of what we wrote ourselves. */
export async function refreshPaths(parts: Parts, paths: readonly NotePath[]): Promise<void> {
  const differing: NotePath[] = [];
  for (const path of paths)
    if (((await parts.store.stat(path))?.stamp ?? null) !== parts.index.stamp(path)) differing.push(path);
  await bringIn(parts, differing);
}

/** Notes as they are now: present, changed or gone. What another program did to them goes into the history. */
async function bringIn(
  parts: Parts,
  paths: readonly NotePath[],
  progress?: (done: number) => void,
): Promise<void> {
  // A first indexing finds everything new; the history then records the vault as a whole.
  const first = !parts.index.complete();
  for (let at = 0; at < paths.length; at += SLICE) {
    const rows = await reindex(parts, paths.slice(at, at + SLICE));
    const seen = rows.map(({ path, note }) => ({ path, after: note }));
    if (!first && !parts.readOnly)
      await parts.store.alone(() => parts.history.recordOutside(seen, parts.now()));
    progress?.(Math.min(at + SLICE, paths.length));
  }
}

/** Puts notes into the index as they are; gives what was put there. */
export async function reindex(parts: Parts, paths: readonly NotePath[]): Promise<IndexRow[]> {
  const done = new Map<NotePath, IndexRow>();
  let left = [...paths];
  for (let attempt = 0; attempt < ATTEMPTS && left.length > 0; attempt++) {
    const rows: IndexRow[] = [];
    for (const path of left) rows.push(await rowOf(parts, path, parts.index.stamp(path)));
    for (const row of rows) done.set(row.path, row);
    left = parts.index.apply(rows);
  }
  return [...done.values()];
}

async function rowOf(parts: Parts, path: NotePath, seen: Stamp | null): Promise<IndexRow> {
  try {
    const file = await parts.store.read(path);
    if (!file) return { path, seen, stamp: "", note: null };
    const racy = parts.now().getTime() - file.modified.getTime() < RACY_MS;
    const note = makeNote(path, file.bytes, file.version, file.modified);
    return { path, seen, stamp: racy ? `${file.stamp}?` : file.stamp, note };
  } catch (error) {
    // Too large, not permitted, or failing: listed by name, without its text, until its stamp changes.
    if (!(error instanceof NoteError)) throw error;
    const stat = await parts.store.stat(path);
    return {
      path,
      seen,
      stamp: stat?.stamp ?? "",
      note: stat && makeNote(path, new Uint8Array(), "", stat.modified),
    };
  }
}
