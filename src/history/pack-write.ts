/** Writing packs: many objects in one file with its index, where a file for each would be too many (decision 5). */

import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { deltaOf } from "./delta.ts";
import { breather } from "../notebook/turns.ts";
import type { Gathering } from "./keeping.ts";
import { placeFile, type Repo } from "./loose.ts";
import { idOf } from "./hashing.ts";
import { PACKS } from "./pack.ts";
import { entryHead, KINDS } from "./pack-entry.ts";
import { deflated } from "./deflate.ts";

type Place = { id: string; offset: number; checksum: number };

/** A delta that names the object it is based on. */
const DELTA = 7;
/** Each pack is made in memory and written in one go, short enough that nobody waits for it. */
const PACK_BYTES = 8 * 1024 * 1024;
const HEADER = 12;

/** `tmp`: where files lie until they are whole. That of the history belongs to whoever holds the vault's lock. */
export function beginPack(repo: Repo, tmp = `${repo.dir}/${PACKS}`): Gathering {
  const written = new Set<string>();
  let places: Place[] = [];
  let pieces: Buffer[] = [];
  let length = HEADER;
  // Deflating small texts waits for nothing; others get their turn all the same.
  const breathe = breather();

  async function write(): Promise<void> {
    if (places.length === 0) return;
    const header = Buffer.alloc(HEADER);
    header.write("PACK", "latin1");
    header.writeUInt32BE(2, 4);
    header.writeUInt32BE(places.length, 8);
    const body = Buffer.concat([header, ...pieces]);
    const checksum = sha1(body);
    const index = packIndex(places, checksum);
    [places, pieces, length] = [[], [], HEADER];
    const name = `pack-${checksum.toString("hex")}`;
    const folder = `${repo.dir}/${PACKS}`;
    // The index last: a pack is only looked at where it has one.
    for (const [ending, bytes] of [
      ["pack", Buffer.concat([body, checksum])],
      ["idx", index],
    ] as const)
      placeFile(repo.disk, tmp, bytes, `${folder}/${name}.${ending}`);
    if (repo.durable) await repo.disk.flush([`${folder}/${name}.pack`, `${folder}/${name}.idx`]);
  }

  return {
    has: (id) => written.has(id),
    async add(kind, body, like) {
      await breathe();
      const id = idOf(kind, body);
      if (written.has(id)) return;
      written.add(id);
      const bytes = Buffer.concat(
        // Its base must lie in the same file.
        like && places.some((place) => place.id === like.id)
          ? await deltaEntry(like, body)
          : [entryHead(KINDS[kind], body.length), await deflated(body)],
      );
      places.push({ id, offset: length, checksum: crc32(bytes) });
      pieces.push(bytes);
      length += bytes.length;
      if (length > PACK_BYTES) await write();
    },
    end: write,
  };
}

async function deltaEntry(like: { id: string; body: Uint8Array }, body: Uint8Array): Promise<Uint8Array[]> {
  const delta = deltaOf(like.body, body);
  return [entryHead(DELTA, delta.length), Buffer.from(like.id, "hex"), await deflated(delta)];
}

/** Version 2: fan-out, sorted ids, checksums, offsets; no pack of ours is so large that it needs long ones. */
function packIndex(places: readonly Place[], checksum: Buffer): Buffer {
  const sorted = places.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const count = sorted.length;
  const names = 8 + 256 * 4;
  const bytes = Buffer.alloc(names + count * 28 + 20);
  bytes.writeUInt32BE(0xff744f63, 0);
  bytes.writeUInt32BE(2, 4);
  sorted.forEach((place, at) => {
    bytes.write(place.id, names + at * 20, "hex");
    bytes.writeUInt32BE(place.checksum, names + count * 20 + at * 4);
    bytes.writeUInt32BE(place.offset, names + count * 24 + at * 4);
  });
  for (let first = 0, below = 0; first < 256; first++) {
    while (below < count && parseInt(sorted[below]!.id.slice(0, 2), 16) <= first) below++;
    bytes.writeUInt32BE(below, 8 + first * 4);
  }
  checksum.copy(bytes, bytes.length - 20);
  return Buffer.concat([bytes, sha1(bytes)]);
}

const sha1 = (bytes: Buffer): Buffer => createHash("sha1").update(bytes).digest();
