/** Loose objects and the one ref, in the folder of a bare repository inside a vault. */

import { randomBytes } from "node:crypto";
import { attempt, codeOf } from "../notebook/system-errors.ts";
import type { Disk } from "../disk/files.ts";
import { asBuffer, idOf } from "./hashing.ts";
import { isId, LIMITS, OBJECT_LIMIT, type GitObject, type Kind } from "./objects.ts";
import { beginningOf, inflated } from "./deflate.ts";

/** `dir` is relative to the vault. `durable`: an answer waits until the disk has what was written. */
export type Repo = { disk: Disk; dir: string; durable: boolean };

export const REF = "refs/heads/main";

const HEADER = /^(blob|tree|commit|tag) (\d{1,9})\0/;
const REF_LIMIT = 1024 * 1024;
const PLACE_TRIES = 5;
const REF_WAIT_MS = 20;
const REF_TRIES = 10;

export const placeOf = (id: string): string => `objects/${id.slice(0, 2)}/${id.slice(2)}`;

/** Null also for what lies behind a link, or is far too large: nothing of ours. */
export function ifOurs<T>(look: () => T): T | null {
  try {
    return look();
  } catch (error) {
    if (codeOf(error) === "ELOOP" || codeOf(error) === "EFBIG") return null;
    throw error;
  }
}

export function readFile({ disk, dir }: Repo, name: string, limit: number): Buffer | null {
  const bytes = ifOurs(() => disk.read(`${dir}/${name}`, limit)?.bytes);
  return bytes ? asBuffer(bytes) : null;
}

/** Null where it is absent or not what its name says: a damaged object is as good as none. */
export async function readLoose(repo: Repo, id: string): Promise<GitObject | null> {
  const bytes = readFile(repo, placeOf(id), OBJECT_LIMIT);
  if (!bytes) return null;
  try {
    // What it is and how large it will be stands at its beginning, and is looked at before the rest is unfolded.
    const head = HEADER.exec(beginningOf(bytes).toString("latin1", 0, 32));
    if (!head) return null;
    const [header, kind, size] = [head[0], head[1] as Kind, Number(head[2])];
    if (size > LIMITS[kind]) return null;
    const whole = await inflated(bytes, { maxOutputLength: header.length + size });
    const object = { kind, body: whole.subarray(header.length) };
    return idOf(object.kind, object.body) === id ? object : null;
  } catch {
    return null;
  }
}

const temporaryIn = (folder: string): string => `${folder}/tmp_${randomBytes(6).toString("hex")}`;

/** Whole or not at all, in the place of what is there. `tmp` is a folder for the time between. */
export function placeFile(disk: Disk, tmp: string, bytes: Uint8Array, place: string): void {
  const temporary = temporaryIn(tmp);
  disk.create(temporary, bytes, { mode: "own", durable: false });
  try {
    renameInto(disk, temporary, place);
  } catch (error) {
    attempt(() => disk.unlink(temporary));
    throw error;
  }
}

// The folder is made only where it is missing. Git, packing beside us, takes those away that have become empty: also one
// that has just been made, which then shows as gone or, to whoever was making it, as no folder.
function renameInto(disk: Disk, from: string, to: string): void {
  for (let tries = 1; ; tries++) {
    try {
      if (tries > 1) makeLast(disk, to.slice(0, to.lastIndexOf("/")));
      return disk.rename(from, to);
    } catch (error) {
      if (!["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "") || tries === PLACE_TRIES) throw error;
    }
  }
}

// Only the last: where more is missing, somebody is deleting the history.
function makeLast(disk: Disk, folder: string): void {
  if (disk.look(folder.slice(0, folder.lastIndexOf("/")))?.kind === "folder")
    disk.makeFolder(folder, { durable: false });
}

/** The newest commit; null before the first; `damaged` where something else stands there. */
export function readHead(repo: Repo): string | null | "damaged" {
  const loose = readFile(repo, REF, REF_LIMIT);
  if (loose) {
    const id = loose.toString("latin1").replace(/\n$/, "");
    return isId(id) ? id : "damaged";
  }
  if (ifOurs(() => repo.disk.look(`${repo.dir}/${REF}`) === null) !== true) return "damaged";
  const packed = readFile(repo, "packed-refs", REF_LIMIT)?.toString("latin1") ?? "";
  return /^([0-9a-f]{40}) refs\/heads\/main$/m.exec(packed)?.[1] ?? null;
}

// Git itself guards a ref by `<ref>.lock`, so a `git gc` that somebody runs by hand and we do not cross each other.
// We are alone in the vault: a guard that does not go away was left by a process that died.
export async function guarded({ disk, dir }: Repo, work: () => void): Promise<void> {
  const guard = `${dir}/${REF}.lock`;
  for (let tries = 1; ; tries++) {
    try {
      disk.create(guard, new Uint8Array(), { mode: "own", durable: false });
      break;
    } catch (error) {
      if (codeOf(error) !== "EEXIST" || tries > REF_TRIES) throw error;
      if (tries === REF_TRIES) disk.unlink(guard);
      else await new Promise((done) => setTimeout(done, REF_WAIT_MS));
    }
  }
  try {
    work();
  } finally {
    attempt(() => disk.unlink(guard));
  }
}
