/** The edits notes need when a note moves or goes: every link goes on leading to its note, in the style it was written in (decision 4). */

import { LINKS_IN_A_STEP, markRemoved, rewriteLinks, type LinkMark } from "../markdown/links.ts";
import { NoteError } from "../markdown/errors.ts";
import type { Steps } from "../markdown/steps.ts";
import type { Lookup } from "./link-graph.ts";
import { folderOf, nameOf, withoutEnding, type NotePath } from "./paths.ts";
import { foldKey, isSpelled, linkKey, relativeTarget, resolveTarget } from "./resolve.ts";

/** Old path to new. */
export type Moves = ReadonlyMap<NotePath, NotePath>;
export type Relinked = { text: string; links: number };

/** Targets whose new spelling is remembered while a note is rewritten; one that is forgotten is worked out again. */
const REMEMBERED = 10_000;

/** The names under which links to or past these notes may be written. */
export function affectedKeys(moves: Moves): Set<string> {
  const keys = new Set<string>();
  for (const [from, to] of moves) keys.add(foldKey(nameOf(from))).add(foldKey(nameOf(to)));
  return keys;
}

/**
 * Gives a note's text with its links rewritten for the moves, in steps. `source` is where it stood, `at` where it will stand.
 * Links that lead nowhere are left; so are those that still mean the same note as they are written, but for those spelled
 * just like the old name where only its case changes: they follow, unless `spelling` is "kept".
 */
export function* relink(
  text: string,
  marks: readonly LinkMark[],
  source: NotePath,
  at: NotePath,
  moves: Moves,
  lookup: Lookup,
  spelling: "follows" | "kept" = "follows",
): Steps<Relinked> {
  const after = lookupAfter(lookup, moves);
  const keys = affectedKeys(moves);
  let links = 0;
  const newTarget = (mark: LinkMark): string | null => {
    if (source === at && !keys.has(linkKey(mark.target))) return null;
    const note = resolveTarget(mark.target, mark.form, source, lookup);
    if (note === null) return null;
    const wanted = moves.get(note) ?? note;
    const respelled = spelling === "follows" && isRespelled(mark, note, wanted);
    if (
      !respelled &&
      stillMeans(mark, { from: source, note, lookup }, { from: at, note: wanted, lookup: after })
    )
      return null;
    return targetFor(mark, source, at, note, wanted, lookup, namesOnly(after));
  };
  const known = { wiki: new Map<string, string | null>(), markdown: new Map<string, string | null>() };
  const next = yield* rewriteLinks(text, marks, (mark) => {
    const { [mark.form]: targets } = known;
    let target = targets.get(mark.target);
    if (target === undefined) {
      if (targets.size >= REMEMBERED) targets.clear();
      targets.set(mark.target, (target = newTarget(mark)));
    }
    if (target !== null) links++;
    return target;
  });
  return { text: next, links };
}

/** Whether the link is spelled as the old path is, and not as the new one, which differs in case or Unicode form only. */
function isRespelled(mark: LinkMark, old: NotePath, next: NotePath): boolean {
  if (old === next || foldKey(old) !== foldKey(next)) return false;
  const target = mark.target.replace(/^(?:\.{0,2}\/)+/, "");
  return isSpelled(old, target) && !isSpelled(next, target);
}

type Seen = { from: NotePath; note: NotePath; lookup: Lookup };

/** Whether a link, as it is written, means the same note in the same way: relative ones stay relative, names stay names. */
function stillMeans(mark: LinkMark, before: Seen, after: Seen): boolean {
  const beside = (it: Seen) => relativeTarget(mark.target, mark.form, it.from, it.lookup) === it.note;
  const shortest = (it: Seen) => relativeTo(mark, it.from, it.note) === mark.target;
  // The shortest way there stays the shortest, so that a move there and back changes no byte.
  if (beside(before)) return beside(after) && (shortest(after) || !shortest(before));
  // A title that happens to equal the old name is not what a link by name leads to.
  const named = resolveTarget(mark.target, mark.form, before.from, namesOnly(before.lookup)) !== null;
  return (
    resolveTarget(mark.target, mark.form, after.from, named ? namesOnly(after.lookup) : after.lookup) ===
    after.note
  );
}

