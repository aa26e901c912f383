/** Lives: notes followed through a stretch of the history, revision by revision, under whatever names they went. */

import { NoteError } from "../../markdown/errors.ts";
import type { History, Revision, Version } from "../parts.ts";
import type { NotePath } from "../paths.ts";

/** Where a note stood and what it was; null where it was not there. */
export type State = { path: NotePath; version: Version } | null;
/** What one revision did to one note. `at` is the revision's place in the stretch, `since` that of the one that made `before`; -1 is older. */
export type Deed = { revision: Revision; at: number; since: number; before: State; after: State };
export type Life = {
  /** Oldest first, never none. */
  deeds: Deed[];
  /** As the history knows it now. */
  state: State;
};

const FIRST_LOOK = 500;

/** Every revision from the oldest of these to the newest there is, oldest first. */
export async function stretchFrom(history: History, ids: ReadonlySet<string>): Promise<Revision[]> {
  for (let limit = FIRST_LOOK; ; limit *= 4) {
    const revisions = await history.log({ limit });
    const found = revisions.filter(({ id }) => ids.has(id));
    if (found.length === ids.size)
      return revisions.slice(0, revisions.findLastIndex(({ id }) => ids.has(id)) + 1).toReversed();
    if (revisions.length === limit) continue;
    const lost = [...ids].find((id) => !found.some((revision) => revision.id === id))!;
    throw new NoteError("revision_missing", `The history has no revision ${lost.slice(0, 10)} any more.`, {
      revision: lost,
    });
  }
}

/** The notes that the revisions (oldest first) are about. A name that was freed and taken again is one life. */
export function livesIn(revisions: readonly Revision[]): Life[] {
  const lives: Life[] = [];
  const here = new Map<NotePath, Life>();
  const ended = new Map<NotePath, Life>();
  const begun = (): Life => {
    const life: Life = { deeds: [], state: null };
    lives.push(life);
    return life;
  };

  const add = (life: Life, revision: Revision, at: number, before: State, after: State): void => {
    life.deeds.push({ revision, at, since: life.deeds.at(-1)?.at ?? -1, before, after });
    life.state = after;
  };

  revisions.forEach((revision, at) => {
    // All at once: where names are swapped, each note leaves its place before the other arrives.
    const moving = revision.changes.map(({ path, from, before, version }) => {
      const left = before === null ? null : { path: from ?? path, version: before };
      const life = (left ? here.get(left.path) : ended.get(path)) ?? begun();
      if (left) here.delete(left.path);
      else ended.delete(path);
      add(life, revision, at, left, version === null ? null : { path, version });
      return life;
    });
    for (const life of moving) {
      const { before, after } = life.deeds.at(-1)!;
      if (!after) {
        if (before) ended.set(before.path, life);
        continue;
      }
      const other = here.get(after.path);
      if (other) add(other, revision, at, other.state, null);
      here.set(after.path, life);
    }
  });
  return lives;
}

/** What it was once the revision at this place of the stretch was made. */
export function stateAt(life: Life, at: number): State {
  const last = life.deeds.findLast((deed) => deed.at <= at);
  return last ? last.after : life.deeds[0]!.before;
}

export const lastPath = (life: Life): NotePath => {
  const { before, after } = life.deeds.at(-1)!;
  return (after ?? before)!.path;
};
