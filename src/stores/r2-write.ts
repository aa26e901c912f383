/** Writing to a bucket: one text straight into it, several decided in rows first, and one writer at a time (decision 30). */

import { blobId } from "../disk/hash.ts";
import type { NoteStore, Put, Stat, Version } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { factsNeeded, planPuts, stale, type FileOperation } from "../notebook/puts.ts";
import { bucketFailed, checkKey, refusing } from "./bucket.ts";
import { openWriters } from "./flat-keys.ts";
import { isPointed } from "./r2-attachments.ts";
import { statOf, type Files } from "./r2-files.ts";
import { readFrom } from "./r2-read.ts";
import { adopt, recoverLast } from "./r2-adopt.ts";
import { openBringing } from "./r2-bringing.ts";
import { placedOrNot, type Shelf } from "./r2-place.ts";

export type R2Writer = Pick<NoteStore, "alone" | "background" | "apply" | "onLateEdit"> & {
  /** Brings a part of what waits into the bucket: whether nothing is left. */
  flush(): Promise<boolean>;
  /** Milliseconds until it is worth while to call `flush`; null where nothing waits. */
  due(): number | null;
  /** Whether the bucket does not take what waits. */
  isFailing(): boolean;
  idle(): Promise<unknown>;
};

/** R2 takes one write to a key in so many milliseconds. */
const WRITE_MS = 1000;

type Text = { bytes: Uint8Array; modified: number };
/** A file that is no text: where its bytes lie. */
type Copied = { source: string; etag: string; sha256: string; size: number; modified: number };
type Place = Extract<FileOperation, { do: "place" }>;

export function openR2Writer(shelf: Shelf, later: (milliseconds: number) => void): R2Writer {
  const { files, tries, now } = shelf;
  const writers = openWriters();
  const recent = recentKeys(now);
  /** Whether nobody knows how the last put ended: that of an earlier life, or one that failed. */
  let doubtful = true;
  const { bringIn, bringInMerged, isDue, isLeft, due, onLateEdit } = openBringing(shelf, later);

  /** Looks up what became of the last put, where nobody knows. */
  async function settleDoubt(): Promise<void> {
    if (!doubtful) return;
    const paths = await refusing(() => recoverLast(shelf));
    doubtful = false;
    if (paths.length > 0) void forgetLast(paths);
  }

  /** Once the index has the last change, nobody needs to look it up again. */
  async function forgetLast(paths: string[]): Promise<void> {
    try {
      if (await shelf.seen(paths)) await writers.alone(async () => void (doubtful || files.end()));
    } catch {
      // Whoever opens the object next looks it up again.
    }
  }

  /** One at a time. It brings in nothing before. */
  const background = <T>(work: () => Promise<T>): Promise<T> =>
    writers.alone(async () => {
      await settleDoubt();
      return work();
    });

  const alone = <T>(work: () => Promise<T>): Promise<T> =>
    background(async () => {
      if (isDue()) await bringInMerged();
      return work();
    });

  /** One text, straight into the bucket; false where the key was written to in this second. */
  async function putOne(op: Place & { bytes: Uint8Array }): Promise<boolean> {
    const { bytes } = op;
    const row = files.get(op.path);
    const etag = row?.etag ?? "";
    files.begin([op.path]);
    const modified = now();
    doubtful = true;
    const placed = await refusing(() => placedOrNot(shelf, op.path, bytes, { etag, modified }), op.path);
    doubtful = false;
    if (typeof placed === "object" && "failure" in placed) throw bucketFailed(placed.failure, op.path);
    if (placed === "too soon") return false;
    if (placed === "other") {
      if (await refusing(() => adopt(shelf, op.path), op.path)) void shelf.seen([op.path]);
      throw stale(op.path, op.old, files.get(op.path)?.version ?? null);
    }
    recent.add(op.path);
    const at = { etag: placed.etag, base: op.new, version: op.new, modified: modified.getTime() };
    files.put({ path: op.path, ...at, size: bytes.length, waiting: 0 });
    return true;
  }

  async function apply(puts: readonly Put[]): Promise<(Stat | null)[]> {
    if (!writers.held()) throw new Error("apply is called only inside alone");
    await settleDoubt();
    const needed = factsNeeded(puts);
    for (const path of needed.newNames) checkKey(shelf.workspace, path);
    // What another program put there has a version once it is read.
    for (const path of needed.files.keys())
      if (files.get(path)?.version === "") await readFrom(shelf, path as NotePath);
    const plan = planPuts(puts, files.facts(needed), blobId);
    const only = singlePut(files, plan);
    if (!only || recent.has(only.path) || !(await putOne(only))) {
      await decide(shelf, plan, puts);
      await bringIn();
    }
    return puts.map((put) => (put.bytes === null ? null : statOf(files.get(put.path)!)));
  }

  return {
    alone,
    background,
    apply,
    onLateEdit,
    flush: () => background(() => bringInMerged().then(() => !isLeft())),
    due,
    isFailing: tries.isFailing,
    idle: writers.idle,
  };
}

