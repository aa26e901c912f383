/** The rule by which a written link means a note: relative where it says so, then by path, file name, alias and title. Pure; what the vault holds is looked up by folded keys (decision 4). */

import type { LinkMark } from "../markdown/links.ts";
import type { Lookup } from "./link-graph.ts";
import { folderOf, type NotePath } from "./paths.ts";

/** Text as it is compared: case and Unicode form make no difference. NFC comes last, since lower case may compose where upper case cannot. */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  return /[^\0-\x7f]/.test(lower) ? lower.replaceAll("ς", "σ").normalize("NFC") : lower;
}

/** The key of a path, name, alias, title or target: folded, without `.md`. */
export function foldKey(text: string): string {
  const key = fold(text);
  return key.endsWith(".md") ? key.slice(0, -3) : key;
}

/** The folded last segment: under it a link is filed, whatever folders it names. For a path it is the key of the file's name. */
export function linkKey(target: string): string {
  const key = foldKey(target.replace(/\/+$/, ""));
  return key.slice(key.lastIndexOf("/") + 1);
}

/** The note that `target`, written in `from`, means; null where there is none, or it may not be seen. */
export function resolveTarget(
  target: string,
  form: LinkMark["form"],
  from: NotePath,
  lookup: Lookup,
): NotePath | null {
  const found = meantBy(target, form, from, lookup);
  return found !== null && lookup.hides?.(found) ? null : found;
}

function meantBy(target: string, form: LinkMark["form"], from: NotePath, lookup: Lookup): NotePath | null {
  if (linkKey(target) === "") return null;
  if (target.startsWith("/")) return atPath("", target.slice(1), lookup);
  const beside = besideOf(target, form, from, lookup);
  if (beside !== null || SAYS_RELATIVE.test(target)) return beside;
  const key = foldKey(target);
  return (
    atPath("", target, lookup) ??
    nearestOf(named(key, lookup), target, from) ??
    nearestOf(lookup.byAlias(key), target, from) ??
    nearestOf(lookup.byTitle(key), target, from)
  );
}

const SAYS_RELATIVE = /^\.\.?\//;

/** The note it means as seen from the linking note's folder: Markdown targets are tried so first, wiki targets only where they say so. */
export function relativeTarget(
  target: string,
  form: LinkMark["form"],
  from: NotePath,
  lookup: Lookup,
): NotePath | null {
  const found = besideOf(target, form, from, lookup);
  return found !== null && lookup.hides?.(found) ? null : found;
}

function besideOf(target: string, form: LinkMark["form"], from: NotePath, lookup: Lookup): NotePath | null {
  if (target.startsWith("/") || (form === "wiki" && !SAYS_RELATIVE.test(target))) return null;
  return atPath(folderOf(from), target, lookup);
}

/** What resolving asks of a vault, answered from a plain list of notes. */
export function lookupOf(
  notes: Iterable<{ path: NotePath; title: string; aliases: readonly string[] }>,
): Lookup {
  const maps = [0, 1, 2, 3].map(() => new Map<string, Set<NotePath>>());
  const [paths, names, aliases, titles] = maps as [KeyMap, KeyMap, KeyMap, KeyMap];
  for (const { path, title, aliases: others } of notes) {
    file(paths, foldKey(path), path);
    file(names, linkKey(path), path);
    for (const alias of others) file(aliases, foldKey(alias), path);
    file(titles, foldKey(title), path);
  }
  return {
    byPath: (key) => [...(paths.get(key) ?? [])],
    byName: (key) => [...(names.get(key) ?? [])],
    byAlias: (key) => [...(aliases.get(key) ?? [])],
    byTitle: (key) => [...(titles.get(key) ?? [])],
  };
}

type KeyMap = Map<string, Set<NotePath>>;

function file(map: KeyMap, key: string, path: NotePath): void {
  const there = map.get(key);
  if (there) there.add(path);
  else map.set(key, new Set([path]));
}

function atPath(folder: string, target: string, lookup: Lookup): NotePath | null {
  const written = join(folder, target);
  if (written === null) return null;
  const found = lookup.byPath(foldKey(written));
  if (found.length < 2) return found[0] ?? null;
  // Paths that differ only by case or Unicode form: the one spelled so, else the first.
  return found.toSorted(
    (a, b) => Number(!isSpelled(a, written)) - Number(!isSpelled(b, written)) || compare(a, b),
  )[0]!;
}

/** Null where `..` leads out of the vault. */
function join(folder: string, target: string): string | null {
  const segments = folder === "" ? [] : folder.split("/");
  for (const segment of target.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.join("/");
}

function named(key: string, lookup: Lookup): NotePath[] {
  const found = lookup.byName(key.slice(key.lastIndexOf("/") + 1));
  return key.includes("/") ? found.filter((path) => foldKey(path).endsWith(`/${key}`)) : found;
}

function nearestOf(found: readonly NotePath[], target: string, from: NotePath): NotePath | null {
  if (found.length < 2) return found[0] ?? null;
  const folder = folderOf(from);
  const segments = folder === "" ? [] : folder.split("/");
  let best: { path: NotePath; rank: number[] } | null = null;
  for (const path of found) {
    const rank = [
      Number(folderOf(path) !== folder),
      -sharedSegments(segments, path),
      path.length,
      Number(!isSpelled(path, target)),
    ];
    if (best === null || (compareRanks(rank, best.rank) || compare(path, best.path)) < 0)
      best = { path, rank };
  }
  return best!.path;
}

function sharedSegments(segments: readonly string[], path: NotePath): number {
  const others = folderOf(path).split("/");
  let shared = 0;
  while (shared < segments.length && segments[shared] === others[shared]) shared++;
  return shared;
}

/** Whether the path ends in just these characters, upper case as upper case. */
export function isSpelled(path: NotePath, target: string): boolean {
  const written = `/${target.normalize("NFC").replace(/\.md$/i, "")}`;
  return `/${path.normalize("NFC").slice(0, -3)}`.endsWith(written);
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return 0;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
