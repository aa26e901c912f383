/** list_notes of files: those that are no notes, or of them those that no link leads to, by path, a page at a time. */

import { bytesText } from "../../markdown/bytes-text.ts";
import { NoteError } from "../../markdown/errors.ts";
import { escaped } from "../../markdown/label.ts";
import type { AttachmentQuery } from "../../notebook/attachments.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { coverageOf } from "../fitting.ts";
import type { Answer } from "../surface.ts";
import { coverageData, listHead, plural, time, withoutEmpty } from "./say.ts";

/** A cursor is the last path that was given, in letters that survive every client. */
export async function fileList(
  notebook: Notebook,
  query: Pick<AttachmentQuery, "folder" | "unused">,
  most: number,
  cursor: string | undefined,
): Promise<Answer> {
  const after = cursor === undefined ? "" : pathIn(cursor);
  const { attachments, total } = await notebook.files({ ...query, after, limit: most + 1 });
  const found = coverageOf(notebook);
  const files = attachments
    .slice(0, most)
    .map(({ path, size, modified }) => ({ path, size, modified: time(modified) }));
  const next = attachments.length > most ? encodeURIComponent(files.at(-1)!.path) : null;
  const kind = query.unused ? " that no link leads to" : "";
  const shown = files.length < total ? `, ${files.length} shown` : "";
  return {
    text: [
      [
        listHead(`${plural(total, "file")}${kind}${shown}.`, total, found),
        ...files.map(({ path, size, modified }) => `${escaped(path)} ${bytesText(size)} ${modified}`),
        ...(next === null ? [] : [`More: cursor ${next}`]),
      ].join("\n"),
    ],
    structured: { total, files, ...withoutEmpty({ cursor: next, ...coverageData(found) }) },
  };
}

function pathIn(cursor: string): string {
  try {
    return decodeURIComponent(cursor);
  } catch {
    throw new NoteError("input_refused", "That cursor is not one of this list. Begin again without it.");
  }
}
