/** Reading git's packs: look an id up in the index beside a pack, inflate, apply deltas. No program is started for it (decision 5). */

import { closeSync, read, readSync } from "node:fs";
import { promisify } from "node:util";
import { codeOf } from "../notebook/system-errors.ts";
import { walkBudget } from "./budget.ts";
import { ifOurs, readFile, type Repo } from "./loose.ts";
import { inflated } from "./deflate.ts";
import { idOf } from "./hashing.ts";
import { LIMITS, OBJECT_LIMIT, type GitObject, type Kind } from "./objects.ts";

type Pack = { index: Buffer; count: number; file: number; end: number; readers: number };
export type Packs = {
  read(id: string): Promise<GitObject | null>;
  /** Also from packs that have come since it last looked. */
  readAnew(id: string): Promise<GitObject | null>;
  close(): void;
};

/** Where the ids begin in an index: after its head and the fan-out. */
const NAMES = 8 + 256 * 4;
/** Indexes are kept in memory: two million objects in one, and no more in all than twice that. */
const INDEX_LIMIT = 64 * 1024 * 1024;
const INDEXES_LIMIT = 2 * INDEX_LIMIT;
/** Each is held open. Ours are put together long before there are so many. */
const PACKS_LIMIT = 500;
/** Git itself never makes a longer chain of deltas. */
const CHAIN_LIMIT = 4096;
/** What the objects along one chain take together: fifty times the largest note. */
const CHAIN_BYTES = 512 * 1024 * 1024;
const KINDS: Record<number, Kind> = { 1: "commit", 2: "tree", 3: "blob", 4: "tag" };
const OFFSET_DELTA = 6;
const ID_DELTA = 7;

/** Up to this size it takes longer to wait for another thread than for the disk. */
const SMALL = 64 * 1024;
const readAside = promisify(read);

export const PACKS = "objects/pack";
const INDEX_NAME = /^pack-[0-9a-f]{40}\.idx$/;

export const packNames = (repo: Repo): string[] =>
  (ifOurs(() => repo.disk.names(`${repo.dir}/${PACKS}`)?.file) ?? []).filter((name) => INDEX_NAME.test(name));

export function openPacks(repo: Repo): Packs {
  const packs = new Map<string, Pack>();
  /** Names of what is no pack, so that it is not read again at every miss. */
  const none = new Set<string>();

  // Packs come and go while others tidy up: on a miss we look again. A pack that is gone but open still reads.
  function lookAgain(): void {
    const names = packNames(repo).slice(0, PACKS_LIMIT);
    let bytes = 0;
    for (const { index } of packs.values()) bytes += index.length;
    for (const name of names) {
      if (packs.has(name) || none.has(name)) continue;
      const pack = openPack(repo, name, Math.min(INDEX_LIMIT, INDEXES_LIMIT - bytes));
      if (pack === "none") none.add(name);
      else if (pack) {
        packs.set(name, pack);
        bytes += pack.index.length;
      }
    }
    for (const [name, pack] of packs) {
      if (names.includes(name) || pack.readers > 0) continue;
      packs.delete(name);
      closeSync(pack.file);
    }
  }

  async function find(id: string): Promise<GitObject | null> {
    const sought = Buffer.from(id, "hex");
    for (const pack of packs.values()) {
      const offset = offsetOf(pack, sought);
      if (offset === null) continue;
      pack.readers++;
      try {
        const object = await readAt(pack, offset);
        if (idOf(object.kind, object.body) === id) return object;
      } catch (error) {
        // A damaged pack is as good as none, and another may hold the object; a disk that fails is another matter.
        if (isDiskError(error)) throw error;
      } finally {
        pack.readers--;
      }
    }
    return null;
  }

  return {
    read: find,
    readAnew(id) {
      lookAgain();
      return find(id);
    },
    close() {
      for (const pack of packs.values()) closeSync(pack.file);
      packs.clear();
    },
  };
}

function openPack(repo: Repo, name: string, limit: number): Pack | "none" | null {
  const index = readFile(repo, `${PACKS}/${name}`, limit);
  const body = `${repo.dir}/${PACKS}/${name.replace(/idx$/, "pack")}`;
  if (!index) return null;
  if (index.length < NAMES || index.readUInt32BE(0) !== 0xff744f63 || index.readUInt32BE(4) !== 2)
    return "none";
  const count = index.readUInt32BE(NAMES - 4);
  if (index.length < NAMES + count * 28 + 40) return "none";
  const held = ifOurs(() => repo.disk.hold(body));
  return held && { index, count, file: held.file, end: held.size - 20, readers: 0 };
}

/** What the objects of the packs take on the disk: each lasts to where the next begins. */
export function packedSizes(repo: Repo): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const name of packNames(repo).slice(0, PACKS_LIMIT)) {
    const pack = openPack(repo, name, INDEX_LIMIT);
    if (pack === null || pack === "none") continue;
    closeSync(pack.file);
    const { index, count, end } = pack;
    const idAt = (at: number): Buffer => index.subarray(NAMES + at * 20, NAMES + at * 20 + 20);
    const places = Array.from({ length: count }, (_, at) => ({
      id: idAt(at),
      at: offsetOf(pack, idAt(at)) ?? end,
    }));
    places.sort((one, other) => one.at - other.at);
    for (const [at, place] of places.entries())
      sizes.set(place.id.toString("hex"), (places[at + 1]?.at ?? end) - place.at);
  }
  return sizes;
}

// The system's codes are one word; those of zlib and of Node itself have an underscore.
const isDiskError = (error: unknown): boolean => /^E[A-Z0-9]+$/.test(codeOf(error) ?? "");

