/** How this surface names notes: by path, without `.md`; and daily notes by their date. */

import { NoteError } from "../../markdown/errors.ts";
import { folderPath, withoutEnding, type NotePath } from "../../notebook/paths.ts";

export const toCairn = (path: NotePath): string => withoutEnding(path);
export const toFolder = (prefix: string): string => folderPath(prefix);

/** The day it is in a time zone, as `yyyy-MM-dd`. */
export function today(now: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return parts.format(now);
}

export function checkDate(written: string): string {
  const date = new Date(`${written}T00:00:00Z`);
  if (
    /^\d{4}-\d{2}-\d{2}$/.test(written) &&
    !Number.isNaN(date.getTime()) &&
    date.toISOString().startsWith(written)
  )
    return written;
  throw new NoteError("input_refused", `"${written}" is no date. Give one such as 2026-02-24.`);
}
