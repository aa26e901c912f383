/** A further change put on top of what is proposed already: of each note the place and text that the vault has, and those it would have after both. */

import type { Change } from "../change.ts";
import type { Committing } from "../commit.ts";
import { decodeText, encodeText } from "../note.ts";
import type { Parts } from "../parts.ts";
import { linkChanges, linked, type LinkChanges } from "./links.ts";
import type { ProposedNote } from "./proposal.ts";

/** What the call says of the change: what becomes of links, whether removed notes go to the trash, whether it counts where nothing differs. */
export type Asked = Pick<Committing, "backlinks" | "trash" | "always">;

const linksOf = ({ backlinks }: Asked, after: unknown): ProposedNote["links"] =>
  (after ? backlinks !== "leave" : backlinks === "mark") ? "follow" : "leave";

/** `parts` are those that the change was planned on: the lookup knows what is proposed already. */
export async function composed(
  parts: Parts,
  notes: readonly ProposedNote[],
  changes: readonly Change[],
  asked: Asked,
): Promise<ProposedNote[]> {
  const links = linkChanges(
    changes
      .filter(({ why }) => why === "asked")
      .map(({ path, from, before, after }) => ({
        origin: before ? (from ?? path) : null,
        path,
        removed: after ? null : before,
        links: linksOf(asked, after),
      })),
    parts.index.lookup,
  );
  const standing = new Map(notes.filter(({ after }) => after).map((note) => [note.path, note]));
  const gone = new Map(notes.filter(({ after }) => !after).map((note) => [note.path, note]));
  const result = new Set(notes);
  const more: ProposedNote[] = [];
  for (const change of changes) {
    const source = change.from ?? change.path;
    const earlier = change.before ? standing.get(source) : gone.get(source);
    if (earlier) result.delete(earlier);
    const next = earlier ? await onTop(earlier, change, asked, links) : await anew(change, asked, links);
    if (next) more.push(next);
  }
  return replacedInPlace([...result, ...more]).filter((note) => asked.always || isChange(parts, note));
}

async function anew(change: Change, asked: Asked, links: LinkChanges): Promise<ProposedNote> {
  const { path, from, before, after, why } = change;
  const origin = before ? (from ?? path) : null;
  const moved = origin !== null && origin !== path;
  return {
    path,
    origin,
    before: before?.version ?? null,
    base: before && (moved && after ? await relinked(before.bytes, origin, path, links) : before.bytes),
    after: after?.bytes ?? null,
    why: why === "backlink" ? "backlink" : "asked",
    links: linksOf(asked, after),
    trash: after === null && asked.trash === true,
  };
}

/** Null where nothing is left of it: a note that was proposed and is taken back. */
async function onTop(
  earlier: ProposedNote,
  { path, after, why }: Change,
  asked: Asked,
  links: LinkChanges,
): Promise<ProposedNote | null> {
  const isAsked = why === "asked";
  if (!after && earlier.origin === null) return null;
  // What only links made of it belongs to the move that they followed, not to the text that is asked for now.
  const base = isAsked && earlier.why === "backlink" ? earlier.after : earlier.base;
  const isLinked = !isAsked || path !== earlier.path;
  return {
    ...earlier,
    path: after ? path : earlier.origin!,
    base: base && isLinked && after ? await relinked(base, earlier.path, path, links) : base,
    after: after?.bytes ?? null,
    why: isAsked ? "asked" : earlier.why,
    links: !after || path !== earlier.path ? linksOf(asked, after) : earlier.links,
    trash: after === null && asked.trash === true,
  };
}

async function relinked(
  bytes: Uint8Array,
  from: ProposedNote["path"],
  to: ProposedNote["path"],
  links: LinkChanges,
): Promise<Uint8Array> {
  const text = decodeText(bytes);
  return text === null ? bytes : encodeText(await linked(text, from, to, links));
}

/** Where a note comes to stand in the place of one that goes, its text is put there instead: no history tells of one path both. */
function replacedInPlace(notes: readonly ProposedNote[]): ProposedNote[] {
  const gone = new Map(notes.flatMap((note) => (note.after ? [] : [[note.path, note]])));
  return notes.flatMap((note) => {
    const there = note.after && note.origin !== note.path ? gone.get(note.path) : undefined;
    if (!note.after)
      return notes.some((it) => it !== note && it.after && it.path === note.path) ? [] : [note];
    if (!there) return [note];
    const taking: ProposedNote = { ...there, after: note.after, why: "asked", trash: false };
    return note.origin === null ? [taking] : [taking, { ...note, path: note.origin, after: null }];
  });
}

const isChange = ({ versionOf }: Parts, { path, origin, before, after }: ProposedNote): boolean =>
  path !== origin || before !== (after && versionOf(after));
