/** The verbs that change notes: each is a plan, made inside the lock, and a commit. */

import type { Who } from "./change.ts";
import { commit, type Engine } from "./commit.ts";
import type { Notebook } from "./notebook.ts";
import { withoutEnding } from "./paths.ts";
import { planEdit, planMove, planRemove, planWrite, type EditOf, type Move } from "./plan.ts";
import { planUndo, undoMessage } from "./undo/plan.ts";
import { planRestore } from "./undo/restore.ts";
import type { Waiting } from "./waiting.ts";

type Changes = "write" | "edit" | "move" | "remove" | "restore" | "undo";

export function changeVerbs(engine: Engine, who: Who, wait: Waiting): Pick<Notebook, Changes> {
  const { parts } = engine;
  return {
    write: (path, text, how = {}) => commit(engine, who, how, () => planWrite(parts, path, text, how)),
    edit: (edits: readonly EditOf[], how = {}) => commit(engine, who, how, () => planEdit(parts, edits, how)),
    async move(moves: readonly Move[], how = {}) {
      await wait.toChange();
      return commit(engine, who, how, () => planMove(parts, moves, how, who));
    },
    async remove(path, how = {}) {
      await wait.toChange();
      return commit(engine, who, how, () => planRemove(parts, path, how, who));
    },
    async restore(path, revision, how = {}) {
      await wait.toBeRecorded();
      return commit(
        engine,
        who,
        { message: `Restore note: ${withoutEnding(path)}`, ...how, rules: "report", always: true },
        () => planRestore(parts, path, revision),
      );
    },
    async undo(revisions, how = {}) {
      await wait.toBeRecorded();
      await wait.toChange();
      const committing = { message: undoMessage(revisions), ...how, rules: "report" as const };
      return commit(engine, who, committing, () => planUndo(parts, revisions, new Set(how.skip), who));
    },
  };
}
