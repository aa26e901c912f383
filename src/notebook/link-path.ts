/** The shortest way from one note to another along links, whichever way they point. */

import type { Link, LinkQuery } from "./link-graph.ts";
import type { NotePath } from "./paths.ts";
import { breather } from "./turns.ts";

/** How many notes are looked at before the search is given up: a second's work. */
export const PATH_NOTES = 3000;

export type Hop = { from: NotePath; to: NotePath; link: Link };
/** The notes reached last, and by which hop each was reached. */
type Side = { ring: NotePath[]; came: Map<NotePath, Hop | null> };

const sideOf = (start: NotePath): Side => ({ ring: [start], came: new Map([[start, null]]) });

/** From both ends, one ring at a time. `null`: there is none; `"far"`: none was found within the limit. */
export async function linkPath(
  links: (query: LinkQuery) => Promise<Link[]>,
  from: NotePath,
  to: NotePath,
  signal?: AbortSignal,
): Promise<Hop[] | null | "far"> {
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

function joined(near: Map<NotePath, Hop | null>, far: Map<NotePath, Hop | null>, middle: NotePath): Hop[] {
  const hops: Hop[] = [];
  for (let hop = near.get(middle); hop; hop = near.get(hop.from)) hops.unshift(hop);
  for (let hop = far.get(middle); hop; hop = far.get(hop.from))
    hops.push({ from: hop.to, to: hop.from, link: hop.link });
  return hops;
}
