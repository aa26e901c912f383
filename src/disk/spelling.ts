/** Spelling: whether a disk takes two spellings for one name, and which of them a file has. A note has one path. */

import type { Calls } from "./calls.ts";
import { segmentsOf } from "./segments.ts";
import { HOME } from "../notebook/vault-path.ts";

/** Whether what is found at `place` is called otherwise than `path` says. */
export type IsMisspelled = (place: string, path: string) => boolean;

/** A listing is believed this long where it holds a name; where it does not, the folder is listed again. */
const BELIEVED_MS = 50;
const LISTINGS = 100;

export function spellingOn(root: string, calls: Calls): IsMisspelled {
  const { spelling } = calls;
  if (spelling !== null)
    return (place, path) => isThere(calls, place) && spelledFrom(root, spelling(place)) !== path;
  let folds: boolean | null = null;
  const listed = listings(root, calls);
  return (place, path) => {
    folds ??= foldsNames(root, calls);
    if (!folds || !isThere(calls, place)) return false;
    const segments = segmentsOf(path);
    return segments.some((name, at) => !listed(segments.slice(0, at).join("/"), name));
  };
}

const spelledFrom = (root: string, place: string): string =>
  place.slice(root.length + 1).replaceAll("\\", "/");

function isThere(calls: Calls, place: string): boolean {
  const found = calls.lstat(place);
  return found !== undefined && !found.isSymbolicLink();
}

// Linux does not say, and mounts folders of either kind: the one name that is ours shows it. Null before it is made.
function foldsNames(root: string, calls: Calls): boolean | null {
  const home = calls.lstat(`${root}/${HOME}`);
  return home === undefined ? null : calls.lstat(`${root}/${HOME.toUpperCase()}`)?.ino === home.ino;
}

function listings(root: string, calls: Calls): (folder: string, name: string) => boolean {
  const known = new Map<string, { names: Set<string>; at: number }>();
  const list = (folder: string) => {
    if (known.size >= LISTINGS) known.clear();
    const names = new Set(
      calls.readdir(folder === "" ? root : `${root}/${folder}`).map((entry) => entry.name),
    );
    known.set(folder, { names, at: performance.now() });
    return names;
  };
  return (folder, name) => {
    const before = known.get(folder);
    if (before && performance.now() - before.at < BELIEVED_MS && before.names.has(name)) return true;
    return list(folder).has(name);
  };
}
