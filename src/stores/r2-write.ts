/** Writing to a bucket: one text straight into it, several decided in rows first, and one writer at a time (decision 30). */

import { blobId } from "../disk/hash.ts";
import type { LateEdit } from "../notebook/late-edit.ts";
import type { NoteStore, Put, Stat, Version } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { factsNeeded, planPuts, stale, type FileOperation } from "../notebook/puts.ts";
import { bucketFailed, refusing } from "./bucket.ts";
import { openWriters } from "./flat-keys.ts";
import { isPointed } from "./r2-attachments.ts";
import { statOf, type Files } from "./r2-files.ts";
import { readFrom } from "./r2-read.ts";
import {
  adopt,
  fetched,
  place,
  recoverLast,
  flush,
  type InTheWay,
  type Placed,
  type Shelf,
} from "./r2-flush.ts";

export type R2Writer = Pick<NoteStore, "alone" | "apply" | "onLateEdit"> & {
  /** Brings what waits into the bucket: whether nothing is left. */
  flush(): Promise<boolean>;
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

export function openR2Writer(shelf: Shelf, later: () => void): R2Writer {
  const { files, now } = shelf;
  const writers = openWriters();
  const recent = recentKeys(now);
  /** Whether nobody knows how the last put ended: that of an earlier life, or one that failed. */
  let doubtful = true;
  let failing = false;
  let merge: (edit: LateEdit) => Promise<unknown> = async () => undefined;
  /** Whether something waits to be brought into the bucket, or may be left of an earlier life. */
  let pending = true;

  /** What another program put in the way stays there: while a change is under way, nothing else is recorded. */
  async function bringIn(): Promise<InTheWay[]> {
    failing = false;
    const { all, late } = await flush(shelf, () => (failing = true));
    pending = !all;
    if (pending) later();
    return late;
  }

  async function bringInMerged(): Promise<void> {
    const late = await bringIn();
    if (late.length === 0) return;
    const merged = await mergeAll(late, merge);
    await bringIn();
    failing ||= !merged;
  }

  async function alone<T>(work: () => Promise<T>): Promise<T> {
    return writers.alone(async () => {
      if (doubtful) await refusing(() => recoverLast(shelf));
      doubtful = false;
      if (pending) await bringInMerged();
      return work();
    });
  }

  /** One text, straight into the bucket; false where the key was written to in this second. */
  async function putOne(op: Place & { bytes: Uint8Array }): Promise<boolean> {
    const { bytes } = op;
    const row = files.get(op.path);
    const etag = row?.etag ?? files.isRemoved(op.path) ?? "";
    files.begin([op.path]);
    const modified = now();
    doubtful = true;
    const placed = await refusing(() => placedOrNot(shelf, op.path, bytes, { etag, modified }), op.path);
    doubtful = false;
    if (typeof placed === "object" && "failure" in placed) throw bucketFailed(placed.failure, op.path);
    if (placed === "too soon") return false;
    if (placed === "other") {
      if (await refusing(() => adopt(shelf, op.path), op.path)) shelf.seen([op.path]);
      throw stale(op.path, op.old, files.get(op.path)?.version ?? null);
    }
    recent.add(op.path);
    const at = { etag: placed.etag, base: op.new, version: op.new, modified: modified.getTime() };
    files.transaction(() => {
      files.put({ path: op.path, ...at, size: bytes.length, waiting: 0 });
      files.dropRemoved(op.path);
    });
    return true;
  }

  async function apply(puts: readonly Put[]): Promise<(Stat | null)[]> {
    if (!writers.held()) throw new Error("apply is called only inside alone");
    const needed = factsNeeded(puts);
    // What another program put there has a version once it is read.
    for (const path of needed.files.keys())
      if (files.get(path)?.version === "") await readFrom(shelf, path as NotePath);
    const plan = planPuts(puts, files.facts(needed), blobId);
    const only = singlePut(files, plan);
    if (!only || recent.has(only.path) || !(await putOne(only))) {
      await decide(shelf, plan);
      await bringIn();
    }
    return puts.map((put) => (put.bytes === null ? null : statOf(files.get(put.path)!)));
  }

  return {
    alone,
    apply,
    onLateEdit: (handler) => void (merge = handler),
    flush: () => alone(async () => !pending),
    isFailing: () => failing,
    idle: writers.idle,
  };
}

/** A merge is a change of its own, so they come one after another. False where one failed: it is tried again, and theirs stays where it is. */
async function mergeAll(late: InTheWay[], merge: (edit: LateEdit) => Promise<unknown>): Promise<boolean> {
  let all = true;
  for (const { edit, settled } of late)
    try {
      await merge(edit);
      settled();
    } catch {
      all = false;
    }
  return all;
}

/** The one text that a plan puts in place, where it is one, and nothing of that note is pending. */
function singlePut(files: Files, [op, ...more]: readonly FileOperation[]) {
  if (!op || more.length > 0 || op.do !== "place" || files.get(op.path)?.waiting) return null;
  if (files.isSource(op.path)) return null;
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

/** A put that fails may have been done all the same: that is looked up before it is refused. */
async function placedOrNot(
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

/** Several at once, or one whose key cannot be written yet: decided in one transaction, and brought into the bucket from there. */
async function decide(shelf: Shelf, plan: readonly FileOperation[]): Promise<void> {
  const { files, now } = shelf;
  const texts = new Map<string, Text>();
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
      if (op.do !== "place") leave(files, op.do === "respell" ? op.from : op.path);
      if (op.do !== "remove") wait(files, op, sources.get(op)!);
    }
    files.begin(plan.flatMap((op) => (op.do === "respell" ? [op.from, op.path] : [op.path])));
  });
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

function leave(files: Files, path: string): void {
  const row = files.get(path);
  files.drop(path);
  files.dropText(path);
  if (row && row.etag !== "") files.remove(path, row.etag);
}

function wait(
  files: Files,
  { path, new: version }: { path: string; new: Version },
  content: Text | Copied,
): void {
  const row = files.get(path);
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
