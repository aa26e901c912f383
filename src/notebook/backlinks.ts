/** The edits notes need when notes or attachments move or go: every link goes on leading to its file, in the style it was written in (decision 4). */

import { LINKS_IN_A_STEP, markRemoved, rewriteLinks, type LinkMark } from "../markdown/links.ts";
import { NoteError } from "../markdown/errors.ts";
import type { Steps } from "../markdown/steps.ts";
import type { Lookup, Names } from "./link-graph.ts";
import type { Note } from "./note.ts";
import {
  folderOf,
  isAttachment,
  isNote,
  nameOf,
  withoutEnding,
  type LinkedPath,
  type NotePath,
} from "./paths.ts";
import { foldKey, isSpelled, linkKey, meaningOf, relativeMeaning } from "./resolve.ts";

/** Old path to new, of notes and attachments. */
export type Moves = ReadonlyMap<LinkedPath, LinkedPath>;
export type Relinked = { text: string; links: number };

/** What links are rewritten by, worked out once for all the notes of a change. */
export type Relinking = {
  moves: Moves;
  /** The names under which links to or past what moves may be written. */
  keys: ReadonlySet<string>;
  before: Lookup;
  after: Lookup;
};

export const relinking = (moves: Moves, before: Lookup): Relinking => ({
  moves,
  keys: affectedKeys(moves),
  before,
  after: lookupAfter(before, moves),
});

/** Every link of a note. */
export const marksOf = ({ links, fileLinks }: Pick<Note, "links" | "fileLinks">): readonly LinkMark[] =>
  fileLinks.length === 0 ? links : [...links, ...fileLinks];

/** Targets whose new spelling is remembered while a note is rewritten; one that is forgotten is worked out again. */
const REMEMBERED = 10_000;

/** The names under which links to or past these may be written. */
export function affectedKeys(moves: Moves): Set<string> {
  const keys = new Set<string>();
  for (const [from, to] of moves) keys.add(linkKey(from)).add(linkKey(to));
  return keys;
}

/**
 * Gives a note's text with its links rewritten for the moves, in steps. `source` is where it stood, `at` where it will stand.
 * Links that lead nowhere are left; so are those that still mean the same as they are written, but for those spelled
 * just like the old name where only its case changes: they follow, unless `spelling` is "kept".
 */
export function* relink(
  text: string,
  marks: readonly LinkMark[],
  source: LinkedPath,
  at: LinkedPath,
  how: Relinking,
  spelling: "follows" | "kept" = "follows",
): Steps<Relinked> {
  let links = 0;
  const newTarget = targetAfter(source, at, how, spelling);
  const next = yield* rewriteLinks(text, marks, (mark) => {
    const target = newTarget(mark);
    if (target !== null) links++;
    return target;
  });
  return { text: next, links };
}

type Written = Pick<LinkMark, "target" | "form">;

/** Gives the new target of a link, or null where it stays as it is written; targets that come again are remembered. */
export function targetAfter(
  source: LinkedPath,
  at: LinkedPath,
  { moves, keys, before, after }: Relinking,
  spelling: "follows" | "kept" = "follows",
): (mark: Written) => string | null {
  const names = namesOnly(after);
  const newTarget = (mark: Written): string | null => {
    if (source === at && !keys.has(linkKey(mark.target))) return null;
    const meant = meaningOf(mark, source, before);
    if (meant === null) return null;
    const wanted = moves.get(meant) ?? meant;
    const respelled = spelling === "follows" && isRespelled(mark, meant, wanted);
    const old = { from: source, meant, lookup: before };
    if (!respelled && stillMeans(mark, old, { from: at, meant: wanted, lookup: after })) return null;
    return targetFor(mark, old, at, wanted, names);
  };
  const known = { wiki: new Map<string, string | null>(), markdown: new Map<string, string | null>() };
  return (mark) => {
    const { [mark.form]: targets } = known;
    let target = targets.get(mark.target);
    if (target === undefined) {
      if (targets.size >= REMEMBERED) targets.clear();
      targets.set(mark.target, (target = newTarget(mark)));
    }
    return target;
  };
}

/** Whether the link is spelled as the old path is, and not as the new one, which differs in case or Unicode form only. */
function isRespelled(mark: Written, old: LinkedPath, next: LinkedPath): boolean {
  if (old === next || foldKey(old) !== foldKey(next)) return false;
  const target = mark.target.replace(/^(?:\.{0,2}\/)+/, "");
  return isSpelled(old, target) && !isSpelled(next, target);
}

type Seen = { from: LinkedPath; meant: LinkedPath; lookup: Lookup };

/** Whether a link, as it is written, means the same in the same way: relative ones stay relative, names stay names. */
function stillMeans(mark: Written, before: Seen, after: Seen): boolean {
  const beside = (it: Seen) => relativeMeaning(mark, it.from, it.lookup) === it.meant;
  const shortest = (it: Seen) => relativeTo(mark, it.from, it.meant) === mark.target;
  // The shortest way there stays the shortest, so that a move there and back changes no byte.
  if (beside(before)) return beside(after) && (shortest(after) || !shortest(before));
  // A title that happens to equal the old name is not what a link by name leads to.
  const named = meaningOf(mark, before.from, namesOnly(before.lookup)) !== null;
  return meaningOf(mark, after.from, named ? namesOnly(after.lookup) : after.lookup) === after.meant;
}

