/** Refresh: compare store and index by stamp, and repair the index where they differ (decision 14). */

import type { Change } from "./change.ts";
import type { OutsideEdits } from "./outside.ts";
import { isNote, liesIn, type LinkedPath, type NotePath } from "./paths.ts";
import { isPassing, NoteError } from "../markdown/errors.ts";
import { NOTE_LIMIT, type IndexRow, type Parts, type Stat, type Version } from "./parts.ts";
import { comparing, readCanvases, refreshFolder, refreshOne } from "./refresh-attachments.ts";
import { isCurrent, isUnread, NO_STAMP, racy, stampOf, UNREAD, type Stamp } from "./stamp.ts";
import { BACKGROUND_TURN, breather, turnOfOthers } from "./turns.ts";

/** Notes that are read before they are put into the index. */
const SLICE = 256;
/** New notes, which are prepared in a turn of their own: at 100,000 notes putting this many in takes 0.17 s at most, 512 take 0.22. */
const NEW_SLICE = 384;
/** The first slice has fewer, because nothing can be put in until it is prepared. */
const FIRST_SLICE = 96;
/** Longer notes come last, when nothing else takes memory: a dense one may hold thousands of links. */
const LONG = 16 * 1024;
/** Slices that are read before the first of them is in: one that is being prepared, and one to go on with. */
const AHEAD = 2;
/** A parsed note may take thirty times its size in memory, so large ones go in a few at a time, or alone. */
const SLICE_BYTES = 1024 * 1024;
/** A file saved this shortly before it was read may be saved again under the same time: its stamp is not believed yet. */
const RACY_MS = 2000;
/** Another process may index the same notes meanwhile; then they are read again, this often. */
const ATTEMPTS = 5;

export type Progress = (done: number, total: number) => void;

/** The whole vault. Gives the number of notes that had changed. */
export async function refresh(parts: Parts, outside: OutsideEdits, progress?: Progress): Promise<number> {
  const known = parts.index.stamps();
  const { attachments } = parts.index;
  const files = attachments.stamps();
  const attached = comparing(attachments, files);
  const closed = new Set<string>();
  const changed: Sized[] = [];
  let total = 0;
  for await (const listed of parts.store.list()) {
    attached.saw(listed.attachments);
    for (const { path, stamp, size } of listed.notes) {
      if (!isCurrent(known.get(path), stamp)) changed.push({ path, size });
      known.delete(path);
    }
    for (const folder of listed.closed ?? []) closed.add(folder);
    total += listed.notes.length;
  }
  // What cannot be listed is not gone.
  for (const path of known.keys()) if (liesIn(path, closed)) known.delete(path);
  for (const path of files.keys()) if (liesIn(path, closed)) files.delete(path);
  attached.end();
  await readCanvases(parts);
  const same = total - changed.length;
  progress?.(same, total);
  const bring = parts.index.complete() ? bringIn : bringInNew;
  await bring(parts, outside, changed, (done) => progress?.(same + done, total));
  await bringIn(parts, outside, gone([...known.keys()]));
  if (!parts.index.complete()) parts.index.completed();
  return changed.length + known.size;
}

/** What stands directly in these folders, and whatever the index still believes to be below one that is gone. Gives the folders directly below. */
export async function refreshFolders(
  parts: Parts,
  outside: OutsideEdits,
  folders: readonly string[],
): Promise<string[]> {
  const subfolders: string[] = [];
  for (const folder of folders) {
    const found = await parts.store.folder(folder);
    if (found?.closed) continue;
    const there = found ?? { notes: [], attachments: [], folders: [] };
    for (const below of there.folders) subfolders.push(below);
    refreshFolder(parts, folder, there);
    const known = parts.index.stamps({ folder, depth: "direct" });
    const changed = there.notes.filter((stat) => !isCurrent(known.get(stat.path), stat.stamp));
    for (const stat of there.notes) known.delete(stat.path);
    const lost = parts.index.folders(folder).filter(({ name }) => !there.folders.includes(name));
    const below = lost.flatMap(({ name }) => [...parts.index.stamps({ folder: name, depth: "deep" }).keys()]);
    await bringIn(parts, outside, [...changed, ...gone([...known.keys(), ...below])]);
  }
  await readCanvases(parts);
  return subfolders;
}

/** These notes and attachments, where they differ from what the index knows: a watcher also tells of what we wrote ourselves. */
export async function refreshPaths(
  parts: Parts,
  outside: OutsideEdits,
  paths: readonly LinkedPath[],
): Promise<void> {
  const breathe = breather(BACKGROUND_TURN);
  const differing: Sized[] = [];
  for (const path of paths) {
    await breathe();
    if (!isNote(path)) {
      await refreshOne(parts, path);
      continue;
    }
    const stat = await parts.store.stat(path);
    const held = parts.index.stamp(path);
    if (stat ? !isCurrent(held, stat.stamp) : held) differing.push({ path, size: stat?.size ?? 0 });
  }
  await readCanvases(parts);
  await bringIn(parts, outside, differing);
}

