/** A further change put on top of what is proposed already: of each note the place and text that the vault has, and those it would have after both. */

import type { Change } from "../change.ts";
import type { Committing } from "../commit.ts";
import { decodeText, encodeText, makeNote } from "../note.ts";
import type { Parts } from "../parts.ts";
import { pointsTo } from "../pointer.ts";
import { linkChanges, linked, type LinkChanges } from "./links.ts";
import { isSame, type ProposedNote } from "./proposal.ts";

/** What the call says of the change: what becomes of links, whether removed notes go to the trash, whether it counts where nothing differs. */
export type Asked = Pick<Committing, "backlinks" | "trash" | "always" | "folder">;

const linksOf = ({ backlinks }: Asked, after: unknown): ProposedNote["links"] =>
  (after ? backlinks !== "leave" : backlinks === "mark") ? "follow" : "leave";

/** `parts` are those of the vault, in which none of it is done. */
export async function composed(
  parts: Parts,
  notes: readonly ProposedNote[],
  changes: readonly Change[],
  asked: Asked,
): Promise<ProposedNote[]> {
  const standing = new Map(notes.filter(({ after }) => after).map((note) => [note.path, note]));
  const gone = new Map(notes.filter(({ after }) => !after).map((note) => [note.path, note]));
  const result = new Set(notes);
  const more: ProposedNote[] = [];
  for (const change of changes) {
    const source = change.from ?? change.path;
    const earlier = change.before ? standing.get(source) : gone.get(source);
    if (earlier) result.delete(earlier);
    const next = earlier ? onTop(earlier, change, asked) : anew(change, asked);
    if (next) more.push(next);
  }
  const all = replacedInPlace([...result, ...more]);
  return withBases(
    parts,
    all.filter((note) => asked.always || isChange(parts, note)),
  );
}

function anew({ path, from, before, after, why }: Change, asked: Asked): ProposedNote {
  return {
    path,
    origin: before ? (from ?? path) : null,
    original: before?.bytes ?? null,
    base: before?.bytes ?? null,
    after: after?.bytes ?? null,
    why: why === "backlink" ? "backlink" : "asked",
    links: linksOf(asked, after),
    ...goingOf(asked, after),
  };
}

const goingOf = ({ trash, folder }: Asked, after: unknown): Pick<ProposedNote, "trash" | "folder"> => ({
  trash: !after && trash === true,
  folder: !after && typeof folder === "string" ? folder : null,
});

/** Null where nothing is left of it: a note that was proposed and is taken back. */
function onTop(earlier: ProposedNote, { path, after, why }: Change, asked: Asked): ProposedNote | null {
  if (!after && earlier.origin === null) return null;
  return {
    ...earlier,
    path: after ? path : earlier.origin!,
    after: after?.bytes ?? null,
    why: why === "asked" ? "asked" : earlier.why,
    links: !after || path !== earlier.path ? linksOf(asked, after) : earlier.links,
    ...goingOf(asked, after),
  };
}

/** Where a note comes to stand in the place of one that goes, its text is put there instead: no history tells of one path both. */
function replacedInPlace(notes: readonly ProposedNote[]): ProposedNote[] {
  const gone = new Map(notes.flatMap((note) => (note.after ? [] : [[note.path, note]])));
  const taken = new Set(notes.flatMap((note) => (note.after ? [note.path] : [])));
  return notes.flatMap((note): ProposedNote[] => {
    if (!note.after) return taken.has(note.path) ? [] : [note];
    const there = note.origin === note.path ? undefined : gone.get(note.path);
    if (!there) return [note];
    const taking: ProposedNote = { ...there, after: note.after, why: "asked", trash: false, folder: null };
    if (note.origin === null) return [taking];
    return [taking, { ...note, path: note.origin, after: null, links: "leave" }];
  });
}

const isChange = ({ versionOf }: Parts, { path, origin, original, after }: ProposedNote): boolean =>
  path !== origin || (original && versionOf(original)) !== (after && versionOf(after));

/** What the moves and removals alone make of each note; whatever else its text differs in was asked for. */
async function withBases(parts: Parts, notes: readonly ProposedNote[]): Promise<ProposedNote[]> {
  const links = linkChanges(
    notes.map((note) => {
      const { path, origin, original, after } = note;
      const removed = original && !after ? makeNote(path, original, "", parts.now()) : null;
      return { origin, path, removed, links: note.links };
    }),
    parts.index.lookup,
  );
  const all: ProposedNote[] = [];
  for (const note of notes) {
    const base = await baseOf(note, links);
    const onlyLinks = note.path === note.origin && base && note.after && isSame(base, note.after);
    all.push({ ...note, base, why: note.why === "backlink" && onlyLinks ? "backlink" : "asked" });
  }
  return all;
}

async function baseOf({ path, origin, original, after }: ProposedNote, links: LinkChanges) {
  const text = original && after && !pointsTo(path, original) ? decodeText(original) : null;
  if (text === null) return original;
  const next = await linked(text, origin!, path, links);
  return next === text ? original : encodeText(next);
}
