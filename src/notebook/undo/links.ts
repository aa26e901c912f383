/** Links in an undo: how texts of the past and of now link to notes that an undo moves. */

import { NoteError } from "../../markdown/errors.ts";
import type { LinkMark } from "../../markdown/links.ts";
import { readNote } from "../../markdown/note.ts";
import type { Steps } from "../../markdown/steps.ts";
import {
  lookupAfter,
  marksOf,
  relink,
  relinking,
  type Moves,
  type Relinked,
  type Relinking,
} from "../backlinks.ts";
import type { Target } from "./target.ts";
import { lastPath, stateAt } from "./timeline.ts";
import type { Lookup, Names } from "../link-graph.ts";
import { isNote, type AttachmentPath, type NotePath } from "../paths.ts";
import { lookupOf, meaningOf } from "../resolve.ts";

/** Gives texts with their links as they must be after the undo, in steps. `since` is the place in the range where the text was written: there its links lead where they say. */
export type LinkRewriter = {
  /** Old names to new ones, of the notes that an undo moves. */
  moves: Moves;
  /** No note has had two names, so every text already is as it must be. */
  still: boolean;
  /** A text of the past. `source` is where its note stood, `to` where it will. */
  past(text: string, since: number, source: NotePath, to: NotePath): Steps<string>;
  /** A text that is there now. A link that has lost its note meanwhile stays as it is. */
  present(text: string, since: number, source: NotePath, to: NotePath): Steps<string>;
  /** Some of the links of a note that stays where it is. */
  relinked(text: string, marks: readonly LinkMark[], path: NotePath): Steps<Relinked>;
};

type Pairs = Iterable<[from: NotePath | null, to: NotePath | null]>;
type View = { moves: Moves; lookup(): Lookup; how(): Relinking };

const movesOf = (pairs: Pairs): Moves =>
  new Map([...pairs].flatMap(([from, to]) => (from && to && from !== to ? [[from, to] as const] : [])));

export function linkRewriter(targets: readonly Target[], lookup: Lookup): LinkRewriter {
  /** Targets whose note changes its place now, or did so within the range. */
  const moved = targets.filter(
    ({ timeline, here, to }) =>
      here !== to || timeline.events.some(({ before, after }) => before?.path !== after?.path),
  );
  const taken = remembered((at) => new Set(targets.map(({ timeline }) => stateAt(timeline, at)?.path)));
  /** The name that links to it had then, also where it was gone and they led nowhere. */
  const placeAt = ({ timeline }: Target, at: number): NotePath | null => {
    const last = timeline.events.findLast((event) => event.at <= at);
    const { before, after } = last ?? { before: null, after: timeline.events[0]!.before };
    return after?.path ?? (before && !taken(at).has(before.path) ? before.path : null);
  };
  const held = new Set(targets.map(({ here }) => here));
  /** The name that links to it have now, also where it is gone and they lead nowhere. */
  const linkedAs = (target: Target): NotePath | null =>
    target.here ?? (held.has(lastPath(target.timeline)) ? null : lastPath(target.timeline));
  const lost = moved.filter(({ here, to }) => here === null && to !== null).map(linkedAs);
  const view = (pairs: Pairs, make: () => Lookup): View => {
    const moves = movesOf(pairs);
    const known = once(make);
    return { moves, lookup: known, how: once(() => relinking(moves, known())) };
  };
  const now = view(
    moved.map((target) => [linkedAs(target), target.to]),
    () => withNotes(lookup, lost),
  );
  const movedAs = once(() => new Map(moved.map((target) => [linkedAs(target), target])));
  // What was made since is not taken out: at worst a link that led nowhere is seen to lead there.
  const lookupAt = (at: number): Lookup => {
    const before = lookupAfter(lookup, movesOf(moved.map((target) => [target.here, placeAt(target, at)])));
    const gone = moved.filter(({ here }) => here === null).map((target) => placeAt(target, at));
    return withNotes(before, gone);
  };
  const then = remembered((at) =>
    view(
      moved.map((target) => [placeAt(target, at), target.to]),
      () => lookupAt(at),
    ),
  );
  /** Whether a link that leads to a note now was written for it. */
  const leadsToSame = (mark: LinkMark, source: NotePath, since: number): boolean => {
    const leadsTo = meaningOf(mark, source, now.lookup());
    const target = leadsTo && movedAs().get(leadsTo as NotePath);
    if (!target) return true;
    const led = meaningOf(mark, source, then(since).lookup());
    return led === placeAt(target, since);
  };

  function* rewritten(
    text: string,
    marks: readonly LinkMark[],
    source: NotePath,
    to: NotePath,
    seen: View,
  ): Steps<Relinked> {
    try {
      return yield* relink(text, marks, source, to, seen.how());
    } catch (error) {
      // A name that no link can hold: its note has to get back all the same.
      if (error instanceof NoteError && error.code === "path_refused") return { text, links: 0 };
      throw error;
    }
  }
  function* linksIn(text: string, seen: View): Steps<LinkMark[]> {
    return seen.moves.size === 0 ? [] : [...marksOf(yield* readNote(text))];
  }

  return {
    moves: now.moves,
    still: moved.length === 0,
    *past(text, since, source, to) {
      if (!isNote(source)) return text;
      const links = yield* linksIn(text, then(since));
      return (yield* rewritten(text, links, source, to, then(since))).text;
    },
    *present(text, since, source, to) {
      if (!isNote(source)) return text;
      const links = (yield* linksIn(text, now)).filter((mark) => leadsToSame(mark, source, since));
      return (yield* rewritten(text, links, source, to, now)).text;
    },
    relinked: (text, marks, path) => rewritten(text, marks, path, path, now),
  };
}

type Both<Path> = Pick<Names<Path>, "byPath" | "byName">;

function withNotes(lookup: Lookup, paths: readonly (NotePath | null)[]): Lookup {
  const there = paths.filter((path) => path !== null);
  if (there.length === 0) return lookup;
  const listed = (paths: readonly NotePath[]) =>
    lookupOf(paths.map((path) => ({ path, title: "", aliases: [] })));
  const joined = <Path>(some: Both<Path>, more: Both<Path>): Both<Path> => ({
    byPath: (key) => [...some.byPath(key), ...more.byPath(key)],
    byName: (key) => [...some.byName(key), ...more.byName(key)],
  });
  const files = listed(there.filter((path) => !isNote(path))) as unknown as Both<AttachmentPath>;
  return {
    ...lookup,
    ...joined(lookup, listed(there.filter(isNote))),
    ...(lookup.attachments && { attachments: joined(lookup.attachments, files) }),
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

function remembered<T>(make: (at: number) => T): (at: number) => T {
  const known = new Map<number, T>();
  return (at) => {
    const made = known.get(at) ?? make(at);
    known.set(at, made);
    return made;
  };
}
