/** A trace: every mutating system call of a process, in order, in the terms of a disk: files, names, and what was flushed. */

import * as fs from "node:fs";
import { realCalls, type Calls } from "../../src/disk/calls.ts";

/** A file by a number of its own, whatever names it has. Paths are relative to the vault. */
export type Op =
  | { do: "create"; path: string; file: number }
  | { do: "write"; file: number; bytes: Buffer }
  | { do: "flush"; file: number }
  | { do: "flush folder"; path: string }
  | { do: "mkdir"; path: string }
  | { do: "rename"; from: string; to: string }
  | { do: "link"; from: string; to: string }
  | { do: "unlink"; path: string }
  /** Not a call: from here on this is promised. */
  | { do: "promise"; notes: Record<string, string> };

export type Trace = { calls: Calls; ops: Op[]; files: Map<string, number> };

/** Files that are there before the trace begins are numbered first, in the order of their paths. */
export function traced(root: string, before: readonly string[]): Trace {
  const ops: Op[] = [];
  // Names as they are now, to know which file a handle is on.
  const names = new Map(before.map((path, number) => [path, number]));
  const files = new Map(names);
  const open = new Map<number, { file: number } | { folder: string }>();
  let count = before.length;
  const inside = (path: string): string => (path === root ? "" : path.slice(root.length + 1));

  // Without handles on folders every path is a plain one; the calls that change something are the same.
  const calls: Calls = {
    ...realCalls,
    handles: false,
    open(place, flags, mode) {
      const handle = realCalls.open(place, flags, mode);
      const path = inside(place);
      if (flags & fs.constants.O_CREAT) {
        names.set(path, count);
        ops.push({ do: "create", path, file: count++ });
      }
      const file = names.get(path);
      open.set(handle, file === undefined ? { folder: path } : { file });
      return handle;
    },
    close(handle) {
      open.delete(handle);
      realCalls.close(handle);
    },
    write(handle, bytes, at) {
      const length = realCalls.write(handle, bytes, at);
      const of = open.get(handle)!;
      if ("file" in of)
        ops.push({ do: "write", file: of.file, bytes: Buffer.from(bytes.subarray(at, at + length)) });
      return length;
    },
    fsync(handle) {
      realCalls.fsync(handle);
      flushed(handle);
    },
    async fsyncAside(handle) {
      await realCalls.fsyncAside(handle);
      flushed(handle);
    },
    mkdir(path, mode) {
      realCalls.mkdir(path, mode);
      ops.push({ do: "mkdir", path: inside(path) });
    },
    rename(from, to) {
      realCalls.rename(from, to);
      const [source, target] = [inside(from), inside(to)];
      const [moved, replaced] = [names.get(source), names.get(target)];
      // Two names of one file: rename(2) then does nothing.
      if (moved !== undefined && moved === replaced) return;
      if (moved === undefined) throw new Error("a folder was renamed; the model has none of that");
      names.delete(source);
      names.set(target, moved);
      ops.push({ do: "rename", from: source, to: target });
    },
    link(from, to) {
      realCalls.link(from, to);
      names.set(inside(to), names.get(inside(from))!);
      ops.push({ do: "link", from: inside(from), to: inside(to) });
    },
    unlink(path) {
      realCalls.unlink(path);
      names.delete(inside(path));
      ops.push({ do: "unlink", path: inside(path) });
    },
  };
  function flushed(handle: number): void {
    const of = open.get(handle)!;
    ops.push("file" in of ? { do: "flush", file: of.file } : { do: "flush folder", path: of.folder });
  }
  return { calls, ops, files };
}
