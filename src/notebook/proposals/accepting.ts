/** Accepting: what a proposal makes of the notes as they are now, each merged three ways; and where that cannot be done, why (decision 24). */

import { NoteError } from "../../markdown/errors.ts";
import { merge3, type Conflict } from "../../markdown/merge.ts";
import type { Change, Who, Plan } from "../change.ts";
import { relinkOthers, unlinkOthers } from "../linking-notes.ts";
import { decodeText, encodeText, type Note } from "../note.ts";
import type { Parts, Version } from "../parts.ts";
import { isNote, type NotePath, type TrashPath } from "../paths.ts";
import { pointsTo } from "../pointer.ts";
import { load } from "../load.ts";
import { checkArrival, checkNew } from "../plan.ts";
import { linkChanges, linked, type LinkChanges } from "./links.ts";
import { overlaid } from "./overlay.ts";
import { isSame, type ProposedNote } from "./proposal.ts";

/** Why a note cannot be accepted as it was proposed: the words say so, and both sides are there for a person to choose. */
export type ProposalConflict = {
  path: NotePath;
  reason: string;
  now: string | null;
  proposed: string | null;
  /** Lines that both changed, where that is the reason. */
  lines: Conflict[];
};

/** What a person made of a note; `seen` is the version of it that they were shown, null for none. */
export type Edited = { text: string | null; seen: Version | null };

/** One note as it is and as it will be. */
export type Outcome = {
  proposed: ProposedNote;
  now: Note | null;
  change: Change | null;
  conflict: ProposalConflict | null;
};

export async function outcomesOf(
  parts: Parts,
  taken: readonly ProposedNote[],
  edited: ReadonlyMap<NotePath, Edited> = new Map(),
): Promise<{ outcomes: Outcome[]; links: LinkChanges }> {
  const there = new Map<ProposedNote, Note | null>();
  const leaving = new Set(taken.flatMap(({ path, origin }) => (origin === path ? [] : [origin])));
  // A new note may come where another leaves.
  for (const note of taken)
    there.set(
      note,
      note.origin === null && leaving.has(note.path) ? null : await load(parts, note.origin ?? note.path),
    );
  const links = linkChanges(
    taken.map((note) => {
      const now = there.get(note) ?? null;
      return { ...note, origin: now ? note.origin : null, removed: note.after ? null : now };
    }),
    parts.index.lookup,
  );
  const outcomes: Outcome[] = [];
  for (const note of taken)
    outcomes.push(await outcomeOf(parts, note, there.get(note) ?? null, links, edited.get(note.path)));
  return { outcomes, links };
}

async function outcomeOf(
  parts: Parts,
  proposed: ProposedNote,
  now: Note | null,
  links: LinkChanges,
  edited: Edited | undefined,
): Promise<Outcome> {
  const { path, origin } = proposed;
  const failed = (reason: string, lines: Conflict[] = []): Outcome => ({
    proposed,
    now,
    change: null,
    conflict: {
      path,
      reason,
      now: now && textIn(now.path, now.bytes),
      proposed: textIn(path, proposed.after),
      lines,
    },
  });
  const moved = now !== null && origin !== null && now.path === origin && path !== origin;
  const changed = async (bytes: Uint8Array | null, taken: TrashPath | null = null): Promise<Outcome> => {
    const at = now && !moved ? now.path : path;
    const after = bytes && (await parts.openNote(at, bytes, parts.versionOf(bytes), parts.now()));
    const from = moved && after ? { from: now.path } : {};
    return {
      proposed,
      now,
      change: {
        path: after ? at : (now?.path ?? path),
        ...from,
        before: now,
        after,
        why: "asked",
        ...(taken === null ? {} : { taken }),
      },
      conflict: null,
    };
  };
  if (edited && edited.seen !== (now?.version ?? null)) return failed("has changed since you were shown it");
  if (edited && edited.text !== null && !isNote(path))
    return failed("is no note, so nothing can be written into it");
  // Whoever edits the result has seen what stands there.
  const seen = edited !== undefined && (edited.text === null || origin === null);
  const taken = seen ? null : await isTaken(parts, proposed, now, links);
  if (taken === "done") return { proposed, now, change: null, conflict: null };
  if (taken !== null) return failed(taken);
  if (edited) return changed(edited.text === null ? null : encodeText(edited.text));
  if (origin === null && pointsTo(path, proposed.after!)) {
    const [place] = await parts.store.trashed([{ path, version: parts.versionOf(proposed.after!) }]);
    return place ? changed(proposed.after, place) : failed("has its bytes no longer in the trash");
  }
  if (origin === null) return changed(proposed.after);
  if (!now)
    return proposed.after ? failed("is no longer there") : { proposed, now, change: null, conflict: null };
  if (!proposed.after)
    return now.version === parts.versionOf(proposed.original!)
      ? changed(null)
      : failed("has changed since its removal was proposed");
  const merged = await mergedBytes(proposed, now, links);
  return "bytes" in merged ? changed(merged.bytes) : failed(merged.reason, merged.lines);
}

