/** Zlib streams, the form in which git keeps its objects: pressed, unpressed, or only wrapped. */

import { promisify } from "node:util";
import { constants, deflate, deflateSync, inflate, inflateSync } from "node:zlib";
import { headerOf, type Kind } from "./objects.ts";

const deflateAside = promisify<Uint8Array, { level: number }, Buffer>(deflate);
const inflateAside = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflate);

/** Below this it takes longer to hand the bytes to another thread than to press them; UNFOLDED says how much they may become meanwhile. */
const SMALL = 16 * 1024;
const UNFOLDED = 256 * 1024;
/** From so many bytes at least the first letters can be told, whatever table of codes stands before them. */
const BEGINNING = 512;
const LEVEL = 1;

export async function pressed(bytes: Uint8Array): Promise<Buffer> {
  if (bytes.length > SMALL) return deflateAside(bytes, { level: LEVEL });
  // A window no larger than the text: most of the time of a small one goes into clearing it.
  const windowBits = Math.max(12, Math.ceil(Math.log2(bytes.length + 1)));
  return deflateSync(bytes, { level: LEVEL, windowBits, memLevel: 5 });
}

export async function unpressed(bytes: Uint8Array, how: { maxOutputLength: number }): Promise<Buffer> {
  const small = bytes.length <= SMALL && how.maxOutputLength <= UNFOLDED;
  return small ? inflateSync(bytes, how) : inflateAside(bytes, how);
}

/** The first letters of what bytes unfold to: half a megabyte at most. */
export const beginningOf = (bytes: Uint8Array): Buffer =>
  inflateSync(bytes.subarray(0, BEGINNING), { finishFlush: constants.Z_SYNC_FLUSH });

/**
 * A file takes whole blocks of the disk, mostly of 4096 bytes. What fits into one as it is would not take less when
 * pressed, and to begin a pressing costs more than all the rest of writing a small object.
 */
const BLOCK = 4096;
/** Most of a tree is ids, which do not get shorter; but one of ten thousand notes is written anew for each of them that changes. */
const TREE_LIMIT = 4 * 1024 * 1024;
const HEAD = 2;
const TAIL = 4;
/** In front of each piece that is stored as it is, and the most it may hold. */
const PIECE_HEAD = 5;
const PIECE = 0xffff;

/** An object as the file of a loose one holds it. Packs press everything anyway. */
export async function asLoose(kind: Kind, body: Uint8Array): Promise<Buffer> {
  const bytes = Buffer.concat([headerOf(kind, body.length), body]);
  const fits = bytes.length <= (kind === "tree" ? TREE_LIMIT : BLOCK - HEAD - PIECE_HEAD - TAIL);
  return fits ? wrapped(bytes) : pressed(bytes);
}

/** Stored pieces (RFC 1951, 3.2.4) between zlib's header and checksum (RFC 1950). */
function wrapped(bytes: Buffer): Buffer {
  const pieces = Math.max(1, Math.ceil(bytes.length / PIECE));
  const stream = Buffer.allocUnsafe(HEAD + pieces * PIECE_HEAD + bytes.length + TAIL);
  stream.writeUInt16BE(0x7801, 0);
  let at = HEAD;
  for (let piece = 0; piece < pieces; piece++) {
    const part = bytes.subarray(piece * PIECE, (piece + 1) * PIECE);
    stream[at] = Number(piece === pieces - 1);
    stream.writeUInt16LE(part.length, at + 1);
    stream.writeUInt16LE(~part.length & 0xffff, at + 3);
    part.copy(stream, at + PIECE_HEAD);
    at += PIECE_HEAD + part.length;
  }
  stream.writeUInt32BE(adler32(bytes), at);
  return stream;
}

const ADLER = 65_521;
/** So many bytes can be summed up before the sums leave 32 bits. */
const SUMMED = 5552;

function adler32(bytes: Buffer): number {
  let [low, high] = [1, 0];
  for (let from = 0; from < bytes.length; from += SUMMED) {
    const to = Math.min(from + SUMMED, bytes.length);
    for (let at = from; at < to; at++) {
      low += bytes[at]!;
      high += low;
    }
    low %= ADLER;
    high %= ADLER;
  }
  return high * 65_536 + low;
}
