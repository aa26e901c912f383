/** The one path of every change: plan in the lock, ask the guard and the rules, then write, record and index in one straight line (decisions 3, 9 and 16). */

import { NoteError } from "../markdown/errors.ts";
import { attachmentRows, trashFor } from "./commit-files.ts";
import { foldersFor, type Folders } from "./folder-tree.ts";
import { withoutNames } from "./folders/refusing.ts";
import type { Kept } from "./folders/view.ts";
import type { Change, Changeset, How, Who, Plan } from "./change.ts";
import type { Behind } from "./behind.ts";
import type { History, IndexRow, Made, Parts, Put, RevisionInfo, Stat, Version } from "./parts.ts";
import { isNote, withoutEnding, type NotePath, type TrashPath } from "./paths.ts";
import { checkRights } from "./rights.ts";
import { reindex } from "./refresh.ts";
import { readCanvases } from "./refresh-attachments.ts";
import { breaches, isRuleFile } from "./rulebook.ts";
import { broken, type RuleBook } from "./rules.ts";
import { NO_STAMP, stampOf } from "./stamp.ts";
import type { UnderWay } from "./under-way.ts";
import { attempt } from "./system-errors.ts";

/** A program outside may save a note between our reading and our writing; then the plan is made anew, this often. */
const ATTEMPTS = 5;

export type Committing = How & {
  /** Keep what is removed in the trash: the one note of a removal, or those of these paths. */
  trash?: boolean | ReadonlySet<NotePath>;
  /** What becomes of links to what is moved or removed: it is in the plan already, and kept with a proposal. */
  backlinks?: "rewrite" | "leave" | "mark";
  /** Undo and restore report the rules they break and go ahead. */
  rules?: "bind" | "report";
  /** Record a revision even where no byte changes. */
  always?: boolean;
  /** Called inside the lock, once all is in place. */
  done?: () => void;
  /** The folder that is removed as a whole, or that of each path: it keeps its shape in the trash. */
  folder?: string | ReadonlyMap<NotePath, string>;
};
export type Engine = {
  parts: Parts;
  ruleBook(): Promise<RuleBook>;
  behind: Behind;
  /** Changes that are being written: what is on disk may not be in the index yet. */
  writing: UnderWay;
  /** Given where the caller is kept to some folders. */
  kept?: Kept;
  /** Given where the caller only proposes: takes the changes instead of the vault (decision 24). */
  propose?: (who: Who, changes: readonly Change[], how: Proposed) => Promise<void>;
};
export type Proposed = Committing & { message: string; folders: Folders };

export async function commit(
  engine: Engine,
  who: Who,
  how: Committing,
  plan: () => Promise<Plan>,
): Promise<Changeset> {
  const { kept } = engine;
  return committed(engine, who, how, plan).catch((error: unknown) => {
    throw kept ? withoutNames(error, kept.isInside) : error;
  });
}

async function committed(
  engine: Engine,
  who: Who,
  how: Committing,
  plan: () => Promise<Plan>,
): Promise<Changeset> {
  if (how.dryRun) return (await finish(engine, who, how, await plan())).changeset;
  const { parts, writing } = engine;
  if (parts.readOnly)
    throw new NoteError(
      "read_only",
      "This server was started to read only. Start it without --read-only to change notes.",
    );
  const { changeset, left } = await parts.store.alone(async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        const made = await plan();
        return await writing.counted(finish(engine, who, how, made));
      } catch (error) {
        if (attempt === ATTEMPTS || !changedUnderUs(error)) throw error;
      }
    }
  });
  if (left) await putLeft(engine, left);
  return changeset;
}

const changedUnderUs = (error: unknown): boolean =>
  error instanceof NoteError && error.code === "version_conflict" && error.details["by"] === "store";

const CHANGED_ELSEWHERE = "Links in notes outside your folders were changed with it.";
const WOULD_CHANGE_ELSEWHERE = "Links in notes outside your folders would be changed with it.";

