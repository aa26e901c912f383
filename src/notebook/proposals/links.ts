/** What the moves and removals of a proposal do to the links of one note: worked out when it is proposed, and anew when it is accepted. */

import { readNote } from "../../markdown/note.ts";
import { marksOf, relink, relinking, unlink, type Moves } from "../backlinks.ts";
import type { Lookup } from "../link-graph.ts";
import { relinkCanvas, unlinkCanvas } from "../canvases.ts";
import { namesOf, remembering } from "../linking-notes.ts";
import type { Note } from "../note.ts";
import type { NotePath } from "../paths.ts";
import { isCanvas } from "../pointer.ts";
import { foldKey } from "../resolve.ts";
import { inTurns } from "../turns.ts";

/** `moves`: all of them; `followed`: those that links in other notes follow; `marked`: removed notes whose links are marked. */
export type LinkChanges = { moves: Moves; followed: Moves; marked: readonly Note[]; lookup: Lookup };

export const linkChanges = (
  notes: readonly {
    origin: NotePath | null;
    path: NotePath;
    removed: Note | null;
    links: "follow" | "leave";
  }[],
  lookup: Lookup,
): LinkChanges => {
  const moved = notes.flatMap(({ origin, path, removed, links }) =>
    origin === null || origin === path || removed ? [] : [{ origin, path, links }],
  );
  return {
    moves: new Map(moved.map(({ origin, path }) => [origin, path])),
    followed: new Map(
      moved.flatMap(({ origin, path, links }) => (links === "follow" ? [[origin, path]] : [])),
    ),
    marked: notes.flatMap(({ removed, links }) => (removed && links === "follow" ? [removed] : [])),
    lookup: remembering(lookup),
  };
};

/** The keys under which links to a note may be written. */
export const keysOf = (note: Note): Set<string> => new Set(namesOf(note).map(foldKey));

/** The text of a note that stands at `from` and will stand at `to`, with its links as the moves and removals leave them. */
export async function linked(
  text: string,
  from: NotePath,
  to: NotePath,
  { moves, followed, marked, lookup }: LinkChanges,
): Promise<string> {
  const own = from === to ? followed : moves;
  let next = text;
  const goneOf = (gone: Note) => ({ paths: new Set([gone.path]), keys: keysOf(gone), lookup });
  if (isCanvas(from)) {
    if (own.size > 0) next = (await relinkCanvas(text, from, to, relinking(own, lookup)))?.text ?? text;
    for (const gone of marked) next = (await unlinkCanvas(next, to, goneOf(gone)))?.text ?? next;
    return next;
  }
  if (own.size > 0) {
    const marks = marksOf(await inTurns(readNote(text)));
    next = (await inTurns(relink(text, marks, from, to, relinking(own, lookup)))).text;
  }
  for (const gone of marked) {
    const { links } = await inTurns(readNote(next));
    next = (await inTurns(unlink(next, links, to, goneOf(gone)))).text;
  }
  return next;
}
