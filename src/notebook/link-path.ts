/** The shortest way from one note to another along links, whichever way they point. */

import type { Link, LinkQuery } from "./link-graph.ts";
import type { NotePath } from "./paths.ts";
import { breather } from "./turns.ts";

/** How many notes are looked at before the search is given up: a second's work. */
export const PATH_NOTES = 3000;

export type Step = { from: NotePath; to: NotePath; link: Link };
/** The notes reached last, and by which step each was reached. */
type Side = { ring: NotePath[]; came: Map<NotePath, Step | null> };

const sideOf = (start: NotePath): Side => ({ ring: [start], came: new Map([[start, null]]) });

/** From both ends, one ring at a time. `null`: there is none; `"far"`: none was found within the limit. */
export async function linkPath(
  links: (query: LinkQuery) => Promise<Link[]>,
  from: NotePath,
  to: NotePath,
  signal?: AbortSignal,
): Promise<Step[] | null | "far"> {
  if (from === to) return [];
  const [near, far] = [sideOf(from), sideOf(to)];
  let looked = 0;
  const breathe = breather();
  while (near.ring.length > 0 && far.ring.length > 0) {
    const [mine, other] = near.ring.length <= far.ring.length ? [near, far] : [far, near];
    const next: NotePath[] = [];
    for (const note of mine.ring) {
      if (++looked > PATH_NOTES) return "far";
      await breathe();
      signal?.throwIfAborted();
      for (const [neighbour, link] of await neighbours(links, note)) {
        if (mine.came.has(neighbour)) continue;
        mine.came.set(neighbour, { from: note, to: neighbour, link });
        if (other.came.has(neighbour)) return joined(near.came, far.came, neighbour);
        next.push(neighbour);
      }
    }
    mine.ring = next;
  }
  return null;
}

async function neighbours(
  links: (query: LinkQuery) => Promise<Link[]>,
  note: NotePath,
): Promise<Map<NotePath, Link>> {
  const found = new Map<NotePath, Link>();
  for (const link of await links({ from: note })) if (link.path) found.set(link.path, link);
  for (const link of await links({ to: note })) if (!found.has(link.source)) found.set(link.source, link);
  found.delete(note);
  return found;
}

function joined(near: Map<NotePath, Step | null>, far: Map<NotePath, Step | null>, middle: NotePath): Step[] {
  const steps: Step[] = [];
  for (let step = near.get(middle); step; step = near.get(step.from)) steps.unshift(step);
  for (let step = far.get(middle); step; step = far.get(step.from))
    steps.push({ from: step.to, to: step.from, link: step.link });
  return steps;
}
