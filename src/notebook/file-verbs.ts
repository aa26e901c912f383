/** The verbs that ask about attachments: which there are, which one a name means, and what its first bytes are. */

import { NoteError } from "../markdown/errors.ts";
import type { Attachments } from "./attachments.ts";
import type { Who } from "./change.ts";
import type { View } from "./folders/view.ts";
import type { Notebook } from "./notebook.ts";
import { readWithin } from "./memory.ts";
import { isNote, linkedPath } from "./paths.ts";
import { fold } from "./resolve.ts";
import { inTurns } from "./turns.ts";
import type { Waiting } from "./waiting.ts";

export function fileVerbs(
  { parts: { store, index } }: Pick<View, "parts">,
  who: Who,
  wait: Waiting,
): Pick<Notebook, "files" | "fileNamed" | "file"> {
  const { attachments } = index;
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
    async file(path, most) {
      const found = await readWithin(
        who.memory,
        () => store.bytes(path, most),
        ({ bytes }) => bytes,
        async () => Math.min((await store.stat(path))?.size ?? 0, most),
      );
      if (found === null) throw missingFile(path);
      return found;
    },
  };
}

const NAMED = 20;

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
