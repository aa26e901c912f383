/** Fates: where each note of a stretch of history is to stand once some of its revisions are taken back, and how links to it are written then. */

import { NoteError } from "../markdown/errors.ts";
import type { LinkMark } from "../markdown/links.ts";
import { parseNote } from "../markdown/note.ts";
import { lookupAfter, relink, type Moves, type Relinked } from "./backlinks.ts";
import { lastPath, stateAt, type Deed, type Life } from "./lives.ts";
import type { Lookup } from "./link-graph.ts";
import type { Note } from "./note.ts";
import type { NotePath } from "./paths.ts";

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

export type Names = {
  /** Past the last revision: the vault as it is to be. */
  target: number;
  /** From the names at that place of the stretch to those that are to be. */
  moves(at: number): Moves;
  /** The text with its links as they are to be; `source` is where its note stood, `to` where it will. */
  translated(text: string, at: number, source: NotePath, to: NotePath): string;
  /** The same for some of the links of a note as it is now. */
  relinked(text: string, marks: readonly LinkMark[], path: NotePath): Relinked;
};

/** `length` is that of the stretch; its last place stands for the vault as it is now. */
export function namesOf(fates: readonly Fate[], length: number, lookup: Lookup): Names {
  const wanderers = fates.filter(
    ({ life, here, to }) =>
      here !== to || life.deeds.some(({ before, after }) => before?.path !== after?.path),
  );
  const placeAt = ({ life, here, to }: Fate, at: number): NotePath | null =>
    at === length ? to : at === length - 1 ? here : (stateAt(life, at)?.path ?? null);
  const between = (from: number, to: number): Moves =>
    new Map(
      wanderers.flatMap((fate): [NotePath, NotePath][] => {
        const [old, next] = [placeAt(fate, from), placeAt(fate, to)];
        return old === null || next === null || old === next ? [] : [[old, next]];
      }),
    );
  const known = new Map<number, { moves: Moves; lookup: Lookup }>();
  // What came or went since is not known to such a lookup: a link to it is left as it is.
  const at = (place: number) => {
    const found = known.get(place) ?? {
      moves: between(place, length),
      lookup: lookupAfter(lookup, between(length - 1, place)),
    };
    known.set(place, found);
    return found;
  };

  function mended(text: string, marks: readonly LinkMark[], place: number, source: NotePath, to: NotePath) {
    try {
      return relink(text, marks, source, to, at(place).moves, at(place).lookup);
    } catch (error) {
      // A name that no link can hold: its note has to get back all the same.
      if (error instanceof NoteError && error.code === "path_refused") return { text, links: 0 };
      throw error;
    }
  }

  return {
    target: length,
    moves: (place) => at(place).moves,
    translated: (text, place, source, to) =>
      at(place).moves.size === 0 ? text : mended(text, parseNote(text).links, place, source, to).text,
    relinked: (text, marks, path) => mended(text, marks, length - 1, path, path),
  };
}
