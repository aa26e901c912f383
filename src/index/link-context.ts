/** The words around a link: as much of its own line as fits 50 characters on either side. */

import { wholeCharacters } from "../search/scripts.ts";

const EITHER_SIDE = 50;
/** A link may itself be of any length. */
const LONGEST = 300;

export function contextOf(text: string, start: number, end: number): string {
  const before = text.slice(Math.max(0, start - EITHER_SIDE), start);
  const after = text.slice(end, end + EITHER_SIDE);
  const link = text.slice(start, Math.min(end, start + LONGEST));
  const left = before.slice(before.lastIndexOf("\n") + 1);
  const stop = after.indexOf("\n");
  const right = stop < 0 ? after : after.slice(0, stop);
  return [left, link, right].map(wholeCharacters).join("").replace(/\s+/g, " ").trim();
}
