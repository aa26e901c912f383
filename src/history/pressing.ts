/** Zlib streams, the form in which git keeps its objects: pressed, unpressed, or only wrapped. */

import { promisify } from "node:util";
import { deflate, deflateSync, inflate, inflateSync } from "node:zlib";

const deflateAside = promisify<Uint8Array, { level: number }, Buffer>(deflate);
const inflateAside = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflate);

/** Below this it takes longer to hand the bytes to another thread than to press them. What they may unfold to is no more than a blink. */
const SMALL = 16 * 1024;
const LEVEL = 1;

export async function pressed(bytes: Uint8Array): Promise<Buffer> {
  if (bytes.length > SMALL) return deflateAside(bytes, { level: LEVEL });
  // A window no larger than the text: most of the time of a small one goes into clearing it.
  const windowBits = Math.max(12, Math.ceil(Math.log2(bytes.length + 1)));
  return deflateSync(bytes, { level: LEVEL, windowBits, memLevel: 5 });
}

export async function unpressed(bytes: Uint8Array, how: { maxOutputLength: number }): Promise<Buffer> {
  return bytes.length > SMALL ? inflateAside(bytes, how) : inflateSync(bytes, how);
}

/**
 * A file takes whole blocks of the disk, mostly of 4096 bytes. What fits into one as it is would not take less when
 * pressed, and to begin a pressing costs more than all the rest of writing a small object. Packs press everything anyway.
 */
const BLOCK = 4096;
const HEAD = 7;
const TAIL = 4;

/** The bytes of a loose object as its file holds them. */
export async function asLoose(bytes: Buffer): Promise<Buffer> {
  return HEAD + bytes.length + TAIL <= BLOCK ? wrapped(bytes) : pressed(bytes);
}

/** One stored block, the last (RFC 1951, 3.2.4), between zlib's header and checksum (RFC 1950). */
function wrapped(bytes: Buffer): Buffer {
  const stream = Buffer.allocUnsafe(HEAD + bytes.length + TAIL);
  stream[0] = 0x78;
  stream[1] = 0x01;
  stream[2] = 1;
  stream.writeUInt16LE(bytes.length, 3);
  stream.writeUInt16LE(~bytes.length & 0xffff, 5);
  bytes.copy(stream, HEAD);
  stream.writeUInt32BE(adler32(bytes), HEAD + bytes.length);
  return stream;
}

// Short enough that neither sum leaves the numbers that are exact.
function adler32(bytes: Buffer): number {
  let [low, high] = [1, 0];
  for (const byte of bytes) {
    low += byte;
    high += low;
  }
  return (high % 65_521) * 65_536 + (low % 65_521);
}
