/** The version of some bytes: the id git gives them as a blob, so that history and store speak of the same thing. */

import { createHash } from "node:crypto";

export function blobId(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
