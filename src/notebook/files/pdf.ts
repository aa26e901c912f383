/** Text of PDFs, by page: what a reader of them is asked and gives, and how pages are named. */

import { NoteError } from "../../markdown/errors.ts";

/** Pages from 1 on; `to` is infinite where all that follow are meant. */
export type PageRange = { from: number; to: number };
/** `texts`: of the pages from the first that was asked for, as far as there was room; at least one. `pages`: how many the file has. */
export type PdfText = { pages: number; texts: string[] };
/** Takes the bytes over. Refuses with `file_refused`, in words that follow the file's name. */
export type PdfReader = (
  bytes: Uint8Array,
  range: PageRange,
  signal: AbortSignal | undefined,
) => Promise<PdfText>;

/** The largest PDF that is read. */
export const PDF_LIMIT = 32 * 1024 * 1024;

/** The pages that `page=3`, `page=3-5` or `page=3-` names; all, where no page is named. */
export function pagesIn(anchor: string): PageRange {
  const written = /(?:^|&)page=([^&]*)/.exec(anchor)?.[1];
  if (written === undefined) return { from: 1, to: Number.POSITIVE_INFINITY };
  const [, first = "", dash, last = ""] = /^(\d{1,9})(-)?(\d{1,9})?$/.exec(written) ?? [];
  const from = Number(first);
  const to = last !== "" ? Number(last) : dash === undefined ? from : Number.POSITIVE_INFINITY;
  if (first !== "" && from >= 1 && to >= from) return { from, to };
  throw new NoteError(
    "input_refused",
    `Pages are such as #page=3 or #page=3-5, not ${JSON.stringify(written.slice(0, 40))}.`,
  );
}
