/** How an object begins in a pack (gitformat-pack). */

import type { Kind } from "./objects.ts";

export const KINDS: Record<Kind, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** Kind and size, four bits of it in the first byte and seven in each that follows. */
export function entryHead(kind: number, size: number): Uint8Array {
  const bytes: number[] = [];
  let byte = (kind << 4) | (size & 15);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
  }
  return Uint8Array.from([...bytes, byte]);
}
