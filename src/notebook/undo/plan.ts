/** Undo: the changes that take revisions back, keeping what others have written since; and restore, which is one note at one revision. */

import { NoteError } from "../../markdown/errors.ts";
import { lineChanges, linesOf } from "../../markdown/diff.ts";
import { affectedKeys } from "../backlinks.ts";
import type { Backlinker, Change, Who } from "../change.ts";
import { calledNow, namesOf, placeAfter, type Fate, type Names } from "./links.ts";
import { lastPath, livesIn, stateAt, stretchFrom, type Life } from "./timeline.ts";
import { decodeText, encodeText, makeNote, type Note } from "../note.ts";
import type { Parts, Revision } from "../parts.ts";
import type { NotePath } from "../paths.ts";
import { load, missing, type Plan } from "../plan.ts";
import { takeBack, type UndoConflict } from "./one-note.ts";

const CONFLICTS_SHOWN = 20;
const IDS_SHOWN = 20;

/** Notes named in `skip`, as they are called now, are left as they are. */
export async function planUndo(
  parts: Parts,
  revisions: readonly Revision[],
  skip: ReadonlySet<NotePath>,
  who: Who,
): Promise<Plan> {
  if (revisions.length === 0) return { changes: [], backlinkers: [] };
  const ids = new Set(revisions.map(({ id }) => id));
  const stretch = await stretchFrom(parts.history, ids);
  const fates = await fatesOf(parts, livesIn(stretch), ids, skip);
  if (await wasTakenBack(parts, fates)) return { changes: [], backlinkers: [] };
  const collided = await collisions(parts, fates);
  const names = namesOf(fates, parts.index.lookup);
  const conflicts = [...collided.values()];
  const drawn = new Map<Fate, Uint8Array | null>();
  for (const fate of fates.filter((it) => it.undone.length > 0 && !collided.has(it))) {
    who.signal?.throwIfAborted();
    const taken = await takeBack(parts, fate, names);
    if ("conflict" in taken) conflicts.push(taken.conflict);
    else drawn.set(fate, taken.bytes);
    if (drawn.size % 100 === 0) who.progress?.(drawn.size, fates.length, "taking notes back");
  }
  if (conflicts.length > 0) throw conflicting(conflicts);
  const { changes, backlinkers } = await relinkOthers(parts, fates, names);
  return {
    changes: [...changesFor(parts, drawn), ...changes].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    backlinkers,
  };
}

/** What an undo is called in the history. */
export function undoMessage(revisions: readonly Revision[]): string {
  const [first] = revisions;
  if (!first) return "Undo nothing";
  const authors = new Set(revisions.map(({ author }) => author));
  const what =
    revisions.length === 1
      ? `Undo: ${first.message.split("\n")[0]}`
      : `Undo ${revisions.length} changes${authors.size === 1 ? ` by ${first.author}` : ""}`;
  const ids = revisions.slice(0, IDS_SHOWN).map(({ id }) => id.slice(0, 10));
  return `${what}\n\nTakes back ${ids.join(", ")}${revisions.length > IDS_SHOWN ? ", …" : ""}`;
}

export async function planRestore(parts: Parts, path: NotePath, revision: string): Promise<Plan> {
  const before = await load(parts, path);
  // Under its old name it would be a second note beside the one that was moved.
  if (!before && (await parts.history.movedTo(path))) throw await missing(parts, path);
  const bytes = await parts.history.read(path, revision);
  if (!bytes) throw unknownVersion(path, revision);
  const at = before?.path ?? path;
  const after = makeNote(at, bytes, parts.versionOf(bytes), parts.now());
  return { changes: [{ path: at, before, after, why: "asked" }], backlinkers: [] };
}

export const unknownVersion = (path: NotePath, revision: string): NoteError =>
  new NoteError(
    "revision_missing",
    `The note "${path}" has no version ${JSON.stringify(revision)}. Its history lists those there are.`,
    {
      path,
      revision,
    },
  );

async function fatesOf(
  parts: Parts,
  lives: readonly Life[],
  ids: ReadonlySet<string>,
  skip: ReadonlySet<NotePath>,
): Promise<Fate[]> {
  const lived = new Set(lives.flatMap(({ state }) => (state ? [state.path] : [])));
  const fates: Fate[] = [];
  for (const life of lives) {
    const last = lastPath(life);
    const skipped = skip.has(last);
    const undone = skipped ? [] : life.deeds.filter(({ revision }) => ids.has(revision.id)).toReversed();
    // Another program may have put a note in the place of one that was deleted, or taken one away, just now.
    const note = undone.length > 0 && (life.state || !lived.has(last)) ? await load(parts, last) : null;
    const here = undone.length > 0 ? (note?.path ?? null) : (life.state?.path ?? null);
    fates.push({ life, undone, skipped, note, here, to: placeAfter(undone, here) });
  }
  return fates;
}

/** Whether all is as it was before: then there is nothing to take back, though names may have gone from note to note meanwhile. */
async function wasTakenBack(parts: Parts, fates: readonly Fate[]): Promise<boolean> {
  const wanted = new Map<NotePath, string | null>();
  for (const { undone } of fates)
    for (const { before, after } of undone)
      for (const state of [before, after]) if (state) wanted.set(state.path, null);
  for (const { undone, here } of fates) {
    // One that stands elsewhere has been moved on.
    if (undone.length > 0 && here !== null && !wanted.has(here)) return false;
    const first = undone.at(-1)?.before;
    if (first) wanted.set(first.path, first.version);
  }
  for (const [path, version] of wanted)
    if (((await load(parts, path))?.version ?? null) !== version) return false;
  return true;
}

