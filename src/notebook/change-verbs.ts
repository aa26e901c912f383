/** The verbs that change notes: each is a plan, made inside the lock, and a commit. */

import type { Who } from "./change.ts";
import { commit } from "./commit.ts";
import { planPut } from "./copies.ts";
import type { View } from "./folders/view.ts";
import type { Notebook } from "./notebook.ts";
import { withoutEnding } from "./paths.ts";
import {
  planEdit,
  planMove,
  planRemove,
  planWrite,
  type EditOf,
  type FolderMove,
  type Move,
} from "./plan.ts";
import { planUndo, undoMessage } from "./undo/plan.ts";
import { planRestore } from "./undo/restore.ts";
import type { Waiting } from "./waiting.ts";

type Changes = "write" | "edit" | "move" | "remove" | "put" | "restore" | "undo";

export function changeVerbs(view: View, who: Who, wait: Waiting): Pick<Notebook, Changes> {
  const { parts, engine, mayChange, withElsewhere } = view;
  return {
    async write(path, text, how = {}) {
      mayChange(path);
      return commit(engine, who, how, () => planWrite(parts, path, text, how));
    },
    async edit(edits: readonly EditOf[], how = {}) {
      mayChange(...edits.map(({ path }) => path));
      return commit(engine, who, how, () => planEdit(parts, edits, how));
    },
    async move(moves: readonly (Move | FolderMove)[], how = {}) {
      mayChange(
        ...moves.flatMap((move) =>
          "from" in move ? [move.from, move.to] : [`${move.folder}/`, `${move.to}/`],
        ),
      );
      await wait.toChange();
      return commit(engine, who, how, async () =>
        withElsewhere(await planMove(parts, moves, how, who), { moved: how.backlinks }, who),
      );
    },
    async remove(what, how = {}) {
      const folder = typeof what === "string" ? null : what.folder;
      mayChange(folder === null ? (what as string) : `${folder}/`);
      await wait.toChange();
      return commit(engine, who, folder === null ? how : { ...how, folder }, async () =>
        withElsewhere(await planRemove(parts, what, how, who), { removed: how.backlinks }, who),
      );
    },
    async put(brought, how = {}) {
      mayChange(...brought.flatMap(({ path, from }) => [path, from ?? path]));
      await wait.toBeIndexed();
      const trash = new Set(brought.filter(({ bytes }) => bytes === null).map(({ path }) => path));
      return commit(engine, who, { ...how, trash, rules: "report" }, () => planPut(parts, brought));
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
      await view.mayUndo(revisions, who);
      const committing = { message: undoMessage(revisions), ...how, rules: "report" as const };
      return commit(engine, who, committing, async () =>
        withElsewhere(await planUndo(parts, revisions, new Set(how.skip), who), {}, who),
      );
    },
  };
}
