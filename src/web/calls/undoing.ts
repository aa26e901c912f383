/** Taking back: what it does to each note, what stays, and what stands in its way. */

import { NoteError } from "../../markdown/errors.ts";
import type { Change, Changeset } from "../../notebook/change.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import type { Revision } from "../../notebook/parts.ts";
import type { NotePath } from "../../notebook/paths.ts";
import type { UndoConflict } from "../../notebook/undo/one-note.ts";
import type { ChangedNote, Touched, Undoing } from "../wire.ts";
import { diffRoom, fitting, type WordCounts } from "./diffs.ts";
import { issueWords } from "./issue-words.ts";

const SHOWN = 50;
/** Bytes of each list of an answer: it may not fail for its size once notes are written. */
const LIST_ROOM = 64 * 1024;
const CONFLICTS_ROOM = 960 * 1024;

export type UndoHow = {
  skip: NotePath[];
  preview: boolean;
  /** One note at one revision, instead of revisions taken back. */
  restore?: { path: NotePath; revision: string };
};

export const undoing = async (
  notebook: Notebook,
  count: WordCounts,
  revisions: Revision[],
  { skip, preview, restore }: UndoHow,
): Promise<Undoing> => {
  try {
    const how = { dryRun: preview };
    const made = restore
      ? await notebook.restore(restore.path, restore.revision, how)
      : await notebook.undo(revisions, { ...how, skip });
    return { ...(await shown(count, made, revisions)), revisions: revisions.length };
  } catch (error) {
    const conflicts = conflictsIn(error);
    if (!preview || conflicts === null) throw error;
    const diffOf = diffRoom();
    const found = conflicts.map(({ path, reason, now, earlier }) => ({
      path,
      reason,
      diff: diffOf(now ?? "", earlier ?? ""),
    }));
    return {
      changed: [],
      touched: 0,
      stays: [],
      conflicts: fitting(found, CONFLICTS_ROOM),
      revision: null,
      revisions: revisions.length,
      broken: [],
    };
  }
};

const conflictsIn = (error: unknown): UndoConflict[] | null =>
  error instanceof NoteError && error.code === "version_conflict"
    ? ((error.details["conflicts"] as UndoConflict[] | undefined) ?? null)
    : null;

const shown = async (
  count: WordCounts,
  { changes: planned, revision, broken }: Changeset,
  revisions: readonly Revision[],
): Promise<Omit<Undoing, "revisions">> => {
  // What is as it was before already is planned, and not written.
  const changes = planned.filter(
    ({ from, before, after }) => from !== undefined || before?.version !== after?.version,
  );
  const changed: ChangedNote[] = [];
  const diffOf = diffRoom();
  for (const change of changes.slice(0, SHOWN)) {
    const diff = diffOf(change.before?.text ?? "", change.after?.text ?? "");
    changed.push({ ...(await touchedBy(count, change)), diff });
  }
  return {
    changed,
    touched: changes.length,
    stays: fitting(
      changes.filter((change) => keepsMore(change, revisions)).map(({ path }) => path),
      LIST_ROOM,
    ),
    conflicts: [],
    revision,
    broken: fitting(
      broken.map(({ path, verdict }) => ({ path, issues: verdict.issues.map((issue) => issueWords(issue)) })),
      LIST_ROOM,
    ),
  };
};

/** Whether the note will not be as it was before the oldest of the changes: somebody wrote in it since. */
const keepsMore = ({ path, after }: Change, revisions: readonly Revision[]): boolean => {
  const oldest = revisions.at(-1)?.changes.find((change) => change.path === path || change.from === path);
  return oldest !== undefined && after !== null && oldest.before !== after.version;
};

const touchedBy = async (count: WordCounts, { path, from, before, after }: Change): Promise<Touched> => ({
  path,
  ...(from === undefined ? {} : { from }),
  done: after === null ? "removed" : before === null ? "created" : from === undefined ? "edited" : "moved",
  ...(await count({ before: before?.version ?? null, after: after?.version ?? null }, async (version) =>
    version === before?.version ? (before?.text ?? null) : (after?.text ?? null),
  )),
});
