/** The verbs that ask about attachments: which there are, which one a name means, and what is in it. */

import { bytesText } from "../markdown/bytes-text.ts";
import { NoteError } from "../markdown/errors.ts";
import type { Attachments } from "./attachments.ts";
import type { Who } from "./change.ts";
import { PDF_LIMIT } from "./files/pdf.ts";
import type { View } from "./folders/view.ts";
import type { Notebook } from "./notebook.ts";
import { readWithin } from "./memory.ts";
import { isNote, linkedPath } from "./paths.ts";
import { fold } from "./resolve.ts";
import { inTurns } from "./turns.ts";
import type { Waiting } from "./waiting.ts";

export function fileVerbs(
  { parts: { store, index, pdf } }: Pick<View, "parts">,
  who: Who,
  wait: Waiting,
): Pick<Notebook, "files" | "fileNamed" | "file" | "pdf"> {
  const { attachments } = index;
  const file: Notebook["file"] = async (path, most) => {
    const found = await readWithin(
      who.memory,
      () => store.bytes(path, most),
      ({ bytes }) => bytes,
      async () => Math.min((await store.stat(path))?.size ?? 0, most),
    );
    if (found === null) throw missingFile(path);
    return found;
  };
  return {
    async files(query) {
      // While links are not all indexed, a file would be listed as one that none leads to.
      await (query.unused ? wait.toBeIndexed() : wait.toAnswer());
      return inTurns(attachments.list({ ...query, folder: spelled(attachments, query.folder) }));
    },
    async fileNamed(name) {
      const path = linkedPath(name);
      if (isNote(path)) return null;
      if (await store.stat(path)) return path;
      await wait.toName();
      const named = attachments.locate(path);
      // A path with folders means no file elsewhere, only itself in another case or Unicode form.
      const found = path.includes("/") ? named.filter((other) => fold(other) === fold(path)) : named;
      if (found.length < 2) return found[0] ?? null;
      throw new NoteError(
        "name_ambiguous",
        `Several files are called "${name}": ${found.slice(0, NAMED).join(", ")}${found.length > NAMED ? " …" : ""}. Say which, with its folder.`,
        { name, candidates: found.slice(0, NAMED) },
      );
    },
    file,
    async pdf(path, range) {
      if (!pdf) throw new NoteError("file_refused", `"${path}" is a PDF. ${NO_PDF}`);
      const { size } = await file(path, 0);
      if (size > PDF_LIMIT)
        throw new NoteError(
          "too_large",
          `"${path}" is a PDF of ${bytesText(size)}; those up to ${bytesText(PDF_LIMIT)} are read.`,
          { path, size, limit: PDF_LIMIT },
        );
      const { bytes } = await file(path, PDF_LIMIT);
      const read = () => pdf(bytes, range, who.signal);
      try {
        // Another thread does the work, so others may have the place of this call meanwhile.
        return await (who.resting ? who.resting(read) : read());
      } catch (error) {
        if (!(error instanceof NoteError)) throw error;
        throw new NoteError(error.code, `"${path}" ${error.message}.`, { path });
      }
    },
  };
}

const NAMED = 20;
const NO_PDF =
  "The text of PDFs is read where the vault is a folder on your computer, and not by this server.";

const missingFile = (path: string): NoteError =>
  new NoteError("note_missing", `There is no file "${path}".`, { path, file: path });

/** The folder as it is spelled on disk, where it was given in another case or Unicode form. */
function spelled(attachments: Attachments, folder: string): string {
  let place = "";
  for (const segment of folder === "" ? [] : folder.split("/")) {
    const wanted = place === "" ? segment : `${place}/${segment}`;
    const there = attachments.folders(place);
    place = there.find((one) => one === wanted) ?? there.find((one) => fold(one) === fold(wanted)) ?? wanted;
  }
  return place;
}
