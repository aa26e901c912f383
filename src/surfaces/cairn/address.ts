/** How this surface names notes: by path, without `.md`; and daily notes by their date. */

import { NoteError } from "../../markdown/errors.ts";
import { momentOf, type Clock } from "../../notebook/moments.ts";
import { folderPath, withoutEnding, type NotePath } from "../../notebook/paths.ts";
import { dayAt } from "../../notebook/zone.ts";

export const toCairn = (path: NotePath): string => withoutEnding(path);
export const toFolder = (prefix: string): string => folderPath(prefix);

/** A day as its ISO date, from one or from words such as `yesterday`; today where none is named. */
export function dayNamed(written: string | undefined, clock: Clock): string {
  const moment = written === undefined ? clock.now() : momentOf(written, clock);
  if (moment) return dayAt(moment, clock.timeZone);
  throw new NoteError("input_refused", `"${written}" is no date. Give one such as 2026-02-24.`);
}
