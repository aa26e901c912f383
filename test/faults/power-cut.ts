/**
 * T2: what a disk may hold after a power cut. The model is harsher than the file systems people use, which keep the order of
 * their journal:
 *
 * - What was written to a file since it was last flushed may be there, be missing, be there by half, or be zeros.
 * - A name that was made, moved or taken away since its folder was last flushed may be so or not, each for itself and in any
 *   order; only steps on the same name, or below a folder that was made, keep theirs. A rename happens at both ends or at none.
 * - Flushing a folder makes durable what was done to the names in it, at both ends of a rename. Flushing a file makes its bytes
 *   durable, not its name.
 */

import type { Dice } from "./dice.ts";
import type { Op } from "./trace.ts";

export type Before = { path: string; bytes: Buffer }[];
export type Disk = { folders: Set<string>; files: Map<string, Buffer> };
type Named = Extract<Op, { do: "create" | "mkdir" | "rename" | "link" | "unlink" }>;
type Loss = "as written" | "missing" | "half" | "zeros";
const LOSSES: Loss[] = ["as written", "missing", "half", "zeros"];

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const isNamed = (op: Op): op is Named => ["create", "mkdir", "rename", "link", "unlink"].includes(op.do);
const namesOf = (op: Named): string[] => ("from" in op ? [op.from, op.to] : [op.path]);

/** Steps on names before the cut: which are durable, and which others each needs. */
function stepsBefore(ops: readonly Op[]): { op: Named; durable: boolean; needs: number[] }[] {
  const steps: { op: Named; durable: boolean; needs: number[] }[] = [];
  const last = new Map<string, number>();
  const made = new Map<string, number>();
  const keep = (at: number): void => {
    if (steps[at]!.durable) return;
    steps[at]!.durable = true;
    steps[at]!.needs.forEach(keep);
  };
  for (const op of ops) {
    if (op.do === "flush folder")
      steps.forEach((step, at) => namesOf(step.op).some((name) => folderOf(name) === op.path) && keep(at));
    if (!isNamed(op)) continue;
    const needs = namesOf(op).flatMap((name) => [last.get(name), made.get(folderOf(name))]);
    steps.push({ op, durable: false, needs: needs.filter((at) => at !== undefined) });
    for (const name of namesOf(op)) last.set(name, steps.length - 1);
    if (op.do === "mkdir") made.set(op.path, steps.length - 1);
  }
  return steps;
}

/** One disk that a cut after these calls may leave. `likely` is how many of the unflushed steps are kept, in tenths. */
export function cutState(before: Before, ops: readonly Op[], chance: Dice, likely: number): Disk {
  const steps = stepsBefore(ops);
  const kept = new Set<number>();
  steps.forEach(({ durable, needs }, at) => {
    if (durable || (chance.below(10) < likely && needs.every((other) => kept.has(other)))) kept.add(at);
  });
  const disk: Disk = { folders: new Set(), files: new Map() };
  const named = new Map<string, number>(before.map(({ path }, number) => [path, number]));
  for (const at of [...kept].toSorted((a, b) => a - b)) {
    const { op } = steps[at]!;
    if (op.do === "mkdir") disk.folders.add(op.path);
    else if (op.do === "create") named.set(op.path, op.file);
    else if (op.do === "unlink") named.delete(op.path);
    else {
      const file = named.get(op.from)!;
      if (op.do === "rename") named.delete(op.from);
      named.set(op.to, file);
    }
  }
  const bytes = bytesAfter(before, ops, chance);
  for (const [path, file] of named) disk.files.set(path, bytes(file));
  return disk;
}

/** What each file holds: the same under all its names. */
function bytesAfter(before: Before, ops: readonly Op[], chance: Dice): (file: number) => Buffer {
  const known = new Map<number, Buffer>();
  return (file) => {
    if (known.has(file)) return known.get(file)!;
    const mine = ops.filter((op) => (op.do === "write" || op.do === "flush") && op.file === file);
    const flushed = mine.findLastIndex((op) => op.do === "flush");
    const written = (list: readonly Op[]) =>
      Buffer.concat(list.flatMap((op) => (op.do === "write" ? [op.bytes] : [])));
    const start = before[file]?.bytes ?? Buffer.alloc(0);
    const safe = Buffer.concat([start, written(mine.slice(0, flushed + 1))]);
    const risky = written(mine.slice(flushed + 1));
    const result = risky.length === 0 ? safe : Buffer.concat([safe, lossy(risky, chance.pick(LOSSES))]);
    known.set(file, result);
    return result;
  };
}

function lossy(bytes: Buffer, loss: Loss): Buffer {
  if (loss === "missing") return Buffer.alloc(0);
  if (loss === "zeros") return Buffer.alloc(bytes.length);
  return loss === "half" ? bytes.subarray(0, bytes.length >> 1) : bytes;
}

export const keyOf = ({ folders, files }: Disk): string =>
  [
    ...[...folders].toSorted(),
    ...[...files].map(([path, bytes]) => `${path}:${bytes.toString("base64")}`).toSorted(),
  ].join("\n");
