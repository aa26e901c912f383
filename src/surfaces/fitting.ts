/** Lists in answers: as many whole items as one answer has room for, and a remark of its own on what is left out. */

import type { Found } from "../notebook/filter.ts";
import type { Notebook } from "../notebook/notebook.ts";
import { saySoFar } from "../notebook/waiting.ts";
import type { Answer } from "./surface.ts";

/** An answer is at most 1 MiB; what is kept back is for what stands around a list: its head, the remark, an opening block. */
export const LIST_ROOM = (1024 - 64) * 1024;

const encoder = new TextEncoder();

/** The first items whose texts fit into one answer together. `between` is what stands between two of them, in bytes. */
export function firstThatFit<T>(
  items: readonly T[],
  toText: (item: T) => string,
  between: number,
  room = LIST_ROOM,
): T[] {
  let used = 0;
  const over = items.findIndex((item) => (used += encoder.encode(toText(item)).length + between) > room);
  return over === -1 ? [...items] : items.slice(0, over);
}

/** Whether a list may lack something, and how far a first indexing has come, or how many notes could not be read, where that is why. */
export type Coverage = Pick<Found, "partial" | "soFar" | "unread">;

/** The coverage of a list that is no search. */
export function coverageOf(notebook: Pick<Notebook, "soFar" | "unread">): Coverage {
  const [soFar, unread] = [notebook.soFar(), notebook.unread()];
  return {
    partial: soFar !== null || unread > 0,
    ...(soFar === null ? {} : { soFar }),
    ...(unread === 0 ? {} : { unread }),
  };
}

/** Why a list may lack something; "" where it does not. */
export const partialRemark = ({ partial, soFar, unread }: Coverage): string => {
  if (soFar) return `Still indexing, ${saySoFar(soFar)}: ask again in a moment for the rest.`;
  if (unread)
    return `${unread === 1 ? "1 note" : `${unread} notes`} could not be read when last tried, so what stands there may be missing; it is tried again.`;
  return partial ? "There was no time to look at every note, so some may be missing." : "";
};

/** The remark on a list that is not all there; "" where it is. */
export const listRemark = (shown: number, total: number, found: Coverage = { partial: false }): string =>
  [
    shown < total ? `Cut to what fits in one answer: ${shown} of ${total} are shown.` : "",
    partialRemark(found),
  ]
    .filter((line) => line !== "")
    .join("\n");

/** A list in words, with its remark. One that is empty while the notes are being indexed says only that: nothing has been looked for in vain yet. */
export const listInWords = (words: string, shown: number, total: number, found: Coverage): Answer =>
  total === 0 && found.soFar ? partialRemark(found) : withRemark(words, listRemark(shown, total, found));

/** The answer itself where there is nothing to remark on; else its text with the remark in a block of its own. */
export const withRemark = (answer: string | object, remark: string): Answer =>
  remark === "" ? answer : { text: typeof answer === "string" ? answer : JSON.stringify(answer), remark };
