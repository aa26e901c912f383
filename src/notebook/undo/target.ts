/** Targets: where each note of a range of revisions stands once some of its events are taken back. */

import type { Note } from "../note.ts";
import type { NotePath } from "../paths.ts";
import { lastPath, type TimelineEvent, type Timeline } from "./timeline.ts";

export type Target = {
  timeline: Timeline;
  /** The events to take back, newest first; none for a note that is left as it is. */
  undone: TimelineEvent[];
  skipped: boolean;
  /** The note that is there now; it is not read where nothing is taken back. */
  note: Note | null;
  /** Where the note stands now, and where it stands once the events are taken back; null where it is not there. */
  here: NotePath | null;
  to: NotePath | null;
};

/** The name by which a person knows the note: the one it has, or had last. */
export const currentName = ({ here, timeline }: Target): NotePath => here ?? lastPath(timeline);

/** The place of a note once these events are taken back. A note that somebody has moved on since stays where they put it. */
export function placeAfter(undone: readonly TimelineEvent[], here: NotePath | null): NotePath | null {
  let place = here;
  for (const { before, after } of undone) {
    if (!before) place = null;
    else if (place === null) place = after ? null : before.path;
    else if (after && place === after.path) place = before.path;
  }
  return place;
}