/** The name was checked as the caller chose it. */
const CHOSEN = { mdWritten: true };

/** Why the place is not free; `done` where just this stands there already. */
async function isTaken(
  parts: Parts,
  { path, origin, after }: ProposedNote,
  now: Note | null,
  { moves: { moves } }: LinkChanges,
): Promise<string | "done" | null> {
  if (!after || origin === path) return null;
  const other = origin === null ? now : moves.has(path) ? null : await load(parts, path);
  if (other && parts.versionOf(after) === other.version && (origin === null || !now)) return "done";
  if (origin !== null && !now) return null;
  try {
    if (origin === null && other) return `is there by now, with another text`;
    if (origin === null) await checkNew(parts, path, CHOSEN);
    else await checkArrival(parts, origin, path, moves, CHOSEN);
    return null;
  } catch (error) {
    if (error instanceof NoteError && error.code === "note_exists")
      return `has a name that another note has by now`;
    throw error;
  }
}

/** What a person can read of it: the pointer to a file is nothing to read. */
export const textIn = (path: string, bytes: Uint8Array | null): string | null =>
  bytes && !pointsTo(path, bytes) ? decodeText(bytes) : null;

type Merged = { bytes: Uint8Array } | { reason: string; lines: Conflict[] };

async function mergedBytes(
  { path, origin, original, base, after }: ProposedNote,
  now: Note,
  links: LinkChanges,
): Promise<Merged> {
  if (pointsTo(path, after!))
    return isSame(now.bytes, original!)
      ? { bytes: after! }
      : { reason: "holds other bytes than when it was proposed", lines: [] };
  const [was, wanted] = [base && decodeText(base), decodeText(after!)];
  if (now.text === null || was === null || wanted === null)
    return isSame(now.bytes, base!)
      ? { bytes: after! }
      : { reason: "has changed since, and is not text that can be merged", lines: [] };
  const text = await linked(now.text, now.path, now.path === origin ? path : now.path, links);
  // Bytes are kept as they are where nothing has to be merged: a text may begin with a mark that is none.
  if (text === was) return { bytes: after! };
  const merged = merge3(was, text, wanted);
  if ("text" in merged) return { bytes: encodeText(merged.text) };
  return { reason: "was changed in the same lines since", lines: merged.conflicts };
}

/** The plan of what is accepted, on the notes as they are now; refused as a whole where one note cannot be. */
export async function planAccepting(
  parts: Parts,
  taken: readonly ProposedNote[],
  edited: ReadonlyMap<NotePath, Edited>,
  who: Who,
): Promise<Plan> {
  const { outcomes, links } = await outcomesOf(parts, taken, edited);
  const conflicts = outcomes.flatMap(({ conflict }) => conflict ?? []);
  if (conflicts.length > 0) throw conflicting(conflicts);
  const asked = outcomes.flatMap(({ change }) => change ?? []);
  const own = new Set<NotePath>(asked.flatMap(({ path, from }) => [path, from ?? path]));
  const isOther = (path: NotePath): boolean => !own.has(path);
  const others = new Map<NotePath, Change>();
  const backlinkers: Plan["backlinkers"] = [];
  // Each goes on from what the one before made of a note.
  const add = (plan: Plan): void => {
    for (const change of plan.changes)
      others.set(change.path, { ...change, before: others.get(change.path)?.before ?? change.before });
    for (const backlinker of plan.backlinkers) backlinkers.push(backlinker);
  };
  const seen = (): Parts => {
    const texts = new Map(
      Array.from(others, ([path, { after }]) => [path as string, { bytes: after!.bytes, origin: path }]),
    );
    return texts.size === 0 ? parts : overlaid(parts, () => texts);
  };
  if (links.followed.moves.size > 0)
    add(await relinkOthers(parts, links.followed.moves, { backlinks: "rewrite" }, who, isOther));
  if (links.marked.length > 0)
    add(await unlinkOthers(seen(), links.marked, { backlinks: "mark" }, who, isOther));
  return { changes: [...asked, ...others.values()], backlinkers };
}

const CONFLICTS_SHOWN = 20;

function conflicting(conflicts: readonly ProposalConflict[]): NoteError {
  const named = conflicts.slice(0, CONFLICTS_SHOWN).map(({ path, reason }) => `"${path}" ${reason}`);
  const more = conflicts.length > CONFLICTS_SHOWN ? ` and ${conflicts.length - CONFLICTS_SHOWN} more` : "";
  return new NoteError(
    "version_conflict",
    `Nothing was accepted: ${named.join("; ")}${more}. Accept the other notes, edit the result, or decline these.`,
    { conflicts: conflicts.slice(0, CONFLICTS_SHOWN), total: conflicts.length },
  );
}
