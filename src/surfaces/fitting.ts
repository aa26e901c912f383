/** Lists in answers: as many whole items as one answer has room for, and a remark of its own on what is left out. */

import type { Found } from "../notebook/filter.ts";
import type { Answer } from "./surface.ts";

/** An answer is at most 1 MiB; what is kept back is for what stands around a list: its head, the remark, an opening block. */
export const LIST_ROOM = (1024 - 64) * 1024;

const encoder = new TextEncoder();

/** The first items whose words fit together. `between` is what stands between two of them, in bytes. */
export function fitting<T>(
  items: readonly T[],
  worded: (item: T) => string,
  between: number,
  room = LIST_ROOM,
): T[] {
  let used = 0;
  const over = items.findIndex((item) => (used += encoder.encode(worded(item)).length + between) > room);
  return over === -1 ? [...items] : items.slice(0, over);
}

/** What a reader of a list must know besides the list; "" where it is all there. */
export const listRemark = (
  shown: number,
  total: number,
  found: Pick<Found, "partial"> = { partial: false },
): string =>
  [
    shown < total ? `Cut to what fits in one answer: ${shown} of ${total} are shown.` : "",
    found.partial ? "The notes are still being indexed, so some may be missing; ask again in a moment." : "",
  ]
    .filter((line) => line !== "")
    .join("\n");

/** The answer itself where there is nothing to remark on; else its text with the remark in a block of its own. */
export const remarked = (answer: string | object, remark: string): Answer =>
  remark === "" ? answer : { text: typeof answer === "string" ? answer : JSON.stringify(answer), remark };