/** Notes that would have to stand where another one stands. */
async function collisions(parts: Parts, fates: readonly Fate[]): Promise<Map<Fate, UndoConflict>> {
  const leaving = new Set(fates.filter(({ here, to }) => here !== to).map(({ here }) => here));
  const taken = new Map<Fate, UndoConflict>();
  const claimed = new Set<NotePath>();
  for (const fate of fates) {
    const { here, to, note } = fate;
    if (to === null || to === here) continue;
    const other = leaving.has(to) ? null : await load(parts, to);
    const first = fate.undone.at(-1)!.before;
    if (other && here === null && first && first.path === to && first.version === other.version) {
      // It has been brought back before, as a new note.
      fate.undone = [];
      fate.to = null;
    } else if (other || claimed.has(to))
      taken.set(fate, {
        path: calledNow(fate),
        reason: `another note is now called "${to}"`,
        now: other?.text ?? null,
        earlier: note?.text ?? null,
      });
    claimed.add(to);
  }
  return taken;
}

function changesFor(parts: Parts, drawn: ReadonlyMap<Fate, Uint8Array | null>): Change[] {
  const there = new Map<NotePath, Fate>();
  const coming = new Set<NotePath>();
  for (const fate of drawn.keys()) {
    if (fate.here !== null) there.set(fate.here, fate);
    if (fate.to !== null) coming.add(fate.to);
  }
  // A note moves where its new place is free, or is given up by another move; into the place of one that is removed
  // its text is put instead, because a history cannot tell of one path both that its note is gone and that one came.
  const moves = (fate: Fate): boolean => {
    const seen = new Set<Fate>();
    for (let next: Fate | undefined = fate; next && !seen.has(next); next = there.get(next.to)) {
      if (next.here === null || next.to === null || next.here === next.to) return false;
      seen.add(next);
    }
    return true;
  };
  const changes: Change[] = [];
  for (const [fate, bytes] of drawn) {
    const { here, to, note } = fate;
    const after = to !== null && bytes && makeNote(to, bytes, parts.versionOf(bytes), parts.now());
    const moved = moves(fate);
    const other = to === null ? undefined : there.get(to);
    if (after && moved) changes.push({ path: after.path, from: here!, before: note, after, why: "asked" });
    else if (after) {
      const before = other && !moves(other) ? other.note : null;
      changes.push({ path: after.path, before, after, why: "asked" });
    }
    if (here !== null && !moved && !coming.has(here))
      changes.push({ path: here, before: note, after: null, why: "asked" });
  }
  return changes;
}

/** Links that others have written since to notes which now go back to an earlier name. */
async function relinkOthers(parts: Parts, fates: readonly Fate[], names: Names): Promise<Plan> {
  const since = Math.min(
    ...fates.flatMap(({ undone }) =>
      undone.flatMap(({ before, after, at }) => (before?.path === after?.path ? [] : [at])),
    ),
  );
  const sources = new Set<NotePath>();
  for (const key of affectedKeys(names.moves))
    for (const path of parts.index.linkSources(key)) sources.add(path);
  const changes: Change[] = [];
  const backlinkers: Backlinker[] = [];
  for (const { life, here, undone, skipped } of fates) {
    if (here === null || undone.length > 0 || skipped || !sources.has(here)) continue;
    const before = await load(parts, here);
    if (!before || before.text === null) continue;
    const { text, links } = names.relinked(
      before.text,
      await linksSince(parts, before, stateAt(life, since)?.version ?? null),
      before.path,
    );
    if (links === 0) continue;
    const bytes = encodeText(text);
    const after = makeNote(before.path, bytes, parts.versionOf(bytes), parts.now());
    changes.push({ path: before.path, before, after, why: "backlink" });
    backlinkers.push({ path: before.path, links, rewritten: true });
  }
  return { changes, backlinkers };
}

/** Those on lines that the old version has not: an older link of the same words meant something else. */
async function linksSince(parts: Parts, note: Note, old: string | null): Promise<Note["links"]> {
  const bytes = old === null ? null : await parts.history.blob(old);
  const text = bytes && decodeText(bytes);
  if (text === null) return note.links;
  const changes = lineChanges(linesOf(text), linesOf(note.text!));
  return note.links.filter(({ line }) =>
    changes.some(({ newFrom, newTo }) => newFrom < line && line <= newTo),
  );
}

function conflicting(conflicts: readonly UndoConflict[]): NoteError {
  const named = conflicts.slice(0, CONFLICTS_SHOWN).map(({ path, reason }) => `"${path}" (${reason})`);
  const more = conflicts.length > CONFLICTS_SHOWN ? ` and ${conflicts.length - CONFLICTS_SHOWN} more` : "";
  return new NoteError(
    "version_conflict",
    `Nothing was undone, because these notes have changed since: ${named.join(", ")}${more}. Undo the rest without them, or restore them one by one.`,
    { conflicts: conflicts.slice(0, CONFLICTS_SHOWN), total: conflicts.length },
  );
}
