/** Moves made by other programs: which of the notes that came are the ones that went, by their content, and where that is not plain by their folders. */

import type { Content } from "../notebook/parts.ts";

type Pair = [from: string, to: string];

/** `lastSeen`: the versions with which notes that are gone were seen since they were recorded. */
export function movesAmong(
  before: ReadonlyMap<string, string | null>,
  after: ReadonlyMap<string, Content | null>,
  lastSeen: ReadonlyMap<string, string>,
): Pair[] {
  const gone = new Map<string, string[]>();
  const come = new Map<string, string[]>();
  const put = (into: Map<string, string[]>, version: string, path: string): void => {
    const paths = into.get(version);
    if (paths) paths.push(path);
    else into.set(version, [path]);
  };
  for (const [path, content] of after) {
    const old = before.get(path) ?? null;
    if (content === null && old !== null) put(gone, lastSeen.get(path) ?? old, path);
    if (content && old === null) put(come, content.version, path);
  }
  const moved = new Map<string, string>();
  const taken = new Set<string>();
  const pair = (from: string, to: string): void => {
    moved.set(from, to);
    taken.add(to);
  };
  // Where one went and one came with the very same content, it is plain which is which.
  for (const [version, from] of gone) {
    const to = come.get(version) ?? [];
    if (from.length === 1 && to.length === 1) pair(from[0]!, to[0]!);
  }
  // Several that are alike, empty ones and templates, went where their neighbours went, or kept their name.
  const renamed = folders(moved);
  for (const [version, from] of gone) {
    const to = come.get(version) ?? [];
    if (from.length === 1 && to.length === 1) continue;
    const free = new Set(to.filter((path) => !taken.has(path)));
    for (const path of from) {
      const place = underFolder(renamed, path, free);
      if (place !== null && !taken.has(place)) pair(path, place);
    }
    const here = byName(from.filter((path) => !moved.has(path)));
    const there = byName(to.filter((path) => !taken.has(path)));
    for (const [name, [path, another]] of here) {
      const [place, other] = there.get(name) ?? [];
      if (path && place && !another && !other) pair(path, place);
    }
  }
  // A folder that went took along what was edited in it meanwhile.
  const alive = foldersOf([...after].flatMap(([path, content]) => (content ? [path] : [])));
  const whole = new Map([...folders(moved)].filter(([from]) => !alive.has(from)));
  const free = new Set([...come.values()].flat().filter((path) => !taken.has(path)));
  for (const path of [...gone.values()].flat()) {
    const to = moved.has(path) ? null : underFolder(whole, path, free);
    if (to !== null && !taken.has(to)) pair(path, to);
  }
  return [...moved];
}

/** The folders that moved notes say were renamed, by what their paths do not have in common at the end. The root is none. */
function folders(moved: ReadonlyMap<string, string>): Map<string, string> {
  const found = new Map<string, string>();
  for (const [from, to] of moved) {
    const [a, b] = [from.split("/"), to.split("/")];
    if (a.at(-1) !== b.at(-1)) continue;
    while (a.length > 1 && b.length > 1 && a.at(-1) === b.at(-1)) {
      a.pop();
      b.pop();
    }
    // One of the two was at the root: then its notes went one by one.
    if (a.join("/") === from.split("/").at(-1) || b.join("/") === to.split("/").at(-1)) continue;
    found.set(`${a.join("/")}/`, `${b.join("/")}/`);
  }
  return found;
}

/** A path under the new name of the innermost of its folders that was renamed, where it is free. */
function underFolder(
  renamed: ReadonlyMap<string, string>,
  path: string,
  free: ReadonlySet<string>,
): string | null {
  for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1)) {
    const to = renamed.get(path.slice(0, end + 1));
    if (to !== undefined && free.has(to + path.slice(end + 1))) return to + path.slice(end + 1);
  }
  return null;
}

function byName(paths: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    found.set(name, [...(found.get(name) ?? []), path].slice(0, 2));
  }
  return found;
}

/** Every folder that one of these paths is in, each ending in a slash. */
function foldersOf(paths: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const path of paths)
    for (let end = path.indexOf("/"); end !== -1; end = path.indexOf("/", end + 1))
      found.add(path.slice(0, end + 1));
  return found;
}
