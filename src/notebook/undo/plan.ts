/** Undo: the changes that take revisions back and keep what others have written since. README.md draws the model. */

import { NoteError } from "../../markdown/errors.ts";
import { lineChanges, linesOf } from "../../markdown/diff.ts";
import { affectedKeys, marksOf, relinking } from "../backlinks.ts";
import { relinkCanvases } from "../canvases.ts";
import type { Backlinker, Change, Who, Plan } from "../change.ts";
import { decodeText, encodeText, type Note } from "../note.ts";
import type { Parts, Revision } from "../parts.ts";
import type { NotePath } from "../paths.ts";
import { remembering } from "../linking-notes.ts";
import { load } from "../load.ts";
import { pointsTo } from "../pointer.ts";
import { isRuleFile } from "../rulebook.ts";
import { inTurns } from "../turns.ts";
import { linkRewriter, type LinkRewriter } from "./links.ts";
import { takeBack, type UndoConflict } from "./one-note.ts";
import { currentName, placeAfter, type Target } from "./target.ts";
import { lastPath, revisionsFrom, stateAt, timelinesOf, type Timeline } from "./timeline.ts";

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
  const range = await revisionsFrom(parts.history, ids);
  const targets = await targetsOf(parts, timelinesOf(range), ids, skip);
  if (await wasTakenBack(parts, targets)) return { changes: [], backlinkers: [] };
  const collided = await collisions(parts, targets);
  const links = linkRewriter(targets, parts.index.lookup);
  const conflicts = [...collided.values()];
  const results = new Map<Target, Uint8Array | null>();
  for (const target of targets.filter((it) => it.undone.length > 0 && !collided.has(it))) {
    who.signal?.throwIfAborted();
    const taken = await takeBack(parts, target, links);
    if ("conflict" in taken) conflicts.push(taken.conflict);
    else results.set(target, taken.bytes);
    if (results.size % 100 === 0) who.progress?.(results.size, targets.length, "taking notes back");
  }
  if (conflicts.length > 0) throw conflicting(conflicts);
  const { changes, backlinkers, mayRefer = [] } = await relinkOthers(parts, targets, links, who);
  const taken = await changesFor(parts, results);
  const lost = taken.filter(isLost);
  if (lost.length > 0)
    throw conflicting(lost.map(({ path }) => ({ path, reason: GONE, now: null, earlier: null })));
  return {
    changes: [...taken, ...changes].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    backlinkers,
    mayRefer,
    folders: revisions.flatMap(({ folders = [] }) =>
      folders.map(([removed, made]) => [made, removed] as const),
    ),
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

async function targetsOf(
  parts: Parts,
  timelines: readonly Timeline[],
  ids: ReadonlySet<string>,
  skip: ReadonlySet<NotePath>,
): Promise<Target[]> {
  const present = new Set(timelines.flatMap(({ state }) => (state ? [state.path] : [])));
  const targets: Target[] = [];
  for (const timeline of timelines) {
    const last = lastPath(timeline);
    const skipped = skip.has(last);
    const undone = skipped ? [] : timeline.events.filter(({ revision }) => ids.has(revision.id)).toReversed();
    // Another program may have put a note in the place of one that was deleted, or taken one away, just now.
    const note = undone.length > 0 && (timeline.state || !present.has(last)) ? await load(parts, last) : null;
    const here = undone.length > 0 ? (note?.path ?? null) : (timeline.state?.path ?? null);
    targets.push({ timeline, undone, skipped, note, here, to: placeAfter(undone, here) });
  }
  return targets;
}

/** Whether all is as it was before: then there is nothing to take back, though links may have gone from note to note meanwhile. */
async function wasTakenBack(parts: Parts, targets: readonly Target[]): Promise<boolean> {
  const wanted = new Map<NotePath, string | null>();
  for (const { undone } of targets)
    for (const { before, after } of undone)
      for (const state of [before, after]) if (state) wanted.set(state.path, null);
  for (const { undone, here } of targets) {
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
async function collisions(parts: Parts, targets: readonly Target[]): Promise<Map<Target, UndoConflict>> {
  const leaving = new Set(targets.filter(({ here, to }) => here !== to).map(({ here }) => here));
  const taken = new Map<Target, UndoConflict>();
  const claimed = new Set<NotePath>();
  for (const target of targets) {
    const { here, to, note } = target;
    if (to === null || to === here) continue;
    const other = leaving.has(to) ? null : await load(parts, to);
    const first = target.undone.at(-1)!.before;
    if (other && here === null && first && first.path === to && first.version === other.version) {
      // It has been brought back before, as a new note.
      target.undone = [];
      target.to = null;
    } else if (other || claimed.has(to))
      taken.set(target, {
        path: currentName(target),
        reason: `another note is now called "${to}"`,
        now: other?.text ?? null,
        earlier: note?.text ?? null,
      });
    claimed.add(to);
  }
  return taken;
}

const GONE = "its bytes are no longer in the trash";

/** Whether an attachment is to come back of which nobody has the bytes: the history never had them. */
const isLost = ({ path, from, before, after, taken }: Change): boolean =>
  after !== null &&
  pointsTo(path, after.bytes) &&
  from === undefined &&
  taken === undefined &&
  before?.version !== after.version;

async function changesFor(parts: Parts, results: ReadonlyMap<Target, Uint8Array | null>): Promise<Change[]> {
  const there = new Map<NotePath, Target>();
  const coming = new Set<NotePath>();
  for (const target of results.keys()) {
    if (target.here !== null) there.set(target.here, target);
    if (target.to !== null) coming.add(target.to);
  }
  // A note moves where its new place is free, or is given up by another move; into the place of one that is removed
  // its text is put instead, because a history cannot tell of one path both that its note is gone and that one came.
  const moves = (target: Target): boolean => {
    const seen = new Set<Target>();
    for (let next: Target | undefined = target; next && !seen.has(next); next = there.get(next.to)) {
      if (next.here === null || next.to === null || next.here === next.to) return false;
      seen.add(next);
    }
    return true;
  };
  const changes: Change[] = [];
  /** What comes back, by the name under which it went. */
  const back = new Map<Change, NotePath>();
  for (const [target, bytes] of results) {
    const { here, to, note } = target;
    const after =
      to !== null && bytes && (await parts.openNote(to, bytes, parts.versionOf(bytes), parts.now()));
    const moved = moves(target);
    const other = to === null ? undefined : there.get(to);
    if (after && moved) changes.push({ path: after.path, from: here!, before: note, after, why: "asked" });
    else if (after) {
      const before = other && !moves(other) ? other.note : null;
      const change: Change = { path: after.path, before, after, why: "asked" };
      changes.push(change);
      if (before === null && !isRuleFile(after.path)) back.set(change, lastPath(target.timeline));
    }
    if (here !== null && !moved && !coming.has(here))
      changes.push({ path: here, before: note, after: null, why: "asked" });
  }
  return fromTrash(parts, changes, back);
}

/** What lies in the trash as it was is taken from there. */
async function fromTrash(
  { store }: Parts,
  changes: readonly Change[],
  back: ReadonlyMap<Change, NotePath>,
): Promise<Change[]> {
  const files = [...back].map(([change, path]) => ({ path, version: change.after!.version }));
  const places = await store.trashed(files);
  const taken = new Map([...back.keys()].map((change, at) => [change, places[at] ?? null]));
  return changes.map((change) => {
    const place = taken.get(change) ?? null;
    return place === null ? change : { ...change, taken: place };
  });
}

/** Links that others have written since to notes which now go back to an earlier name. */
async function relinkOthers(
  parts: Parts,
  targets: readonly Target[],
  rewriter: LinkRewriter,
  who: Who,
): Promise<Plan> {
  const since = targets
    .flatMap(({ undone }) => undone)
    .filter(({ before, after }) => before?.path !== after?.path)
    .reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const sources = new Set<NotePath>();
  for (const key of affectedKeys(rewriter.moves))
    for (const path of parts.index.linkSources(key)) sources.add(path);
  const changes: Change[] = [];
  const backlinkers: Backlinker[] = [];
  for (const { timeline, here, undone, skipped } of targets) {
    if (here === null || undone.length > 0 || skipped || !sources.has(here)) continue;
    const before = await load(parts, here);
    if (!before || before.text === null) continue;
    const recent = await linksSince(parts, before, stateAt(timeline, since)?.version ?? null);
    const { text, links } = await inTurns(rewriter.relinked(before.text, recent, before.path));
    if (links === 0) continue;
    const bytes = encodeText(text);
    const after = await parts.openNote(before.path, bytes, parts.versionOf(bytes), parts.now());
    changes.push({ path: before.path, before, after, why: "backlink" });
    backlinkers.push({ path: before.path, links, rewritten: true });
  }
  if (rewriter.moves.size === 0) return { changes, backlinkers };
  // The history knows a canvas only since we changed it, so its links follow as they are now.
  const touched = new Set<string | null>(
    targets.flatMap(({ here, undone, skipped }) => (undone.length > 0 || skipped ? [here] : [])),
  );
  const how = relinking(rewriter.moves, remembering(parts.index.lookup));
  const canvases = await relinkCanvases(parts, how, true, who, (path) => !touched.has(path));
  return {
    changes: [...changes, ...canvases.changes],
    backlinkers: [...backlinkers, ...canvases.backlinkers],
    mayRefer: canvases.mayRefer ?? [],
  };
}

/** Gives the links on lines that the old version did not have: an older link of the same words led elsewhere. */
async function linksSince(parts: Parts, note: Note, old: string | null): Promise<Note["links"]> {
  const bytes = old === null ? null : await parts.history.blob(old);
  const text = bytes && decodeText(bytes);
  const marks = marksOf(note);
  if (text === null) return [...marks];
  const changes = lineChanges(linesOf(text), linesOf(note.text!));
  return marks.filter(({ line }) => changes.some(({ newFrom, newTo }) => newFrom < line && line <= newTo));
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