/** Gives a note's text with its links to `gone`, known by these keys, marked as deleted, in steps. */
export function* unlink(
  text: string,
  marks: readonly LinkMark[],
  source: NotePath,
  gone: NotePath,
  keys: ReadonlySet<string>,
  lookup: Lookup,
): Steps<Relinked> {
  const dead: LinkMark[] = [];
  for (const [at, mark] of marks.entries()) {
    if (keys.has(linkKey(mark.target)) && resolveTarget(mark.target, mark.form, source, lookup) === gone)
      dead.push(mark);
    if (at % LINKS_IN_A_STEP === LINKS_IN_A_STEP - 1) yield;
  }
  return { text: dead.length === 0 ? text : markRemoved(text, dead, nameOf(gone)), links: dead.length };
}

const namesOnly = (lookup: Lookup): Lookup => ({ ...lookup, byAlias: () => [], byTitle: () => [] });

/** The vault as it will be once the moves are done. */
export function lookupAfter(lookup: Lookup, moves: Moves): Lookup {
  const arrivals = [...moves.values()];
  const stay = (paths: NotePath[]) => paths.filter((path) => !moves.has(path));
  return {
    ...lookup,
    byPath: (key) => [
      ...stay(lookup.byPath(key)),
      ...arrivals.filter((path) => foldKey(withoutEnding(path)) === key),
    ],
    byName: (key) => [
      ...stay(lookup.byName(key)),
      ...arrivals.filter((path) => foldKey(nameOf(path)) === key),
    ],
    byAlias: (key) => lookup.byAlias(key).map((path) => moves.get(path) ?? path),
    byTitle: (key) => lookup.byTitle(key).map((path) => moves.get(path) ?? path),
  };
}

/** The shortest way to write `wanted` in the manner of the mark that still means it, seen from `at`. */
function targetFor(
  mark: LinkMark,
  source: NotePath,
  at: NotePath,
  note: NotePath,
  wanted: NotePath,
  before: Lookup,
  after: Lookup,
): string {
  const full = withoutEnding(wanted) + endingOf(mark);
  const name = nameOf(wanted) + endingOf(mark);
  const relative = relativeTo(mark, at, wanted);
  const choices = mark.target.startsWith("/")
    ? [`/${full}`]
    : relativeTarget(mark.target, mark.form, source, before) === note
      ? [relative, `/${full}`]
      : mark.target.includes("/")
        ? [full, `/${full}`]
        : [name, full, relative, `/${full}`];
  const target = choices.find((choice) => resolveTarget(choice, mark.form, at, after) === wanted);
  if (target === undefined || (mark.form === "wiki" && /[[\]#^|]/.test(target)))
    throw new NoteError(
      "path_refused",
      `Links to the note could not be written with the name "${nameOf(wanted)}". Choose a name without [ ] # ^ |.`,
      {
        path: wanted,
        reason: "cannot be written in a link",
      },
    );
  return target;
}

const endingOf = (mark: LinkMark): string => (/\.md$/i.test(mark.target) ? ".md" : "");

function relativeTo(mark: LinkMark, from: NotePath, to: NotePath): string {
  const path = relativePath(folderOf(from), withoutEnding(to)) + endingOf(mark);
  return mark.target.startsWith("./") && !path.startsWith(".") ? `./${path}` : path;
}

function relativePath(fromFolder: string, to: string): string {
  const from = fromFolder === "" ? [] : fromFolder.split("/");
  const parts = to.split("/");
  let shared = 0;
  while (shared < from.length && shared < parts.length - 1 && from[shared] === parts[shared]) shared++;
  return [...from.slice(shared).map(() => ".."), ...parts.slice(shared)].join("/");
}