// Version 2 of the index: fan-out, sorted ids, checksums, offsets of 31 bits, offsets of 64 bits for what lies beyond.
function offsetOf({ index, count }: Pack, id: Buffer): number | null {
  let low = id[0] === 0 ? 0 : index.readUInt32BE(8 + (id[0]! - 1) * 4);
  let high = Math.min(count, index.readUInt32BE(8 + id[0]! * 4));
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = index.compare(id, 0, 20, NAMES + middle * 20, NAMES + middle * 20 + 20);
    if (order === 0) {
      const short = index.readUInt32BE(NAMES + count * 24 + middle * 4);
      if (short < 0x80000000) return short;
      const at = NAMES + count * 28 + (short - 0x80000000) * 8;
      return at + 8 <= index.length ? Number(index.readBigUInt64BE(at)) : null;
    }
    if (order > 0) high = middle;
    else low = middle + 1;
  }
  return null;
}

async function readAt(pack: Pack, start: number): Promise<GitObject> {
  const deltas: Buffer[] = [];
  let unfolded = 0;
  for (let offset = start; deltas.length <= CHAIN_LIMIT;) {
    const { kind, size, base, body } = await entryAt(pack, offset);
    const known = KINDS[kind];
    if (base === null && !known) throw new Error("no such kind of object");
    if (size > (base === null ? LIMITS[known!] : OBJECT_LIMIT - unfolded)) throw new Error("too large");
    unfolded += size;
    const bytes = await inflatedAt(pack, body, size);
    if (base === null) return { kind: known!, body: await applied(bytes, deltas, LIMITS[known!]) };
    deltas.push(bytes);
    const next = typeof base === "number" ? base : offsetOf(pack, base);
    if (next === null || next < 12 || next === offset) throw new Error("the base of a delta is missing");
    offset = next;
  }
  throw new Error("too long a chain of deltas");
}

/** The last delta of a chain first. */
async function applied(base: Buffer, deltas: readonly Buffer[], limit: number): Promise<Buffer> {
  const budget = walkBudget();
  let text = base;
  let left = CHAIN_BYTES;
  for (const delta of deltas.toReversed()) {
    text = applyDelta(text, delta, Math.min(limit, left));
    left -= text.length;
    await budget.turn();
  }
  return text;
}

/** The few bytes in front of an entry: kind and size, and for a delta where its base is. */
async function entryAt(
  pack: Pack,
  offset: number,
): Promise<{ kind: number; size: number; base: number | Buffer | null; body: number }> {
  const head = await piece(pack, offset, 64);
  let at = 0;
  let byte = head[at++] ?? 0;
  const kind = (byte >> 4) & 7;
  let size = byte & 15;
  for (let scale = 16; byte & 0x80; scale *= 128) {
    byte = head[at++] ?? 0;
    size += (byte & 0x7f) * scale;
  }
  if (kind === ID_DELTA) return { kind, size, base: head.subarray(at, at + 20), body: offset + at + 20 };
  if (kind !== OFFSET_DELTA) return { kind, size, base: null, body: offset + at };
  byte = head[at++] ?? 0;
  let back = byte & 0x7f;
  while (byte & 0x80) {
    byte = head[at++] ?? 0;
    back = (back + 1) * 128 + (byte & 0x7f);
  }
  return { kind, size, base: offset - back, body: offset + at };
}

// The packed length is not written down; deflate never takes more than this, and what follows the end is ignored.
async function inflatedAt(pack: Pack, offset: number, size: number): Promise<Buffer> {
  const bytes = await inflated(await piece(pack, offset, size + (size >> 10) + 64), {
    maxOutputLength: size + 1,
  });
  if (bytes.length !== size) throw new Error("not the size it should have");
  return bytes;
}

async function piece({ file, end }: Pack, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(Math.max(0, Math.min(length, end - offset)));
  const there =
    bytes.length <= SMALL
      ? readSync(file, bytes, 0, bytes.length, offset)
      : (await readAside(file, bytes, 0, bytes.length, offset)).bytesRead;
  return bytes.subarray(0, there);
}

/** A delta is a list of "copy from the base" and "insert these bytes". `limit`: the most that may come of it. */
export function applyDelta(base: Buffer, delta: Buffer, limit = OBJECT_LIMIT): Buffer {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = delta[at++];
      if (byte === undefined || scale > 2 ** 42) throw new Error("a delta is cut off");
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
  };
  const from = number();
  const size = number();
  if (from !== base.length || size > limit) throw new Error("a delta does not fit its base");
  const out = Buffer.alloc(size);
  let filled = 0;
  while (at < delta.length) {
    const op = delta[at++]!;
    if (op === 0) throw new Error("a delta has an unknown step");
    if (op < 0x80) {
      if (at + op > delta.length || filled + op > size) throw new Error("a delta is cut off");
      filled += delta.copy(out, filled, at, at + op);
      at += op;
      continue;
    }
    let offset = 0;
    let length = 0;
    for (let bit = 0; bit < 4; bit++) if (op & (1 << bit)) offset += (delta[at++] ?? 0) * 2 ** (8 * bit);
    for (let bit = 0; bit < 3; bit++) if (op & (0x10 << bit)) length += (delta[at++] ?? 0) * 2 ** (8 * bit);
    if (length === 0) length = 0x10000;
    if (offset + length > base.length || filled + length > size) throw new Error("a delta reaches too far");
    filled += base.copy(out, filled, offset, offset + length);
  }
  if (filled !== size) throw new Error("a delta is too short");
  return out;
}
