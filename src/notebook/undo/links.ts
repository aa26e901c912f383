/** Fates: where each note of a stretch of history is to stand once some of its revisions are taken back, and how links to it are written then. */

import { NoteError } from "../../markdown/errors.ts";
import type { LinkMark } from "../../markdown/links.ts";
import { parseNote } from "../../markdown/note.ts";
import { lookupAfter, relink, type Moves, type Relinked } from "../backlinks.ts";
import { lastPath, stateAt, type Deed, type Life } from "./timeline.ts";
import type { Lookup } from "../link-graph.ts";
import type { Note } from "../note.ts";
import type { NotePath } from "../paths.ts";
import { lookupOf, resolveTarget } from "../resolve.ts";

export type Fate = {
  life: Life;
  /** What is to be taken back, newest first; none of a note that is left as it is. */
  undone: Deed[];
  skipped: boolean;
  /** What is there now; not read where nothing is taken back. */
  note: Note | null;
  here: NotePath | null;
  to: NotePath | null;
};

/** The name by which a person knows the note: the one it has, or had last. */
export const calledNow = ({ here, life }: Fate): NotePath => here ?? lastPath(life);

/** Where a note goes when these deeds are taken back. A note that somebody has moved on since stays where they put it. */
export function placeAfter(undone: readonly Deed[], here: NotePath | null): NotePath | null {
  let place = here;
  for (const { before, after } of undone) {
    if (!before) place = null;
    else if (place === null) place = after ? null : before.path;
    else if (after && place === after.path) place = before.path;
  }
  return place;
}

/** Texts with their links as they are to be. `since`: the place in the stretch where the text was written, and its links meant what they say. */
export type Names = {
  /** Old names to new ones, of the notes that an undo moves. */
  moves: Moves;
  /** No note has gone under two names: every text is as it is to be. */
  still: boolean;
  /** A text of the past. `source` is where its note stood, `to` where it will. */
  past(text: string, since: number, source: NotePath, to: NotePath): string;
  /** A text that is there now. A link that has lost its note meanwhile is nobody's to mend. */
  present(text: string, since: number, source: NotePath, to: NotePath): string;
  /** Some of the links of a note that stays where it is. */
  relinked(text: string, marks: readonly LinkMark[], path: NotePath): Relinked;
};

type Pairs = Iterable<[from: NotePath | null, to: NotePath | null]>;
type View = { moves: Moves; lookup(): Lookup };

const movesOf = (pairs: Pairs): Moves =>
  new Map([...pairs].flatMap(([from, to]) => (from && to && from !== to ? [[from, to] as const] : [])));

export function namesOf(fates: readonly Fate[], lookup: Lookup): Names {
  const wanderers = fates.filter(
    ({ life, here, to }) =>
      here !== to || life.deeds.some(({ before, after }) => before?.path !== after?.path),
  );
  const taken = remembered((at) => new Set(fates.map(({ life }) => stateAt(life, at)?.path)));
  /** The name that links to it had then, also where it was gone and they led nowhere. */
  const placeAt = ({ life }: Fate, at: number): NotePath | null => {
    const last = life.deeds.findLast((deed) => deed.at <= at);
    const { before, after } = last ?? { before: null, after: life.deeds[0]!.before };
    return after?.path ?? (before && !taken(at).has(before.path) ? before.path : null);
  };
  const held = new Set(fates.map(({ here }) => here));
  /** The name that links to it have now, also where it is gone and they lead nowhere. */
  const calledIn = (fate: Fate): NotePath | null =>
    fate.here ?? (held.has(lastPath(fate.life)) ? null : lastPath(fate.life));
  const lost = wanderers.filter(({ here, to }) => here === null && to !== null).map(calledIn);
  const now: View = {
    moves: movesOf(wanderers.map((fate) => [calledIn(fate), fate.to])),
    lookup: () => withNotes(lookup, lost),
  };
  const view = (at: number, moves: Pairs): View => {
    let known: Lookup | undefined;
    return { moves: movesOf(moves), lookup: () => (known ??= lookupAt(at)) };
  };
  // What was made since is not taken out: at worst a link that led nowhere is seen to lead there.
  const lookupAt = (at: number): Lookup => {
    const moved = lookupAfter(lookup, movesOf(wanderers.map((fate) => [fate.here, placeAt(fate, at)])));
    const gone = wanderers.filter(({ here }) => here === null).map((fate) => placeAt(fate, at));
    return withNotes(moved, gone);
  };
  const then = remembered((at) =>
    view(
      at,
      wanderers.map((fate) => [placeAt(fate, at), fate.to]),
    ),
  );
  /** Whether a link that leads to a note now was written for it. */
  const lasts = (mark: LinkMark, source: NotePath, since: number): boolean => {
    const leadsTo = resolveTarget(mark.target, mark.form, source, now.lookup());
    const fate = leadsTo && wanderers.find((it) => calledIn(it) === leadsTo);
    if (!fate) return true;
    const meant = resolveTarget(mark.target, mark.form, source, then(since).lookup());
    return meant === placeAt(fate, since);
  };

  function mended(text: string, marks: readonly LinkMark[], source: NotePath, to: NotePath, seen: View) {
    try {
      return relink(text, marks, source, to, seen.moves, seen.lookup());
    } catch (error) {
      // A name that no link can hold: its note has to get back all the same.
      if (error instanceof NoteError && error.code === "path_refused") return { text, links: 0 };
      throw error;
    }
  }
  const marked = (text: string, seen: View): LinkMark[] =>
    seen.moves.size === 0 ? [] : parseNote(text).links;

  return {
    moves: now.moves,
    still: wanderers.length === 0,
    past: (text, since, source, to) => mended(text, marked(text, then(since)), source, to, then(since)).text,
    present: (text, since, source, to) =>
      mended(
        text,
        marked(text, now).filter((mark) => lasts(mark, source, since)),
        source,
        to,
        now,
      ).text,
    relinked: (text, marks, path) => mended(text, marks, path, path, now),
  };
}

function withNotes(lookup: Lookup, paths: readonly (NotePath | null)[]): Lookup {
  const there = paths.filter((path) => path !== null);
  if (there.length === 0) return lookup;
  const more = lookupOf(there.map((path) => ({ path, title: "", aliases: [] })));
  return {
    ...lookup,
    byPath: (key) => [...lookup.byPath(key), ...more.byPath(key)],
    byName: (key) => [...lookup.byName(key), ...more.byName(key)],
  };
}

function remembered<T>(make: (at: number) => T): (at: number) => T {
  const known = new Map<number, T>();
  return (at) => {
    const made = known.get(at) ?? make(at);
    known.set(at, made);
    return made;
  };
}
