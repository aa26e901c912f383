/** undo_changes: changes taken back as a unit, and single notes set back to a revision. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";
import { requiredMoment } from "../../../notebook/moments.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import type { Revision } from "../../../notebook/parts.ts";
import { lastRevisions, namedRevisions, RANGE_LIMIT } from "../../../notebook/revisions.ts";
import { EDITS, tool, type Answer } from "../../surface.ts";
import { exactPath } from "../address.ts";
import { changedAnswer } from "../changed.ts";
import { CHANGED, dry_run } from "./parameters.ts";
import { plural, shortRevision } from "../say.ts";

const REVISIONS_SHOWN = 50;

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
  async run(notebook, { note, to, skip, dry_run: dryRun = false, ...choice }) {
    if (note !== undefined || to !== undefined) return setBack(notebook, note, to, dryRun);
    const revisions = await chosenRevisions(notebook, choice);
    const changeset = await notebook.undo(revisions, { dryRun, skip: (skip ?? []).map(exactPath) });
    return changedAnswer(changeset, [`Taken back: ${plural(revisions.length, "revision")}.`], {
      undone: revisions.slice(0, REVISIONS_SHOWN).map(({ id }) => shortRevision(id)),
    });
  },
});

async function setBack(
  notebook: Notebook,
  note: string | undefined,
  to: string | undefined,
  dryRun: boolean,
): Promise<Answer> {
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

type Choice = { revisions?: string[]; author?: string; since?: string; last?: number };

/** The revisions to take back, newest first. Without an author they are those of the caller's own connection. */
async function chosenRevisions(
  notebook: Notebook,
  { revisions, author, since, last }: Choice,
): Promise<Revision[]> {
  if (revisions !== undefined) {
    if (author !== undefined || since !== undefined || last !== undefined)
      throw new NoteError("input_refused", "Give either revisions, or author, since and last.");
    return namedRevisions(notebook, revisions);
  }
  if (since === undefined && last === undefined)
    throw new NoteError("input_refused", "Say what to undo: revisions, or last or since, or note with to.");
  if (last !== undefined && last < 1) throw new NoteError("input_refused", "last is a number from 1.");
  const { client, connection } = notebook.who;
  const found = await lastRevisions(notebook, author === undefined ? { client, connection } : { author }, {
    ...(since === undefined ? {} : { since: requiredMoment(since, notebook) }),
    ...(last === undefined ? {} : { last }),
    limit: RANGE_LIMIT,
  });
  if (found.length > 0) return found;
  throw new NoteError(
    "revision_missing",
    author === undefined
      ? "Nothing was changed on this connection in that time. Name an author, or revisions."
      : `Nothing by "${author}" is recorded in that time.`,
  );
}
