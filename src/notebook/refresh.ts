/** Refresh: compare store and index by stamp, and repair the index where they differ. */

import { makeNote } from "./note.ts";
import type { NotePath } from "./paths.ts";
import { NoteError } from "../markdown/errors.ts";
import type { IndexRow, Parts, Stamp, Stat } from "./parts.ts";

/** Notes put into the index in one transaction: small, so that others get their turn, and large, so that it is quick. */
const SLICE = 200;
/** A file saved this shortly before it was read may be saved again under the same time: its stamp is not believed yet. */
const RACY_MS = 2000;

export type Progress = (done: number, total: number) => void;

/** The whole vault. Gives the number of notes that had changed. */
export async function refresh(parts: Parts, progress?: Progress): Promise<number> {
  const known = parts.index.stamps();
  const changed: Stat[] = [];
  let listed = 0;
  for await (const stats of parts.store.list()) {
    for (const stat of stats) {
      if (known.get(stat.path) !== stat.stamp) changed.push(stat);
      known.delete(stat.path);
    }
    listed += stats.length;
  }
  const total = listed;
  const done = total - changed.length;
  for (let at = 0; at < changed.length; at += SLICE) {
    await indexStats(parts, changed.slice(at, at + SLICE));
    progress?.(done + Math.min(at + SLICE, changed.length), total);
  }
  const gone = [...known.keys()];
  for (let at = 0; at < gone.length; at += SLICE) await reindex(parts, gone.slice(at, at + SLICE));
  if (!parts.index.complete()) parts.index.completed();
  return changed.length + gone.length;
}

/** What stands directly in these folders, and whatever the index still believes to be below one that is gone. Gives the folders directly below. */
export async function refreshFolders(parts: Parts, folders: readonly string[]): Promise<string[]> {
  const below: string[] = [];
  for (const folder of folders) {
    const there = (await parts.store.folder(folder)) ?? { notes: [], folders: [] };
    below.push(...there.folders);
    const known = parts.index.stampsIn(folder, "direct");
    const changed = there.notes.filter((stat) => known.get(stat.path) !== stat.stamp);
    for (const stat of there.notes) known.delete(stat.path);
    const lost = parts.index.folders(folder).filter(({ name }) => !there.folders.includes(name));
    const gone = [
      ...known.keys(),
      ...lost.flatMap(({ name }) => [...parts.index.stampsIn(name, "deep").keys()]),
    ];
    for (let at = 0; at < changed.length; at += SLICE) await indexStats(parts, changed.slice(at, at + SLICE));
    for (let at = 0; at < gone.length; at += SLICE) await reindex(parts, gone.slice(at, at + SLICE));
  }
  return below;
}

/** These notes, as they are now: present, changed or gone. */
export async function reindex(parts: Parts, paths: readonly NotePath[]): Promise<void> {
  let left = [...paths];
  for (let attempt = 0; attempt < 5 && left.length > 0; attempt++) {
    const rows: IndexRow[] = [];
    for (const path of left) rows.push(await rowOf(parts, path, parts.index.stamp(path)));
    left = parts.index.apply(rows);
  }
}

async function indexStats(parts: Parts, stats: readonly Stat[]): Promise<void> {
  const rows: IndexRow[] = [];
  for (const stat of stats) rows.push(await rowOf(parts, stat.path, parts.index.stamp(stat.path)));
  const stale = parts.index.apply(rows);
  if (stale.length > 0) await reindex(parts, stale);
}

async function rowOf(parts: Parts, path: NotePath, seen: Stamp | null): Promise<IndexRow> {
  try {
    const file = await parts.store.read(path);
    if (!file) return { path, seen, stamp: "", note: null };
    const racy = parts.now().getTime() - file.modified.getTime() < RACY_MS;
    return {
      path,
      seen,
      stamp: racy ? `${file.stamp}?` : file.stamp,
      note: makeNote(path, file.bytes, file.version, file.modified),
    };
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