/** The one text that a plan puts in place, where it is one, and nothing is pending at that place. */
function singlePut(files: Files, [op, ...more]: readonly FileOperation[]) {
  if (!op || more.length > 0 || op.do !== "place" || files.get(op.path)?.waiting) return null;
  if (files.isRemoved(op.path) !== null || files.isSource(op.path)) return null;
  const { bytes } = op;
  return bytes === null ? null : { ...op, bytes };
}

/** Keys that were written to a moment ago. */
function recentKeys(now: () => Date): { has(path: string): boolean; add(path: string): void } {
  const written = new Map<string, number>();
  return {
    has(path) {
      const time = now().getTime();
      for (const [old, at] of written) if (time - at >= WRITE_MS || time < at) written.delete(old);
      return written.has(path);
    },
    add: (path) => void written.set(path, now().getTime()),
  };
}

/** Several at once, or one whose key cannot be written yet: decided in one transaction, and brought into the bucket from there. */
async function decide(shelf: Shelf, plan: readonly FileOperation[], puts: readonly Put[]): Promise<void> {
  const { files, tries, now } = shelf;
  const texts = new Map<string, Text>();
  // A note that is moved as it is has just been read for that.
  for (const { from, bytes } of puts)
    if (from !== undefined && bytes !== null) texts.set(from, { bytes, modified: files.get(from)!.modified });
  const contentAt = async (path: string): Promise<Text | Copied> => {
    const copied = copiedFrom(files, path);
    if (copied) return copied;
    const file = texts.get(path) ?? (await readFrom(shelf, path as NotePath));
    if (!file) throw stale(path, null, null);
    return { bytes: file.bytes, modified: Number(file.modified) };
  };
  const sources = new Map<FileOperation, Text | Copied>();
  for (const op of plan) {
    if (op.do === "place") {
      const { bytes } = op;
      const text = bytes && { bytes, modified: now().getTime() };
      sources.set(op, text ?? (await contentAt(op.like!)));
      if (text) texts.set(op.path, text);
    }
    if (op.do === "respell") sources.set(op, await contentAt(op.from));
  }
  files.transaction(() => {
    for (const op of plan) {
      if (op.do !== "place") leave(shelf, op.do === "respell" ? op.from : op.path);
      if (op.do !== "remove") wait(shelf, op, sources.get(op)!);
    }
    files.begin(plan.flatMap((op) => (op.do === "respell" ? [op.from, op.path] : [op.path])));
  });
  for (const op of plan) if (op.do !== "remove") tries.decided(op.path);
}

/** Null for a text. What is on its way goes on from where its bytes lie. */
function copiedFrom(files: Files, path: string): Copied | null {
  const row = files.get(path);
  if (!row || !isPointed(path, row.size)) return null;
  const { size, modified } = row;
  const known = files.bytesOf(path)!;
  const at = row.waiting ? known : { source: path, etag: row.etag };
  return { source: at.source, etag: at.etag, sha256: known.sha256, size, modified };
}

function leave({ files, tries }: Shelf, path: string): void {
  const row = files.get(path);
  files.drop(path);
  files.dropText(path);
  tries.done(path);
  if (row?.waiting) tries.leave(row);
  // A put of what waited may have been done, although nobody heard of it.
  if (row && (row.etag !== "" || tries.leavesAny(path))) files.remove(path, row.etag);
}

function wait(
  { files, tries }: Shelf,
  { path, new: version }: { path: string; new: Version },
  content: Text | Copied,
): void {
  const row = files.get(path);
  if (row?.waiting) tries.leave(row);
  const etag = row?.etag ?? files.isRemoved(path) ?? "";
  const size = "bytes" in content ? content.bytes.length : content.size;
  const { modified } = content;
  files.put({ path, etag, base: row?.base ?? "", version, modified, size, waiting: 1 });
  if ("bytes" in content) {
    files.dropBytes(path);
    files.setText(path, content.bytes);
  } else {
    files.dropText(path);
    files.setBytes({ ...content, path });
  }
  files.dropRemoved(path);
}
