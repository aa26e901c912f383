/** Deltas: an object as what differs from another that is much like it, in one stretch. */

import { asBuffer } from "./hashing.ts";

/** How much two texts have in common at their beginnings, and at their ends beyond that. */
export function sharedEnds(one: Uint8Array, other: Uint8Array): { start: number; end: number } {
  const [a, b] = [asBuffer(one), asBuffer(other)];
  const most = Math.min(a.length, b.length);
  let start = 0;
  for (const chunk of CHUNKS)
    while (start + chunk <= most && a.compare(b, start, start + chunk, start, start + chunk) === 0)
      start += chunk;
  while (start < most && a[start] === b[start]) start++;
  const left = most - start;
  let end = 0;
  const same = (from: number, length: number) =>
    a.compare(b, b.length - from - length, b.length - from, a.length - from - length, a.length - from) === 0;
  for (const chunk of CHUNKS) while (end + chunk <= left && same(end, chunk)) end += chunk;
  while (end < left && a[a.length - end - 1] === b[b.length - end - 1]) end++;
  return { start, end };
}

/** Bytes compared at a time, until they differ: to go through thousands one by one takes long before V8 has compiled it. */
const CHUNKS = [4096, 64];
/** The most that one step of a delta copies, and inserts. */
const COPIED = 0xffff;
const INSERTED = 127;

/** As packs keep it (gitformat-pack): both sizes, then stretches copied from the base and bytes put in between. */
export function deltaOf(base: Uint8Array, body: Uint8Array): Buffer {
  const { start, end } = sharedEnds(base, body);
  const bytes: number[] = [...sizeBytes(base.length), ...sizeBytes(body.length)];
  copy(bytes, 0, start);
  for (let at = start; at < body.length - end; at += INSERTED) {
    const piece = body.subarray(at, Math.min(at + INSERTED, body.length - end));
    bytes.push(piece.length, ...piece);
  }
  copy(bytes, base.length - end, base.length);
  return Buffer.from(bytes);
}

function copy(bytes: number[], from: number, to: number): void {
  for (let at = from; at < to; at += COPIED) {
    const size = Math.min(COPIED, to - at);
    // Four bytes of the place and two of the size, none left out.
    bytes.push(0b1011_1111, at & 255, (at >>> 8) & 255, (at >>> 16) & 255, at >>> 24, size & 255, size >>> 8);
  }
}

/** Seven bits a byte, the lowest first. */
function sizeBytes(size: number): number[] {
  const bytes: number[] = [];
  let rest = size;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest & 127) | 128);
  return [...bytes, rest];
}
