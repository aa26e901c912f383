/** The version of some bytes: the id git gives them as a blob, so that history and store speak of the same thing; and the hash of what is too large to be held. */

import { createHash } from "node:crypto";

export function blobId(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

/** The SHA-256 of a stream, in hex digits: no more of it than a piece is in memory. */
export async function streamSha256(stream: ReadableStream<Uint8Array>): Promise<string> {
  const hash = createHash("sha256");
  const reader = stream.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) hash.update(piece.value);
  return hash.digest("hex");
}
