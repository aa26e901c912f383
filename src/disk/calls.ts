/** Calls: the few system calls that reach a vault, as a value, so that a test can count, fail or cut off any of them. */

import * as fs from "node:fs";
import { promisify } from "node:util";

export type Calls = {
  /** Whether `/proc/self/fd/<number>/<name>` means "this name in that open folder", as it does on Linux. */
  handles: boolean;
  open(path: string, flags: number, mode?: number): number;
  close(file: number): void;
  /** Reads from this place in the file to the same place in `into`. */
  read(file: number, into: Uint8Array, at: number): number;
  /** Reads from this place in the file to the beginning of `into`. */
  readPiece(file: number, into: Uint8Array, at: number): number;
  write(file: number, bytes: Uint8Array, at: number): number;
  fsync(file: number): void;
  /** Flushes beside other work: several at a time are written to the disk's journal at once. */
  fsyncAside(file: number): Promise<void>;
  fchmod(file: number, mode: number): void;
  fstat(file: number): fs.BigIntStats;
  /** Gives undefined where there is nothing. */
  lstat(path: string): fs.BigIntStats | undefined;
  /** Refused where a folder may not be read or entered. */
  access(path: string): void;
  readdir(path: string): fs.Dirent[];
  /** The names alone, without what they are, which for many takes half the time. */
  readnames(path: string): string[];
  /** The path as the disk spells it, where a disk may take two spellings for one name; null where it may not. */
  spelling: ((path: string) => string) | null;
  /** The number by which the kernel calls this kind of disk; null where it does not say. */
  diskType(path: string): number | null;
  mkdir(path: string, mode?: number): void;
  rename(from: string, to: string): void;
  link(from: string, to: string): void;
  unlink(path: string): void;
  /** Refused where the folder is not empty. */
  rmdir(path: string): void;
};

const fsyncAside = promisify(fs.fsync);

// Synchronous on purpose: on a local disk each takes microseconds, and the thread pool would cost more than the call.
export const realCalls: Calls = {
  handles: process.platform === "linux" && fs.existsSync("/proc/self/fd"),
  open: (path, flags, mode) => fs.openSync(path, flags, mode),
  close: (file) => fs.closeSync(file),
  read: (file, into, at) => fs.readSync(file, into, at, into.length - at, at),
  readPiece: (file, into, at) => fs.readSync(file, into, 0, into.length, at),
  write: (file, bytes, at) => fs.writeSync(file, bytes, at, bytes.length - at, null),
  fsync: (file) => fs.fsyncSync(file),
  fsyncAside,
  fchmod: (file, mode) => fs.fchmodSync(file, mode),
  fstat: (file) => fs.fstatSync(file, { bigint: true }),
  lstat: (path) => fs.lstatSync(path, { bigint: true, throwIfNoEntry: false }),
  access: (path) => fs.accessSync(path, fs.constants.R_OK | fs.constants.X_OK),
  readdir: (path) => fs.readdirSync(path, { withFileTypes: true }),
  readnames: (path) => fs.readdirSync(path),
  spelling: ["darwin", "win32"].includes(process.platform) ? (path) => fs.realpathSync.native(path) : null,
  diskType: (path) => (process.platform === "linux" ? fs.statfsSync(path).type : null),
  mkdir: (path, mode) => fs.mkdirSync(path, mode),
  rename: (from, to) => fs.renameSync(from, to),
  link: (from, to) => fs.linkSync(from, to),
  unlink: (path) => fs.unlinkSync(path),
  rmdir: (path) => fs.rmdirSync(path),
};

// Windows lacks most of these; there a link is only found by looking before opening.
const flag = (name: "O_NOFOLLOW" | "O_NONBLOCK" | "O_DIRECTORY"): number => fs.constants[name] ?? 0;
/** Never through a link, never waiting on a pipe. */
export const TO_READ = fs.constants.O_RDONLY | flag("O_NOFOLLOW") | flag("O_NONBLOCK");
/** Windows flushes only what may be written. */
export const TO_FLUSH = fs.constants.O_RDWR | flag("O_NOFOLLOW") | flag("O_NONBLOCK");
export const TO_CREATE =
  fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL | flag("O_NOFOLLOW");
export const TO_ENTER = fs.constants.O_RDONLY | fs.constants.O_DIRECTORY | flag("O_NOFOLLOW");
