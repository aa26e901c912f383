/** Versions of files on disk: of a note its bytes', of an attachment its pointer's (decision 22). A file is hashed once, as long as its time and size stay. */

import { createHash } from "node:crypto";
import { CANVAS_LIMIT, isCanvas, pointerText, isText } from "../notebook/pointer.ts";
import { isNote } from "../notebook/paths.ts";
import { codeOf, diskError } from "../notebook/system-errors.ts";
import type { Disk } from "./files.ts";
import { blobId } from "./hash.ts";
import type { Entry } from "./open-files.ts";

// Above any note that is edited; a file that outgrew it was written by somebody else.
const READ_LIMIT = 64 * 1024 * 1024;
/** Bytes that are hashed in one go: some milliseconds' work. */
const PIECE = 1024 * 1024;
/** Hashes that are remembered. */
const REMEMBERED = 20_000;

/** The version of a file that stands, or is to stand, at `path`; null where nothing is; "other" for what is no note of ours. */
export function versionAt(disk: Disk, file: string, path: string = file): string | null {
  if (!isNote(path)) return recordedAt(disk, file, path)?.version ?? null;
  try {
    const found = disk.read(file, READ_LIMIT);
    return found ? blobId(found.bytes) : null;
  } catch (error) {
    if (codeOf(error) === "EFBIG") return "other";
    throw error;
  }
}

/** What the history is to hold of an attachment: its pointer, or the text of a canvas. */
export type Recorded = Entry & { bytes: Uint8Array; version: string };

export function recordedAt(disk: Disk, file: string, path: string): Recorded | null {
  const text = canvasAt(disk, file, path);
  if (text !== undefined) return text;
  const steps = hashing(disk, file, "remembered");
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Hashes anew, with turns for others between two pieces. */
export async function recordedInTurns(
  disk: Disk,
  path: string,
  breathe: () => Promise<void>,
): Promise<Recorded | null> {
  const text = canvasAt(disk, path, path);
  if (text !== undefined) return text;
  const steps = hashing(disk, path, "anew");
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await breathe();
  }
}

/** Undefined where it is no canvas, or one too large to be taken for text. */
function canvasAt(disk: Disk, file: string, path: string): Recorded | null | undefined {
  if (!isCanvas(path)) return undefined;
  try {
    const found = disk.read(file, CANVAS_LIMIT);
    return found && { ...found, version: blobId(found.bytes) };
  } catch (error) {
    if (codeOf(error) !== "EFBIG") throw error;
    return undefined;
  }
}

function* hashing(disk: Disk, file: string, how: "remembered" | "anew"): Generator<void, Recorded | null> {
  const entry = disk.look(file);
  if (entry?.kind !== "file") return null;
  const key = contentKey(entry);
  const known = how === "remembered" ? disk.hashes.get(key) : undefined;
  const sha256 = known ?? (yield* digest(disk, file));
  const after = known === undefined ? disk.look(file) : entry;
  if (sha256 === null || after === null || contentKey(after) !== key)
    throw diskError("EBUSY", "Another program is writing this file.");
  if (disk.hashes.size >= REMEMBERED) disk.hashes.clear();
  disk.hashes.set(key, sha256);
  const bytes = Buffer.from(pointerText({ sha256, size: entry.size }));
  return { ...entry, bytes, version: blobId(bytes) };
}

function* digest(disk: Disk, file: string): Generator<void, string | null> {
  const reading = disk.holdToRead(file);
  if (reading === null) return null;
  try {
    const hash = createHash("sha256");
    const piece = Buffer.allocUnsafe(PIECE);
    for (let at = 0, count = -1; count !== 0; at += count) {
      count = reading.read(piece, at);
      hash.update(piece.subarray(0, count));
      if (count > 0) yield;
    }
    return hash.digest("hex");
  } finally {
    reading.close();
  }
}

/** Without the change time, which a second name for the file sets anew. */
function contentKey({ stamp, inode }: Entry): string {
  const [modified, , size] = stamp.split("-");
  return `${inode}-${modified}-${size}`;
}

/** What the history is to hold of bytes that stand at a path. */
export function recordedFor(path: string, bytes: Uint8Array): Uint8Array {
  if (isText(path, bytes.length)) return bytes.slice();
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return Buffer.from(pointerText({ sha256, size: bytes.length }));
}

export const versionFor = (path: string, bytes: Uint8Array): string => blobId(recordedFor(path, bytes));
