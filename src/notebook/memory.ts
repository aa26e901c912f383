/** Reading within what a call may hold in memory. */

import type { Who } from "./change.ts";

export async function readWithin<T extends object>(
  memory: Who["memory"],
  read: () => Promise<T | null>,
  bytesOf: (it: T) => Uint8Array,
  size?: () => Promise<number>,
): Promise<T | null> {
  // Where others wait already, it is known before it is read: many who read a long note at once would all read it twice.
  if (size && memory?.crowded()) {
    await memory.take(await size());
    return read();
  }
  const found = await read();
  const wait = found && memory?.take(bytesOf(found).length);
  // Not awaited here, where what was read would be kept meanwhile.
  return wait ? wait.then(read) : found;
}
