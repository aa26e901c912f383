/** The guard: a file that we replaced stays within reach for a while, because a program that had it open may still write to it. */

import { createHash } from "node:crypto";
import { attempt, codeOf } from "../notebook/system-errors.ts";
import type { Disk } from "./files.ts";
import { blobId } from "./hash.ts";
import { ageOf, stemOf } from "./home.ts";
import { versionAt } from "./versions.ts";
import { HOME } from "../notebook/vault-path.ts";

export const GUARD = `${HOME}/guard`;

/** More than these are not kept, however young: a thousand files are looked through in some ten milliseconds. */
const GUARDED = 1000;
/** The size above which a text is no note; such a file is kept, but not read. */
const READ_LIMIT = 8 * 1024 * 1024;

/** Any path whose file has a version as attachments have. */
const ATTACHMENT = "attachment";

/**
 * A replaced file in which there is now something else than when it was replaced. `bytes: null` where it is too large;
 * `doubtful` where the machine was started again since: it may as well be what a power cut left of it.
 */
export type LateFile = {
  file: string;
  base: string;
  mark: string;
  bytes: Uint8Array | null;
  doubtful: boolean;
};

const NAME = /^(m[0-9a-z]+)-[0-9a-f]{12}\.([0-9a-f]{40})\.([0-9a-f]{16})\.([0-9a-f]{8})$/;

/** The name under which the file is kept that an operation replaces or removes: what it held, and at which path. */
export function keptName(
  disk: Pick<Disk, "boot">,
  op: { temp: string; path: string; old: string | null },
): string {
  return `${GUARD}/${stemOf(op.temp)}.${op.old}.${markOf(op.path)}.${disk.boot}`;
}

/** A path may be longer than a name, so a name tells it by a hash. */
export function markOf(path: string): string {
  return createHash("sha1").update(path).digest("hex").slice(0, 16);
}

/** Whether anything is kept. What stands in the way of looking is met again, and set aside, by the next change. */
export function isGuarding(disk: Disk): boolean {
  let any = false;
  attempt(() => (any = (disk.names(GUARD)?.file.length ?? 0) > 0));
  return any;
}

/**
 * Drops the files that have been kept long enough and are as they were; gives those that are not, and how many are too young
 * to tell. Only inside the lock: a change that is under way needs what it keeps to take itself back.
 */
export function sweepGuard(
  disk: Disk,
  machine: string,
  milliseconds: number,
): { late: LateFile[]; young: number } {
  const names = disk.names(GUARD);
  if (names === null) return { late: [], young: 0 };
  for (const name of [...names.link, ...names.other]) attempt(() => disk.unlink(`${GUARD}/${name}`));
  const ours = names.file.filter((name) => isOurs(disk, name, machine));
  const byAge = ours.toSorted((a, b) => ageOf(b) - ageOf(a));
  const due = byAge.filter((name, at) => ageOf(name) >= milliseconds || at < ours.length - GUARDED);
  const late = due.flatMap((name) => lateIn(disk, `${GUARD}/${name}`) ?? []);
  return { late, young: ours.length - due.length };
}

/** Anybody can put a file there; one of another copy of the vault was brought by a sync tool. */
function isOurs(disk: Disk, name: string, machine: string): boolean {
  const owner = NAME.exec(name)?.[1];
  if (owner === undefined) attempt(() => disk.unlink(`${GUARD}/${name}`));
  return owner === machine;
}

function lateIn(disk: Disk, file: string): LateFile | null {
  const [, , base, mark, start] = NAME.exec(file.slice(GUARD.length + 1))!;
  let bytes: Uint8Array | null = null;
  try {
    bytes = disk.read(file, READ_LIMIT)?.bytes ?? new Uint8Array();
  } catch (error) {
    // Still being written, or failing: the next sweep looks again.
    if (codeOf(error) !== "EFBIG") return null;
  }
  if (bytes === null ? isWrittenSince(disk, file, start!) : !isAsItWas(disk, file, bytes, base!))
    return { file, base: base!, mark: mark!, bytes, doubtful: start !== disk.boot };
  attempt(() => disk.unlink(file));
  return null;
}

/** A file that somebody emptied, or of which a power cut left zeros, holds nothing that could be lost. */
const isAsItWas = (disk: Disk, file: string, bytes: Uint8Array, base: string): boolean =>
  !bytes.some((byte) => byte !== 0) || blobId(bytes) === base || versionAt(disk, file, ATTACHMENT) === base;

/** A file that was written so shortly before it was replaced may have been written after: times are coarse. */
const COARSE_MS = 1000;

/** A large file is asked for its time alone, because reading it would keep everybody waiting. Names from before the machine was started do not tell when they were made. */
const isWrittenSince = (disk: Disk, file: string, start: string): boolean => {
  const replaced = Date.now() - ageOf(file.slice(GUARD.length + 1));
  return start !== disk.boot || (disk.look(file)?.modified.getTime() ?? 0) > replaced - COARSE_MS;
};
