/** The names of large folders, remembered while nobody else changes them: every new note is compared with all of them. */

import type { Disk } from "../disk/files.ts";
import { folderOf } from "../notebook/paths.ts";
import { nameIn } from "../notebook/vault-path.ts";
import type { FileOperation } from "../notebook/puts.ts";
import { fold } from "../notebook/resolve.ts";

export type Listings = {
  /** The names in a folder, of every kind; null where there is no such folder. */
  names(disk: Disk, folder: string): Names | null;
  /** Does a change, and follows what it does to the folders that are remembered. */
  following(disk: Disk, plan: readonly FileOperation[], change: () => Promise<void>): Promise<void>;
};

/** Listing a smaller one takes less than a millisecond. */
const LARGE = 500;
const FOLDERS = 4;
/** A folder changed this shortly before it was listed may change again under the same time. */
const RACY_MS = 50;

/** To fold all names takes as long as to look through them so many times. */
const FOLDED_AFTER = 8;

export type Names = {
  /** Another name that folds to the same. */
  twin(name: string): string | null;
};
type Listed = Names & { add(name: string): void };
/** Names by how they fold. */
type Folded = Map<string, string[]>;
/** `stamp` is the folder's own. */
type Listing = { stamp: string; names: Listed };

export function openListings(now: () => number = Date.now): Listings {
  const kept = new Map<string, Listing>();

  function listed(disk: Disk, folder: string): Names | null {
    const entry = disk.lookFolder(folder);
    const known = kept.get(folder);
    if (known && known.stamp === entry?.stamp) return known.names;
    kept.delete(folder);
    const all = entry && disk.allNames(folder);
    if (!entry || !all) return null;
    const names = namesAmong(all);
    if (all.length < LARGE || Math.abs(now() - entry.changed.getTime()) <= RACY_MS) return names;
    if (kept.size >= FOLDERS) kept.delete(kept.keys().next().value!);
    kept.set(folder, { stamp: entry.stamp, names });
    return names;
  }

  return {
    names: listed,
    async following(disk, plan, change) {
      const touched = [...new Set(plan.map(({ path }) => folderOf(path)))].filter((folder) =>
        kept.has(folder),
      );
      // One that somebody else has changed is listed again when it is next asked for.
      const right = touched.filter((folder) => disk.lookFolder(folder)?.stamp === kept.get(folder)!.stamp);
      const before = right.map((folder) => [folder, kept.get(folder)!] as const);
      for (const folder of touched) kept.delete(folder);
      await change();
      for (const [folder, listing] of before) {
        const here = plan.filter(({ path }) => folderOf(path) === folder);
        const stamp = disk.lookFolder(folder)?.stamp;
        if (stamp === undefined || here.some((planned) => planned.do !== "place")) continue;
        for (const { path } of here) listing.names.add(nameIn(path));
        kept.set(folder, { ...listing, stamp });
      }
    },
  };
}

function addName(names: Folded, name: string): void {
  const key = fold(name);
  const known = names.get(key);
  if (!known) names.set(key, [name]);
  else if (!known.includes(name)) known.push(name);
}

function folded(all: readonly string[]): Folded {
  const names: Folded = new Map();
  for (const name of all) addName(names, name);
  return names;
}

/** Asked for a few names, all are looked through; for more they are put in order first. */
function namesAmong(all: string[]): Listed {
  let asked = 0;
  let names: Folded | null = null;
  return {
    twin(name) {
      if (++asked > FOLDED_AFTER) names ??= folded(all);
      if (!names) return twinAmong(all, name);
      return names.get(fold(name))?.find((other) => other !== name) ?? null;
    },
    add(name) {
      if (names) addName(names, name);
      else if (!all.includes(name)) all.push(name);
    },
  };
}

const isPlain = (text: string): boolean => !/[^\0-\x7f]/.test(text);

// Names of plain letters, which most are, fold to as many of them, so that hardly one of them has to be folded.
function twinAmong(all: readonly string[], name: string): string | null {
  const key = fold(name);
  const plain = isPlain(key);
  const same = (other: string): boolean =>
    isPlain(other) ? plain && other.length === key.length && fold(other) === key : fold(other) === key;
  return all.find((other) => other !== name && same(other)) ?? null;
}
