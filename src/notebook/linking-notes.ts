/** Notes that link to what is moved or removed: which there are, and what becomes of their links. */

import { marksOf, relink, relinking, unlink, type Gone, type Moves, type Relinked } from "./backlinks.ts";
import { relinkCanvases, unlinkCanvases } from "./canvases.ts";
import type { Backlinker, Change, How, Who, Plan } from "./change.ts";
import type { Lookup } from "./link-graph.ts";
import { textOf, type Note } from "./note.ts";
import type { Parts } from "./parts.ts";
import { isNote, type NotePath } from "./paths.ts";
import { draft, load } from "./load.ts";
import { foldKey } from "./resolve.ts";
import { inTurns } from "./turns.ts";

type Wanted = (path: NotePath) => boolean;

/** The links of these notes follow what is moved, unless they are left. */
export async function relinkOthers(
  parts: Parts,
  moves: Moves,
  { backlinks }: How & { backlinks?: "rewrite" | "leave" },
  who: Who,
  wanted: Wanted,
): Promise<Plan> {
  const how = relinking(moves, remembering(parts.index.lookup));
  const rewritten = backlinks !== "leave";
  const others = await linkingNotes(parts, how.keys, who, wanted);
  const notes = await changed(parts, others, rewritten, (note) =>
    inTurns(relink(textOf(note), marksOf(note), note.path, note.path, how, rewritten ? "follows" : "kept")),
  );
  return joined(notes, await relinkCanvases(parts, how, rewritten, who, (path) => wanted(path as NotePath)));
}

/** The links of these notes to what is removed are marked, where that is asked for. */
export async function unlinkOthers(
  parts: Parts,
  gone: readonly Note[],
  { backlinks }: How & { backlinks?: "mark" | "leave" },
  who: Who,
  wanted: Wanted,
): Promise<Plan> {
  const lost = goneOf(gone, remembering(parts.index.lookup));
  const rewritten = backlinks === "mark";
  const others = await linkingNotes(parts, lost.keys, who, wanted);
  const notes = await changed(parts, others, rewritten, (note) =>
    inTurns(unlink(textOf(note), marksOf(note), note.path, lost)),
  );
  return joined(notes, await unlinkCanvases(parts, lost, rewritten, who, (path) => wanted(path as NotePath)));
}

/** What becomes of notes, and of canvases. */
const joined = (notes: Plan, canvases: Plan): Plan => ({
  changes: [...notes.changes, ...canvases.changes],
  backlinkers: [...notes.backlinkers, ...canvases.backlinkers],
  mayRefer: canvases.mayRefer ?? [],
});

/** What is gone with these notes. `lookup`: the vault as it was. */
export const goneOf = (notes: readonly Note[], lookup: Lookup): Gone => ({
  paths: new Set(notes.map(({ path }) => path)),
  keys: new Set(notes.flatMap(namesOf).map(foldKey)),
  lookup,
});

/** The names under which links to it may be written. */
const namesOf = ({ path, name, title, aliases }: Note): string[] =>
  isNote(path) ? [name, title, ...aliases] : [name];

async function changed(
  parts: Parts,
  notes: readonly Note[],
  rewritten: boolean,
  rewrite: (note: Note) => Promise<Relinked>,
): Promise<Plan> {
  const changes: Change[] = [];
  const backlinkers: Backlinker[] = [];
  for (const note of notes) {
    const { text, links } = await rewrite(note);
    if (links === 0) continue;
    backlinkers.push({ path: note.path, links, rewritten });
    if (!rewritten) continue;
    const after = await draft(parts, note.path, text);
    changes.push({ path: note.path, before: note, after, why: "backlink" });
  }
  return { changes, backlinkers };
}

/** Every note that has a link written with one of these keys, read afresh. */
async function linkingNotes(parts: Parts, keys: Iterable<string>, who: Who, wanted: Wanted): Promise<Note[]> {
  const sources = new Set<NotePath>();
  for (const key of keys)
    for (const source of parts.index.linkSources(key)) if (wanted(source)) sources.add(source);
  const notes: Note[] = [];
  for (const path of [...sources].toSorted()) {
    who.signal?.throwIfAborted();
    const note = await load(parts, path);
    if (note && note.text !== null) notes.push(note);
    if (notes.length % 100 === 0)
      who.progress?.(notes.length, sources.size, "reading the notes that link here");
  }
  return notes;
}

/** A hostile note asks for a million names, each once; what is forgotten is asked again. */
const REMEMBERED = 100_000;

/** One plan asks the same names again and again. */
export function remembering(lookup: Lookup): Lookup {
  const remember = <Path>(ask: (key: string) => Path[]) => {
    const known = new Map<string, Path[]>();
    return (key: string) => {
      const found = known.get(key) ?? ask(key);
      if (known.size >= REMEMBERED) known.clear();
      known.set(key, found);
      return found;
    };
  };
  return {
    ...lookup,
    byPath: remember(lookup.byPath),
    byName: remember(lookup.byName),
    byAlias: remember(lookup.byAlias),
    byTitle: remember(lookup.byTitle),
    ...(lookup.attachments && {
      attachments: {
        byPath: remember(lookup.attachments.byPath),
        byName: remember(lookup.attachments.byName),
      },
    }),
  };
}
