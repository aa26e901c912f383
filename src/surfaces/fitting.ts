/** Lists in answers: as many whole items as one answer has room for, and a remark of its own on what is left out. */

import type { Found } from "../notebook/filter.ts";
import { saySoFar } from "../notebook/waiting.ts";
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

/** Whether a list may lack something, and how far a first indexing has come where that is why. */
export type Partly = Pick<Found, "partial" | "soFar">;

/** What is known of a list that is no search. */
export const partly = (soFar: Found["soFar"] | null): Partly =>
  soFar ? { partial: true, soFar } : { partial: false };

/** Why a list may lack something; "" where it does not. */
export const partialRemark = ({ partial, soFar }: Partly): string => {
  if (soFar) return `Still indexing, ${saySoFar(soFar)}: ask again in a moment for the rest.`;
  return partial ? "There was no time to look at every note, so some may be missing." : "";
};

/** What a reader of a list must know besides the list; "" where it is all there. */
export const listRemark = (shown: number, total: number, found: Partly = { partial: false }): string =>
  [
    shown < total ? `Cut to what fits in one answer: ${shown} of ${total} are shown.` : "",
    partialRemark(found),
  ]
    .filter((line) => line !== "")
    .join("\n");

/** A list in words, with its remark. One that is empty while the notes are being indexed says only that: nothing has been looked for in vain yet. */
export const listInWords = (words: string, shown: number, total: number, found: Partly): Answer =>
  total === 0 && found.soFar ? partialRemark(found) : remarked(words, listRemark(shown, total, found));

/** The answer itself where there is nothing to remark on; else its text with the remark in a block of its own. */
export const remarked = (answer: string | object, remark: string): Answer =>
  remark === "" ? answer : { text: typeof answer === "string" ? answer : JSON.stringify(answer), remark };