/** Notes as they are now: present, changed or gone. What another program did to them goes into the history. */
async function bringIn(
  parts: Parts,
  outside: OutsideEdits,
  notes: readonly Sized[],
  progress?: (done: number) => void,
): Promise<void> {
  // A first indexing finds everything new; the history then records the vault as a whole.
  const first = !parts.index.complete();
  const recording = !first && !parts.readOnly;
  for (const { paths, end } of slices(notes, SLICE, SLICE)) {
    if (recording) outside.pend(paths);
    // What could not be read stays as the history has it.
    const rows = (await reindex(parts, paths)).filter(({ stamp }) => !isUnread(stamp));
    if (recording) await heedOutside(parts, outside, rows).catch(unrecorded(parts));
    progress?.(end);
    await turnOfOthers();
  }
}

/** The notes of a first indexing. While the index prepares one slice, the next is read; they go in in their order, and the long notes last. */
async function bringInNew(
  parts: Parts,
  outside: OutsideEdits,
  notes: readonly Sized[],
  progress?: (done: number) => void,
): Promise<void> {
  const long = notes.filter(({ size }) => size > LONG);
  const short = notes.filter(({ size }) => size <= LONG);
  const underWay: (() => Promise<void>)[] = [];
  for (const { paths, end } of slices(short, FIRST_SLICE, NEW_SLICE)) {
    const put = parts.index.put(await rowsOf(parts, paths));
    // It is awaited in its turn; until then nobody listens.
    put.catch(() => undefined);
    underWay.push(async () => {
      await reindex(parts, await put);
      progress?.(end);
    });
    while (underWay.length > AHEAD) await underWay.shift()!();
    await turnOfOthers();
  }
  for (const done of underWay) await done();
  await bringIn(parts, outside, long, (done) => progress?.(short.length + done));
}

/** What has been written since it was read is passed over: a server has recorded it, or an event of its own will tell. */
const heedOutside = (parts: Parts, outside: OutsideEdits, rows: readonly IndexRow[]): Promise<unknown> =>
  parts.store.background(async () => {
    const seen: Pick<Change, "path" | "after">[] = [];
    for (const { path, stamp, note } of rows) {
      const now = (await parts.store.stat(path))?.stamp ?? NO_STAMP.file;
      if (now === stamp.file) seen.push({ path, after: note });
    }
    return outside.saw(seen);
  });

// The notes can be read and found all the same: whatever keeps the history from being written is no reason to stop here.
const unrecorded =
  (parts: Parts) =>
  (error: unknown): void => {
    if (!(error instanceof NoteError)) throw error;
    parts.report(
      "Edits made by other programs could not be recorded in the history yet. The notes can be read and found; it is tried again at the next start.",
      error,
    );
  };

type Sized = Pick<Stat, "path" | "size">;
const gone = (paths: Iterable<NotePath>): Sized[] => [...paths].map((path) => ({ path, size: 0 }));

/** Each may be twice as long as the one before. */
function* slices(
  notes: readonly Sized[],
  first: number,
  longest: number,
): Generator<{ paths: NotePath[]; end: number }> {
  let most = first;
  let paths: NotePath[] = [];
  let bytes = 0;
  for (const [at, { path, size }] of notes.entries()) {
    const taken = Math.min(size, NOTE_LIMIT);
    if (paths.length === most || (paths.length > 0 && bytes + taken > SLICE_BYTES)) {
      yield { paths, end: at };
      [paths, bytes] = [[], 0];
      most = Math.min(2 * most, longest);
    }
    paths.push(path);
    bytes += taken;
  }
  if (paths.length > 0) yield { paths, end: notes.length };
}

/** Puts notes into the index as they are; gives what was put there. */
export async function reindex(parts: Parts, paths: readonly NotePath[]): Promise<IndexRow[]> {
  const done = new Map<NotePath, IndexRow>();
  let left = [...paths];
  for (let attempt = 0; attempt < ATTEMPTS && left.length > 0; attempt++) {
    const rows = await rowsOf(parts, left);
    for (const row of rows) done.set(row.path, row);
    left = await parts.index.put(rows);
  }
  return [...done.values()];
}

async function rowsOf(parts: Parts, paths: readonly NotePath[]): Promise<IndexRow[]> {
  const breathe = breather(BACKGROUND_TURN);
  const rows: IndexRow[] = [];
  const seen = parts.index.stamps({ paths });
  for (const path of paths) {
    rows.push(await rowOf(parts, path, seen.get(path) ?? null));
    await breathe();
  }
  return rows;
}

async function rowOf(parts: Parts, path: NotePath, seen: Stamp | null): Promise<IndexRow> {
  const file = await readOne(parts, path);
  if (!file) return { path, seen, stamp: NO_STAMP, note: null };
  const note = await parts.openNote(path, file.bytes, file.version, file.modified);
  const read = file.failed ? UNREAD : stampOf(file.stamp);
  return { path, seen, stamp: file.racy ? racy(read) : read, note };
}

type FileRead = Stat & { bytes: Uint8Array; version: Version; racy: boolean; failed: boolean };

async function readOne(parts: Parts, path: NotePath): Promise<FileRead | null> {
  try {
    const file = await parts.store.read(path);
    if (!file) return null;
    return { ...file, racy: parts.now().getTime() - file.changed.getTime() < RACY_MS, failed: false };
  } catch (error) {
    // Too large, or not permitted: listed by name, without its text, until its stamp changes. Where the store only failed, nobody knows the text yet.
    if (!(error instanceof NoteError)) throw error;
    const stat = await parts.store.stat(path);
    return stat && { ...stat, bytes: new Uint8Array(), version: "", racy: false, failed: isPassing(error) };
  }
}