async function finish(
  engine: Engine,
  who: Who,
  how: Committing,
  plan: Plan,
): Promise<{ changeset: Changeset; left?: Left }> {
  const { parts, ruleBook, kept } = engine;
  const { changes } = plan;
  kept?.check(changes);
  const shown = kept ? kept.shown(plan) : plan;
  if (!how.dryRun) checkRights(who, changes);
  await how.guard?.(shown.changes);
  const breached = breaches(await ruleBook(), changes);
  if (breached[0] && how.rules !== "report") throw broken(breached[0].path, breached[0].verdict);
  if (how.expect !== undefined && how.expect !== "absent") checkVersions(how.expect, changes);

  const { trash, placeOf } = await trashFor(parts, how, changes);
  const message = how.message ?? messageFor(changes);
  const changeset: Changeset = {
    message,
    changes: shown.changes,
    backlinkers: shown.backlinkers,
    mayRefer: shown.mayRefer ?? [],
    dryRun: how.dryRun ?? false,
    revision: null,
    broken: breached,
    trash,
  };
  if (shown.changes.length < changes.length)
    who.remark?.(how.dryRun ? WOULD_CHANGE_ELSEWHERE : CHANGED_ELSEWHERE);
  const real = changes.filter((change) => how.always || changesSomething(change));
  if (changeset.dryRun) return { changeset };
  if (real.length === 0 && !plan.folders?.length) {
    how.done?.();
    return { changeset };
  }

  who.signal?.throwIfAborted();
  if (engine.propose) {
    await engine.propose(who, real, { ...how, message, folders: plan.folders ?? [] });
    return { changeset };
  }
  const puts = real.map((change) => putFor(change, placeOf(change)));
  const arriving = real.filter(
    ({ path, from, before, after }) => after && (before === null || from !== undefined) && !isRuleFile(path),
  );
  const made = await foldersFor(
    parts,
    arriving.map(({ path }) => path),
  );
  const told = new Set(plan.folders?.map(([, folder]) => folder));
  const folders = [...(plan.folders ?? []), ...made.filter(([, folder]) => !told.has(folder))];
  const info = { message, who, date: parts.now(), folders };
  const { made: recorded, left } = await carryOut(engine, real, puts, info);
  changeset.revision = recorded?.revisions.at(-1)?.id ?? null;
  how.done?.();
  return { changeset, left };
}

/** Bytes of a note from which on it takes so long to be put into the index that nobody may be kept waiting for it. */
const LONG = 1024 * 1024;

/** What the index has still to take of a change, once the lock is let go. Whoever asks meanwhile finds the note as it was, or reads it. */
export type Left = { long: IndexRow[]; stale: NotePath[] };

/**
 * The straight line that every change takes, only inside `alone`: the objects of its revision are on their way to the disk while the notes are
 * written; the revision counts once they are; rows and revision go into the index in one transaction. `puts` are those of the first changes.
 */
export async function carryOut(
  { parts, behind }: Engine,
  changes: readonly Change[],
  puts: readonly Put[],
  info: RevisionInfo,
): Promise<{ made: Made | null; left: Left }> {
  const draft = await parts.history.prepare(changes, info);
  let stats: (Stat | null)[];
  try {
    stats = await parts.store.apply(puts, info.folders);
  } catch (error) {
    draft?.drop();
    throw error;
  }
  const made = draft && (await draft.seal());
  const written = changes.slice(0, puts.length);
  written.forEach(({ after }, at) => {
    if (after && stats[at]) after.modified = stats[at].modified;
  });
  // Once the bytes are written they are right: the answer stands, whatever becomes of the index.
  try {
    const rows = rowsFor(parts, written, stats);
    const paths = longPaths(written);
    const long = rows.filter(({ path }) => paths.has(path));
    const stale = parts.index.apply(
      rows.filter((row) => !long.includes(row)),
      made,
      attachmentRows(written, stats),
    );
    return { made, left: { long, stale } };
  } catch (error) {
    attempt(() => made?.alongside?.());
    behind.add(
      written.flatMap(({ path, from }) => (isIndexed(path) ? [path, from ?? path] : [])),
      error,
    );
    return { made, left: { long: [], stale: [] } };
  }
}

/** The paths that a long note leaves, comes to or has changed at. */
const longPaths = (changes: readonly Change[]): Set<string> =>
  new Set(
    changes
      .filter(({ before, after }) => Math.max(before?.bytes.length ?? 0, after?.bytes.length ?? 0) > LONG)
      .flatMap(({ path, from }) => [path, from ?? path]),
  );

