/** Zlib streams, the form in which git keeps its objects (decision 9). */

import { constants, deflate, deflateSync, inflate, inflateSync } from "node:zlib";

type Done = (error: Error | null, bytes: Buffer) => void;
/** In another thread, where the runtime has one. */
const aside = (begin: (done: Done) => void): Promise<Buffer> =>
  new Promise((resolve, reject) => begin((error, bytes) => (error ? reject(error) : resolve(bytes))));

/** Below this it takes longer to hand the bytes to another thread than to deflate them; INFLATED says how much they may become meanwhile. */
const SMALL = 16 * 1024;
const INFLATED = 256 * 1024;
/** So many bytes are enough to inflate the first letters, whatever table of codes stands before them. */
const BEGINNING = 512;
const LEVEL = 1;

/** `stored`: in the same form, but as they are. */
export async function deflated(bytes: Uint8Array, how?: "stored"): Promise<Buffer> {
  const level = how === "stored" ? 0 : LEVEL;
  if (bytes.length > SMALL) return aside((done) => deflate(bytes, { level }, done));
  return deflateSync(bytes, { level, windowBits: windowFor(bytes), memLevel: 5 });
}

/** A window no larger than the text, and than zlib knows: most of the time of a small text goes into clearing it. */
const windowFor = (bytes: Uint8Array): number =>
  Math.min(15, Math.max(12, Math.ceil(Math.log2(bytes.length + 1))));

/** For what cannot wait: texts that the index keeps. They are read more often than written, so they are made as short as they get. */
export const deflatedAtOnce = (bytes: Uint8Array): Uint8Array =>
  deflateSync(bytes, { windowBits: windowFor(bytes), memLevel: 5 });
export const inflatedAtOnce = (bytes: Uint8Array): Uint8Array => inflateSync(bytes);

export async function inflated(bytes: Uint8Array, how: { maxOutputLength: number }): Promise<Buffer> {
  const small = bytes.length <= SMALL && how.maxOutputLength <= INFLATED;
  return small ? inflateSync(bytes, how) : aside((done) => inflate(bytes, how, done));
}

/** The first letters of what bytes inflate to: half a megabyte at most. */
export const beginningOf = (bytes: Uint8Array): Buffer =>
  inflateSync(bytes.subarray(0, BEGINNING), { finishFlush: constants.Z_SYNC_FLUSH });
