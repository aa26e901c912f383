/** Elsewhere: what becomes of notes outside a caller's folders when one inside is moved or removed, and which changes reach across the border. */

import { NoteError } from "../../markdown/errors.ts";
import type { Who, Plan } from "../change.ts";
import { relinkOthers, unlinkOthers } from "../linking-notes.ts";
import type { History, Parts, Revision } from "../parts.ts";
import type { NotePath } from "../paths.ts";
import type { Inside } from "./inside.ts";

/** What links do: those to moved notes follow, those to removed ones are left, unless it is said here. */
export type Following = { moved?: "rewrite" | "leave" | undefined; removed?: "mark" | "leave" | undefined };

/** Plans on the whole vault: links elsewhere mean what they mean there. Nobody is shown how many there are. */
export async function elsewhere(
  whole: Parts,
  plan: Plan,
  inside: Inside,
  { moved = "rewrite", removed = "leave" }: Following,
  asking: Who,
): Promise<Plan> {
  const who = { ...asking };
  delete who.progress;
  const outside = (path: NotePath): boolean => !inside(path);
  const asked = plan.changes.filter(({ why }) => why === "asked");
  const moves = new Map(asked.flatMap(({ from, path }) => (from === undefined ? [] : [[from, path]])));
  const more = moves.size === 0 ? [] : [await relinkOthers(whole, moves, { backlinks: moved }, who, outside)];
  const gone = asked.flatMap(({ before, after }) => (before && !after ? [before] : []));
  if (gone.length > 0) more.push(await unlinkOthers(whole, gone, { backlinks: removed }, who, outside));
  return {
    ...plan,
    changes: [...plan.changes, ...more.flatMap(({ changes }) => changes)],
    backlinkers: [...plan.backlinkers, ...more.flatMap(({ backlinkers }) => backlinkers)],
    mayRefer: [...(plan.mayRefer ?? []), ...more.flatMap(({ mayRefer = [] }) => mayRefer)],
  };
}

const MORE_TO_IT = "These changes also reached outside your folders; what they did there stays.";

export async function refuseCrossing(
  whole: History,
  revisions: readonly Revision[],
  inside: Inside,
  who: Who,
): Promise<void> {
  let more = false;
  for (const { id } of revisions)
    for (const { path, from = path } of (await whole.revision(id)).changes) {
      if (inside(path) !== inside(from))
        throw new NoteError(
          "path_refused",
          "One of these changes moved a note into your folders or out of them. Ask somebody to undo it who may use both places, or leave that change out.",
          { path: inside(path) ? path : from, reason: "was moved across the border of your folders" },
        );
      more ||= !inside(path);
    }
  if (more) who.remark?.(MORE_TO_IT);
}