/**
 * What other programs did to notes takes the same line, with nothing to write: the index has the notes already, and learns of the revision. False
 * where that could not be made. Only inside `alone`.
 */
export async function recordOutside(
  { parts, behind }: Pick<Engine, "parts" | "behind">,
  seen: Parameters<History["prepareOutside"]>[0],
  how: Parameters<History["prepareOutside"]>[1],
): Promise<boolean> {
  const draft = await parts.history.prepareOutside(seen, how);
  if (draft === null) return true;
  const made = await draft.seal();
  try {
    parts.index.apply([], made);
  } catch (error) {
    attempt(() => made?.alongside?.());
    behind.add(
      seen.flatMap(({ path }) => (isRuleFile(path) ? [] : [path as NotePath])),
      error,
    );
  }
  return made !== null;
}

/** In turns: long notes, those that another process has put in meanwhile, long canvases, and what the index could not take. */
export async function putLeft({ parts, behind }: Engine, { long, stale }: Left): Promise<void> {
  try {
    const again = long.length > 0 ? await parts.index.put(long) : [];
    if (again.length + stale.length > 0) await reindex(parts, [...again, ...stale]);
    await readCanvases(parts);
  } catch (error) {
    behind.add([...stale, ...long.map(({ path }) => path)], error);
  }
  await behind.catchUp();
}

/** After the rules, as a published spec orders it: a caller whose text is wrong anyway learns that first. */
function checkVersions(expected: Version, changes: readonly Change[]): void {
  for (const change of changes) {
    const { path, from, before, why } = change;
    if (why !== "asked" || before?.version === expected) continue;
    throw new NoteError(
      "version_conflict",
      before
        ? `The note "${from ?? path}" has changed since it was read. Read it again and repeat the change.`
        : `The note "${path}" is no longer there.`,
      {
        path: from ?? path,
        expected,
        actual: before?.version ?? null,
        already_applied: before !== null && !changesSomething(change),
      },
    );
  }
}

export const changesSomething = (change: Change): boolean =>
  change.from !== undefined || change.before?.version !== change.after?.version;

function putFor(change: Change, trash: TrashPath | null): Put {
  const { path, after, taken } = change;
  if (taken !== undefined && after) return { path, bytes: after.bytes, from: taken, expect: after.version };
  return {
    path: change.path,
    bytes: change.after?.bytes ?? null,
    ...(change.from === undefined ? {} : { from: change.from }),
    ...(trash === null ? {} : { trash }),
    expect: change.before?.version ?? "absent",
  };
}

/** Whether it is a note: rule files and attachments have no place among the notes of the index. */
const isIndexed = (path: string): boolean => isNote(path) && !isRuleFile(path);

// Where names are swapped a path both goes and comes: the coming counts.
function rowsFor(parts: Parts, changes: readonly Change[], stats: readonly (Stat | null)[]): IndexRow[] {
  const rows = new Map<string, IndexRow>();
  changes.forEach((change, at) => {
    if (!isIndexed(change.path)) return;
    const gone = change.from ?? (change.after ? null : change.path);
    if (gone !== null && !rows.has(gone))
      rows.set(gone, { path: gone, seen: parts.index.stamp(gone), stamp: NO_STAMP, note: null });
    const { path, after } = change;
    const file = stats[at]?.stamp;
    const stamp = file === undefined ? NO_STAMP : stampOf(file);
    if (after) rows.set(path, { path, seen: parts.index.stamp(path), stamp, note: after });
  });
  return [...rows.values()].toSorted((a, b) => Number(a.note !== null) - Number(b.note !== null));
}

function messageFor(changes: readonly Change[]): string {
  const asked = changes.filter((change) => change.why === "asked");
  const first = asked[0];
  if (!first) return "Change notes";
  const verb =
    first.from !== undefined ? "Move" : !first.after ? "Delete" : first.before ? "Update" : "Create";
  const name = withoutEnding(first.path);
  const kind = asked.every(({ path }) => isNote(path)) ? "note" : "file";
  return asked.length === 1
    ? `${verb} ${kind}: ${name}`
    : `${verb} ${asked.length} ${kind}s: ${name} and others`;
}
