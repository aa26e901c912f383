/** The rule by which a written link means a note or an attachment: relative where it says so, then by path, file name, alias and title. Pure; what the vault holds is looked up by folded keys (decision 4). */

import { targetKind } from "../markdown/link-forms.ts";
import type { LinkMark } from "../markdown/links.ts";
import type { Lookup, Names } from "./link-graph.ts";
import { folderOf, isNote, withoutEnding, type LinkedPath, type NotePath } from "./paths.ts";

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
  let end = target.length;
  while (target[end - 1] === "/") end--;
  const key = foldKey(target.slice(0, end));
  return key.slice(key.lastIndexOf("/") + 1);
}

type Written = Pick<LinkMark, "target" | "form">;

/** The note that `target`, written in `from`, means; null where there is none, or it may not be seen, or an attachment is meant. */
export function resolveTarget(
  target: string,
  form: LinkMark["form"],
  from: LinkedPath,
  lookup: Lookup,
): NotePath | null {
  const found = meaningOf({ target, form }, from, lookup);
  return found !== null && isNote(found) ? found : null;
}

/** The note or attachment that a link, written in `from`, leads to. A target with an ending is the attachment called so, else the note. */
export const meaningOf = (link: Written, from: LinkedPath, lookup: Lookup): LinkedPath | null =>
  seen(link, lookup, (names) => meantBy(link, from, names));

/** What it means as seen from the linking note's folder: Markdown targets are tried so first, wiki targets only where they say so. */
export const relativeMeaning = (link: Written, from: LinkedPath, lookup: Lookup): LinkedPath | null =>
  seen(link, lookup, (names) => besideOf(link, from, names));

function seen(
  { target, form }: Written,
  lookup: Lookup,
  meant: <Path extends LinkedPath>(names: Names<Path>) => Path | null,
): LinkedPath | null {
  const kind = targetKind(target, form);
  const attached =
    kind === "note" || !lookup.attachments ? null : meant({ ...UNNAMED, ...lookup.attachments });
  const found =
    attached ??
    // A wikilink names a file by its ending, or a note that is called so; no alias and no title looks like a file.
    (kind !== "attachment" ? meant(lookup) : form === "wiki" ? meant({ ...lookup, ...UNNAMED }) : null);
  return found !== null && lookup.hides?.(found) ? null : found;
}

const UNNAMED = { byAlias: () => [], byTitle: () => [] };

function meantBy<Path extends LinkedPath>(link: Written, from: LinkedPath, names: Names<Path>): Path | null {
  const { target } = link;
  if (linkKey(target) === "") return null;
  if (target.startsWith("/")) return atPath("", target.slice(1), names);
  const beside = besideOf(link, from, names);
  if (beside !== null || SAYS_RELATIVE.test(target)) return beside;
  const key = foldKey(target);
  return (
    atPath("", target, names) ??
    nearestOf(named(key, names), target, from) ??
    nearestOf(names.byAlias(key), target, from) ??
    nearestOf(names.byTitle(key), target, from)
  );
}

const SAYS_RELATIVE = /^\.\.?\//;

function besideOf<Path extends LinkedPath>(
  { target, form }: Written,
  from: LinkedPath,
  names: Names<Path>,
): Path | null {
  if (target.startsWith("/") || (form === "wiki" && !SAYS_RELATIVE.test(target))) return null;
  return atPath(folderOf(from), target, names);
}

/** The notes or attachments of that path; else those of that name, or whose path ends so. Exact spelling comes first. */
export function locateAmong<Path extends LinkedPath>(byName: (key: string) => Path[], name: string): Path[] {
  const key = foldKey(name);
  const ending = byName(linkKey(name)).filter((path) => `/${foldKey(path)}`.endsWith(`/${key}`));
  const exact = ending.filter((path) => foldKey(path) === key);
  const named = exact.length > 0 ? exact : ending;
  const spelled = named.filter((path) => isSpelled(path, name));
  return spelled.length > 0 ? spelled : named;
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

function atPath<Path extends LinkedPath>(folder: string, target: string, names: Names<Path>): Path | null {
  const written = join(folder, target);
  if (written === null) return null;
  const found = names.byPath(foldKey(written));
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

function named<Path extends LinkedPath>(key: string, names: Names<Path>): Path[] {
  const found = names.byName(key.slice(key.lastIndexOf("/") + 1));
  return key.includes("/") ? found.filter((path) => foldKey(path).endsWith(`/${key}`)) : found;
}

function nearestOf<Path extends LinkedPath>(
  found: readonly Path[],
  target: string,
  from: LinkedPath,
): Path | null {
  if (found.length < 2) return found[0] ?? null;
  const folder = folderOf(from);
  const segments = folder === "" ? [] : folder.split("/");
  let best: { path: Path; rank: number[] } | null = null;
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

function sharedSegments(segments: readonly string[], path: LinkedPath): number {
  const others = folderOf(path).split("/");
  let shared = 0;
  while (shared < segments.length && segments[shared] === others[shared]) shared++;
  return shared;
}

/** Whether the path ends in just these characters, upper case as upper case. */
export function isSpelled(path: LinkedPath, target: string): boolean {
  const written = `/${target.normalize("NFC").replace(/\.md$/i, "")}`;
  return `/${(isNote(path) ? withoutEnding(path) : path).normalize("NFC")}`.endsWith(written);
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return a[at]! - b[at]!;
  return 0;
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
