/** System calls that go wrong: a process that dies, or is refused, at one chosen mutating call. */

import * as fs from "node:fs";
import type { Calls } from "../../src/disk/calls.ts";

export type Fault = "die before" | "die after" | "half write" | "ENOSPC" | "EACCES" | "EIO" | "EIO for good";
export const FAULTS: Fault[] = [
  "die before",
  "die after",
  "half write",
  "ENOSPC",
  "EACCES",
  "EIO",
  "EIO for good",
];
export const DEATH = new Error("the process died");

/** `count` of mutating calls so far, and which each was; `fired` once the fault was met. */
export type Seen = { count: number; dead: boolean; fired: boolean; names: string[] };
export type Faulty = { calls: Calls; seen: Seen };

/** The calls of a process that meets its fault at the mutating call number `at`. Handles are closed even after death, as the kernel would. */
export function faulty(at: number, fault: Fault, base: Calls, dieLater = Infinity): Faulty {
  const seen: Seen = { count: 0, dead: false, fired: false, names: [] };

  /** True where the call is to go through; `after` is then done and the process dies. */
  const meets = (name: string): "nothing" | "die after" | "half write" => {
    if (seen.dead) throw DEATH;
    const now = seen.count++;
    seen.names.push(name);
    if (now === at + dieLater) {
      seen.dead = true;
      throw DEATH;
    }
    if (fault === "EIO for good" ? now < at : now !== at) return "nothing";
    seen.fired = true;
    const code = /^E[A-Z]+/.exec(fault)?.[0];
    if (code) throw Object.assign(new Error("made to fail"), { code });
    seen.dead = true;
    if (fault === "die before") throw DEATH;
    return fault as "die after" | "half write";
  };
  const mutating =
    <A extends unknown[], R>(name: string, call: (...values: A) => R, half?: (...values: A) => void) =>
    (...values: A): R => {
      const met = meets(name);
      if (met === "nothing") return call(...values);
      if (met === "half write") half?.(...values);
      else call(...values);
      throw DEATH;
    };
  const alive =
    <A extends unknown[], R>(call: (...values: A) => R) =>
    (...values: A): R => {
      if (seen.dead) throw DEATH;
      return call(...values);
    };
  const create = mutating("create", base.open);
  const calls: Calls = {
    handles: base.handles,
    spelling: base.spelling,
    access: base.access,
    open: (path, flags, mode) =>
      (flags & fs.constants.O_CREAT ? create : alive(base.open))(path, flags, mode),
    close: base.close,
    read: alive(base.read),
    readPiece: alive(base.readPiece),
    write: mutating("write", base.write, (file, bytes, from) => {
      base.write(file, bytes.subarray(0, from + Math.ceil((bytes.length - from) / 2)), from);
    }),
    fsync: mutating("fsync", base.fsync),
    async fsyncAside(file) {
      const met = meets("fsync");
      if (met !== "half write") await base.fsyncAside(file);
      if (met !== "nothing") throw DEATH;
    },
    fchmod: mutating("fchmod", base.fchmod),
    fstat: alive(base.fstat),
    lstat: alive(base.lstat),
    readdir: alive(base.readdir),
    readnames: alive(base.readnames),
    diskType: alive(base.diskType),
    mkdir: mutating("mkdir", base.mkdir),
    rename: mutating("rename", base.rename),
    link: mutating("link", base.link),
    unlink: mutating("unlink", base.unlink),
    rmdir: mutating("rmdir", base.rmdir),
  };
  return { calls, seen };
}

const MEMORY = "/dev/shm";
const { TMPDIR = "/tmp" } = process.env;
/** A disk in memory, where there is one: flushes are counted there, but not paid for. */
export const quickPlace = fs.existsSync(MEMORY) && !TMPDIR.startsWith(MEMORY) ? MEMORY : TMPDIR;
