/** Changes in groups: what one client did within half an hour is one. */

import type { Revision } from "../../wire.ts";

const HALF_HOUR = 30 * 60_000;

/** Newest first, in the order in which they were given. */
export type Group = { author: string; outside: boolean; revisions: Revision[] };

const timeOf = ({ date }: Revision): number => Date.parse(date);

/** A change joins the last group of its author while no more than half an hour lies between it and that group's newest. */
export const groupsOf = (revisions: readonly Revision[]): Group[] => {
  const groups: Group[] = [];
  const open = new Map<string, Group>();
  for (const revision of revisions) {
    const key = `${revision.outside} ${revision.author}`;
    const group = open.get(key);
    if (group && timeOf(group.revisions[0]!) - timeOf(revision) < HALF_HOUR) group.revisions.push(revision);
    else {
      const made = { author: revision.author, outside: revision.outside, revisions: [revision] };
      open.set(key, made);
      groups.push(made);
    }
  }
  return groups;
};

/** How many notes a group touched. */
export const notesIn = ({ revisions }: Group): number => {
  const named = new Set(revisions.flatMap(({ notes }) => notes.map(({ path }) => path)));
  const unnamed = revisions.reduce((sum, { touched, notes }) => sum + Math.max(0, touched - notes.length), 0);
  return named.size + unnamed;
};
