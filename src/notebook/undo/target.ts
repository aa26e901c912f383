/** Targets: where each note of a range of revisions stands once some of its steps are taken back. */

import type { Note } from "../note.ts";
import type { NotePath } from "../paths.ts";
import { lastPath, type Step, type Timeline } from "./timeline.ts";

export type Target = {
  timeline: Timeline;
  /** The steps to take back, newest first; none for a note that is left as it is. */
  undone: Step[];
  skipped: boolean;
  /** The note that is there now; it is not read where nothing is taken back. */
  note: Note | null;
  /** Where the note stands now, and where it stands once the steps are taken back; null where it is not there. */
  here: NotePath | null;
  to: NotePath | null;
};

/** The name by which a person knows the note: the one it has, or had last. */
export const currentName = ({ here, timeline }: Target): NotePath => here ?? lastPath(timeline);

/** The place of a note once these steps are taken back. A note that somebody has moved on since stays where they put it. */
export function placeAfter(undone: readonly Step[], here: NotePath | null): NotePath | null {
  let place = here;
  for (const { before, after } of undone) {
    if (!before) place = null;
    else if (place === null) place = after ? null : before.path;
    else if (after && place === after.path) place = before.path;
  }
  return place;
}