/** What is removed, the names under which links to it may be written, and the vault as it was. */
export type Gone = { paths: ReadonlySet<LinkedPath>; keys: ReadonlySet<string>; lookup: Lookup };

/** Gives a text with its links to what is gone marked as deleted, in steps. */
export function* unlink(
  text: string,
  marks: readonly LinkMark[],
  source: LinkedPath,
  { paths, keys, lookup }: Gone,
): Steps<Relinked> {
  const dead = new Map<LinkMark, string>();
  for (const [at, mark] of marks.entries()) {
    const meant = keys.has(linkKey(mark.target)) ? meaningOf(mark, source, lookup) : null;
    if (meant !== null && paths.has(meant)) dead.set(mark, nameOf(meant));
    if (at % LINKS_IN_A_STEP === LINKS_IN_A_STEP - 1) yield;
  }
  const marked = dead.size === 0 ? text : markRemoved(text, [...dead.keys()], (mark) => dead.get(mark)!);
  return { text: marked, links: dead.size };
}

const namesOnly = (lookup: Lookup): Lookup => ({ ...lookup, byAlias: () => [], byTitle: () => [] });

/** The vault as it will be once the moves are done. */
export function lookupAfter(lookup: Lookup, moves: Moves): Lookup {
  const [byName, byPath] = [new Map<string, LinkedPath[]>(), new Map<string, LinkedPath[]>()];
  const file = (arrivals: Map<string, LinkedPath[]>, key: string, path: LinkedPath): void => {
    const same = arrivals.get(key);
    if (same) same.push(path);
    else arrivals.set(key, [path]);
  };
  for (const path of moves.values()) {
    file(byName, linkKey(path), path);
    file(byPath, foldKey(path), path);
  }
  const after = <Path extends LinkedPath>(
    names: Pick<Names<Path>, "byPath" | "byName">,
    mine: (path: LinkedPath) => path is Path,
  ) => {
    const nameIn = (key: string): string => key.slice(key.lastIndexOf("/") + 1);
    const stay = (paths: Path[]): Path[] => paths.filter((path) => !moves.has(path));
    return {
      byPath: (key: string) => [...stay(names.byPath(key)), ...(byPath.get(key) ?? []).filter(mine)],
      byName: (key: string) => [...stay(names.byName(key)), ...(byName.get(nameIn(key)) ?? []).filter(mine)],
    };
  };
  const moved = (path: NotePath): NotePath => (moves.get(path) as NotePath | undefined) ?? path;
  return {
    ...lookup,
    ...after(lookup, isNote),
    byAlias: (key) => lookup.byAlias(key).map(moved),
    byTitle: (key) => lookup.byTitle(key).map(moved),
    ...(lookup.attachments && { attachments: after(lookup.attachments, isAttachment) }),
  };
}

/** The shortest way to write `wanted` in the manner of the mark that still means it, seen from `at`. */
function targetFor(mark: Written, old: Seen, at: LinkedPath, wanted: LinkedPath, after: Lookup): string {
  const full = asWritten(mark, wanted);
  const name = full.slice(full.lastIndexOf("/") + 1);
  const relative = relativeTo(mark, at, wanted);
  const choices = mark.target.startsWith("/")
    ? [`/${full}`]
    : relativeMeaning(mark, old.from, old.lookup) === old.meant
      ? [relative, `/${full}`]
      : mark.target.includes("/")
        ? [full, `/${full}`]
        : [name, full, relative, `/${full}`];
  const target = choices.find((choice) => meaningOf({ ...mark, target: choice }, at, after) === wanted);
  if (target === undefined || (mark.form === "wiki" && /[[\]#^|]/.test(target)))
    throw new NoteError(
      "path_refused",
      `Links to it could not be written with the name "${name}". Choose a name without [ ] # ^ |.`,
      { path: wanted, reason: "cannot be written in a link" },
    );
  return target;
}

/** A note's `.md` is written where it was written before. */
const asWritten = ({ target }: Written, path: LinkedPath): string =>
  isNote(path) && !/\.md$/i.test(target) ? withoutEnding(path) : path;

function relativeTo(mark: Written, from: LinkedPath, to: LinkedPath): string {
  const path = relativePath(folderOf(from), asWritten(mark, to));
  return mark.target.startsWith("./") && !path.startsWith(".") ? `./${path}` : path;
}

function relativePath(fromFolder: string, to: string): string {
  const from = fromFolder === "" ? [] : fromFolder.split("/");
  const parts = to.split("/");
  let shared = 0;
  while (shared < from.length && shared < parts.length - 1 && from[shared] === parts[shared]) shared++;
  return [...from.slice(shared).map(() => ".."), ...parts.slice(shared)].join("/");
}
