/** The names of large folders, remembered while nobody else changes them: every new note is compared with all of them. */

import type { Planned } from "../disk/change.ts";
import type { Disk } from "../disk/files.ts";
import { folderOf, nameIn } from "../disk/vault-path.ts";
import { fold } from "../notebook/resolve.ts";

export type Listings = {
  /** The names in a folder, of every kind, by how they fold; null where there is no such folder. */
  names(disk: Disk, folder: string): Names | null;
  /** Does a change, and follows what it does to the folders that are remembered. */
  following(disk: Disk, plan: readonly Planned[], change: () => Promise<void>): Promise<void>;
};

/** Listing a smaller one takes less than a millisecond. */
const LARGE = 500;
const FOLDERS = 4;
/** A folder changed this shortly before it was listed may change again under the same time. */
const RACY_MS = 50;

export type Names = ReadonlyMap<string, readonly string[]>;
/** `stamp` is the folder's own. */
type Listing = { stamp: string; names: Map<string, string[]> };

export function openListings(now: () => number = Date.now): Listings {
  const kept = new Map<string, Listing>();

  function listed(disk: Disk, folder: string): Names | null {
    const entry = disk.lookFolder(folder);
    const known = kept.get(folder);
    if (known && known.stamp === entry?.stamp) return known.names;
    kept.delete(folder);
    const found = entry && disk.names(folder);
    if (!entry || !found) return null;
    const all = Object.values(found).flat();
    const names = new Map<string, string[]>();
    for (const name of all) addName(names, name);
    if (all.length >= LARGE && Math.abs(now() - entry.modified.getTime()) > RACY_MS) {
      if (kept.size >= FOLDERS) kept.delete(kept.keys().next().value!);
      kept.set(folder, { stamp: entry.stamp, names });
    }
    return names;
  }

  return {
    names: listed,
    async following(disk, plan, change) {
      const touched = [...new Set(plan.map(({ path }) => folderOf(path)))].filter((folder) =>
        kept.has(folder),
      );
      // One that somebody else has changed is listed anew when it is next asked for.
      const right = touched.filter((folder) => disk.lookFolder(folder)?.stamp === kept.get(folder)!.stamp);
      const before = right.map((folder) => [folder, kept.get(folder)!] as const);
      for (const folder of touched) kept.delete(folder);
      await change();
      for (const [folder, listing] of before) {
        const here = plan.filter(({ path }) => folderOf(path) === folder);
        const stamp = disk.lookFolder(folder)?.stamp;
        if (stamp === undefined || here.some((planned) => planned.do !== "place")) continue;
        for (const { path } of here) addName(listing.names, nameIn(path));
        kept.set(folder, { ...listing, stamp });
      }
    },
  };
}

function addName(names: Map<string, string[]>, name: string): void {
  const folded = fold(name);
  const known = names.get(folded);
  if (!known) names.set(folded, [name]);
  else if (!known.includes(name)) known.push(name);
}
