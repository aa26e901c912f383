/** Loose objects and the one ref, in the folder of a bare repository inside a vault. */

import { randomBytes } from "node:crypto";
import { codeOf } from "../disk/calls.ts";
import { attempt, type Disk } from "../disk/files.ts";
import { headerOf, idOf, isId, type GitObject, type Kind } from "./objects.ts";
import { asLoose, unpressed } from "./pressing.ts";

/** `dir` is relative to the vault. `durable`: an answer waits until the disk has what was written. */
export type Repo = { disk: Disk; dir: string; durable: boolean };

export const REF = "refs/heads/main";
/** No object of ours is larger; a small file that swells beyond this is an attack. */
export const OBJECT_LIMIT = 64 * 1024 * 1024;

const KINDS = new Set<string>(["blob", "tree", "commit", "tag"]);
const REF_LIMIT = 1024 * 1024;
const PLACE_TRIES = 5;
const REF_WAIT_MS = 20;
const REF_TRIES = 10;

export type NewObject = { id: string; kind: Kind; body: Uint8Array };
export const newObject = (kind: Kind, body: Uint8Array): NewObject => ({ id: idOf(kind, body), kind, body });

const placeOf = (id: string): string => `objects/${id.slice(0, 2)}/${id.slice(2)}`;

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
  return bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : null;
}

/** Null where it is absent or not what its name says: a damaged object is as good as none. */
export async function readLoose(repo: Repo, id: string): Promise<GitObject | null> {
  const bytes = readFile(repo, placeOf(id), OBJECT_LIMIT);
  if (!bytes) return null;
  let whole: Buffer;
  try {
    whole = await unpressed(bytes, { maxOutputLength: OBJECT_LIMIT });
  } catch {
    return null;
  }
  const end = whole.indexOf(0);
  const kind = whole.toString("latin1", 0, Math.max(0, whole.indexOf(0x20)));
  if (end === -1 || !KINDS.has(kind)) return null;
  const object = { kind: kind as Kind, body: whole.subarray(end + 1) };
  return idOf(object.kind, object.body) === id ? object : null;
}

/** Objects that are written, and the ref that will stand for them: beside its place, until it is set. */
export type Staged = {
  /** What the objects take. */
  bytes: number;
  /** Moves the ref, if it still stands at `from`, once the disk has what it will stand for. */
  set(from: string | null): Promise<void>;
  drop(): void;
};

/** Writes objects and begins to flush them. Temporary files lie in `tmp`, which belongs to whoever holds the vault's lock. */
export async function stage(repo: Repo, to: string, objects: readonly NewObject[]): Promise<Staged> {
  const { disk, dir, durable } = repo;
  const each = [...new Map(objects.map((object) => [object.id, object])).values()];
  const files = await Promise.all(
    each.map(({ kind, body }) => asLoose(Buffer.concat([headerOf(kind, body.length), body]))),
  );
  const ref = temporaryIn(`${dir}/tmp`);
  let flushed: Promise<void> = Promise.resolve();
  await disk.keepingFoldersOpen(async (held) => {
    each.forEach(({ id }, at) => placeFile(held, `${dir}/tmp`, files[at]!, `${dir}/${placeOf(id)}`));
    held.create(ref, Buffer.from(`${to}\n`), { mode: null, durable: false });
    // All at a time take hardly longer than one. One that is gone was packed by git just now, which flushes it itself.
    if (durable) flushed = held.flush([ref, ...each.map(({ id }) => `${dir}/${placeOf(id)}`)]);
  });
  // Told by `set`; a change that is given up meanwhile does not care.
  flushed.catch(() => {});
  return {
    bytes: files.reduce((sum, file) => sum + file.length, 0),
    async set(from) {
      await flushed;
      await guarded(repo, () => {
        if (readHead(repo) !== from) throw new Error("the history was moved on by another program");
        disk.rename(ref, `${dir}/${REF}`);
      });
    },
    drop: () => void attempt(() => disk.unlink(ref)),
  };
}

const temporaryIn = (folder: string): string => `${folder}/tmp_${randomBytes(6).toString("hex")}`;

/** Whole or not at all, in the place of what is there. `tmp` is a folder for the time between. */
export function placeFile(disk: Disk, tmp: string, bytes: Uint8Array, place: string): void {
  const temporary = temporaryIn(tmp);
  disk.create(temporary, bytes, { mode: null, durable: false });
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
      if (tries > 1) disk.makeFolder(to.slice(0, to.lastIndexOf("/")), { durable: false });
      return disk.rename(from, to);
    } catch (error) {
      if (!["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "") || tries === PLACE_TRIES) throw error;
    }
  }
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
async function guarded({ disk, dir }: Repo, work: () => void): Promise<void> {
  const guard = `${dir}/${REF}.lock`;
  for (let tries = 1; ; tries++) {
    try {
      disk.create(guard, new Uint8Array(), { mode: null, durable: false });
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
