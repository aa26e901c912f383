/** What the moves and removals of a proposal do to the links of one note: worked out when it is proposed, and anew when it is accepted. */

import { readNote } from "../../markdown/note.ts";
import { marksOf, relink, relinking, unlink, type Gone, type Relinking } from "../backlinks.ts";
import type { Lookup } from "../link-graph.ts";
import { relinkCanvas, unlinkCanvas } from "../canvases.ts";
import { goneOf, remembering } from "../linking-notes.ts";
import type { Note } from "../note.ts";
import type { NotePath } from "../paths.ts";
import { isCanvas } from "../pointer.ts";
import { inTurns } from "../turns.ts";

/** `moves`: all of them; `followed`: those that links in other notes follow; `marked`: removed notes whose links are marked, and what is gone with them. */
export type LinkChanges = {
  moves: Relinking;
  followed: Relinking;
  marked: readonly Note[];
  gone: Gone;
};

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
  const marked = notes.flatMap(({ removed, links }) => (removed && links === "follow" ? [removed] : []));
  const remembered = remembering(lookup);
  const moving = (some: typeof moved): Relinking =>
    relinking(new Map(some.map(({ origin, path }) => [origin, path])), remembered);
  return {
    moves: moving(moved),
    followed: moving(moved.filter(({ links }) => links === "follow")),
    marked,
    gone: goneOf(marked, remembered),
  };
};

/** The text of a note that stands at `from` and will stand at `to`, with its links as the moves and removals leave them. */
export async function linked(
  text: string,
  from: NotePath,
  to: NotePath,
  { moves, followed, gone }: LinkChanges,
): Promise<string> {
  const own = from === to ? followed : moves;
  let next = text;
  if (isCanvas(from)) {
    if (own.moves.size > 0) next = (await relinkCanvas(text, from, to, own))?.text ?? text;
    if (gone.paths.size > 0) next = (await unlinkCanvas(next, to, gone))?.text ?? next;
    return next;
  }
  if (own.moves.size > 0) {
    const marks = marksOf(await inTurns(readNote(text)));
    next = (await inTurns(relink(text, marks, from, to, own))).text;
  }
  if (gone.paths.size > 0) {
    const marks = marksOf(await inTurns(readNote(next)));
    next = (await inTurns(unlink(next, marks, to, gone))).text;
  }
  return next;
}
