/** undo_changes: changes taken back as a unit, and single notes set back to a revision. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";
import { EDITS, tool } from "../../surface.ts";
import { exactPath } from "../address.ts";
import { changedAnswer } from "../changed.ts";
import { CHANGED, dry_run } from "./parameters.ts";
import { revisionsMeant } from "../../../notebook/revisions.ts";
import { counted, shortRevision } from "../say.ts";

export const undoChanges = tool({
  name: "undo_changes",
  description:
    "Take changes back: revisions; or the last N, or all since a time, of this connection or of author. What others wrote since is kept. Or set note back to revision to, also a deleted one.",
  annotations: { ...EDITS, title: "Undo changes" },
  input: z.object({
    revisions: z.array(z.string()).optional(),
    last: z.int().optional(),
    since: z.string().optional(),
    author: z.string().optional(),
    skip: z.array(z.string()).optional().describe("paths to leave alone"),
    note: z.string().optional(),
    to: z.string().optional(),
    dry_run,
  }),
  output: CHANGED,
  async run(notebook, { note, to, skip, dry_run: dryRun = false, ...meant }) {
    if (note !== undefined || to !== undefined) {
      if (note === undefined || to === undefined)
        throw new NoteError(
          "input_refused",
          "note and to belong together: the note, and the revision it is set back to.",
        );
      const { id } = await notebook.revision(to);
      return changedAnswer(await notebook.restore(exactPath(note), id, { dryRun }), [
        `Set back to ${shortRevision(id)}:`,
      ]);
    }
    const revisions = await revisionsMeant(notebook, meant);
    const set = await notebook.undo(revisions, { dryRun, skip: (skip ?? []).map(exactPath) });
    const also = `Taken back: ${counted(revisions.length, "revision")}.`;
    return changedAnswer(set, [also], { undone: revisions.slice(0, 50).map(({ id }) => shortRevision(id)) });
  },
});
