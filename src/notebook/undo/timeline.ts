/** Timelines: notes followed through a range of revisions, revision by revision, under whatever names they had. */

import { NoteError } from "../../markdown/errors.ts";
import type { History, Revision, Version } from "../parts.ts";
import type { NotePath } from "../paths.ts";

/** Where a note stood and what it was; null where it was not there. */
export type State = { path: NotePath; version: Version } | null;
/** What one revision did to one note. `at` is the revision's place in the range, `since` the place of the one that made `before`; -1 is older. */
export type TimelineEvent = { revision: Revision; at: number; since: number; before: State; after: State };
export type Timeline = {
  /** Oldest first, never none. */
  events: TimelineEvent[];
  /** As the history knows it now. */
  state: State;
};

const FIRST_LOOK = 500;

/** Every revision from the oldest of these to the newest there is, oldest first. */
export async function revisionsFrom(history: History, ids: ReadonlySet<string>): Promise<Revision[]> {
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

/** The notes that the revisions (oldest first) are about. A name that was freed and taken again is one timeline. */
export function timelinesOf(revisions: readonly Revision[]): Timeline[] {
  const timelines: Timeline[] = [];
  const here = new Map<NotePath, Timeline>();
  const ended = new Map<NotePath, Timeline>();
  const begun = (): Timeline => {
    const timeline: Timeline = { events: [], state: null };
    timelines.push(timeline);
    return timeline;
  };

  const add = (timeline: Timeline, revision: Revision, at: number, before: State, after: State): void => {
    timeline.events.push({ revision, at, since: timeline.events.at(-1)?.at ?? -1, before, after });
    timeline.state = after;
  };

  revisions.forEach((revision, at) => {
    // All at once: where names are swapped, each note leaves its place before the other arrives.
    const moving = revision.changes.map(({ path, from, before, version }) => {
      const left = before === null ? null : { path: from ?? path, version: before };
      const timeline = (left ? here.get(left.path) : ended.get(path)) ?? begun();
      if (left) here.delete(left.path);
      else ended.delete(path);
      add(timeline, revision, at, left, version === null ? null : { path, version });
      return timeline;
    });
    for (const timeline of moving) {
      const { before, after } = timeline.events.at(-1)!;
      if (!after) {
        if (before) ended.set(before.path, timeline);
        continue;
      }
      const other = here.get(after.path);
      if (other) add(other, revision, at, other.state, null);
      here.set(after.path, timeline);
    }
  });
  return timelines;
}

/** What the note was once the revision at this place of the range was made. */
export function stateAt(timeline: Timeline, at: number): State {
  const last = timeline.events.findLast((event) => event.at <= at);
  return last ? last.after : timeline.events[0]!.before;
}

export const lastPath = (timeline: Timeline): NotePath => {
  const { before, after } = timeline.events.at(-1)!;
  return (after ?? before)!.path;
};
