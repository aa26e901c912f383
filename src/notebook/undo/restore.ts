/** Restore: one note as it was at one revision. */

import type { Plan } from "../change.ts";
import { NoteError } from "../../markdown/errors.ts";
import type { Parts } from "../parts.ts";
import type { NotePath } from "../paths.ts";
import { load, missing } from "../load.ts";

export async function planRestore(parts: Parts, path: NotePath, revision: string): Promise<Plan> {
  const before = await load(parts, path);
  // Under its old name it would be a second note beside the one that was moved.
  if (!before && (await parts.history.movedTo(path))) throw await missing(parts, path);
  const bytes = await parts.history.read(path, revision);
  if (!bytes) throw unknownVersion(path, revision);
  const at = before?.path ?? path;
  const after = await parts.openNote(at, bytes, parts.versionOf(bytes), parts.now());
  return { changes: [{ path: at, before, after, why: "asked" }], backlinkers: [] };
}

export const unknownVersion = (path: NotePath, revision: string): NoteError =>
  new NoteError(
    "revision_missing",
    `The note "${path}" has no version ${JSON.stringify(revision)}. Its history lists those there are.`,
    {
      path,
      revision,
    },
  );
