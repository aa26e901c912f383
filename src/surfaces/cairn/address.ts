/** How this surface names notes: by path, without `.md`; and daily notes by their date. */

import { NoteError } from "../../markdown/errors.ts";
import { folderPath, withoutEnding, type NotePath } from "../../notebook/paths.ts";
import { isDay } from "../../notebook/zone.ts";

export const toCairn = (path: NotePath): string => withoutEnding(path);
export const toFolder = (prefix: string): string => folderPath(prefix);

export function checkDate(written: string): string {
  if (isDay(written)) return written;
  throw new NoteError("input_refused", `"${written}" is no date. Give one such as 2026-02-24.`);
}
