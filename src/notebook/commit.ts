/** The one path of every change: plan in the lock, ask the guard and the rules, write, record, index. */

import { NoteError } from "../markdown/errors.ts";
import type { Change, Changeset, How, Who } from "./change.ts";
import type { IndexRow, Parts, Put, Stat, Version } from "./parts.ts";
import { withoutEnding, type NotePath, type TrashPath } from "./paths.ts";
import type { Plan } from "./plan.ts";
import { reindex } from "./refresh.ts";
import { breaches, isRuleFile } from "./rulebook.ts";
import { broken, type RuleBook } from "./rules.ts";

/** A program outside may save a note between our reading and our writing; then the plan is made anew, this often. */
const ATTEMPTS = 5;

export type Committing = How & {
  /** Keep what is removed in the trash. */
  trash?: boolean;
  /** Undo and restore report the rules they break and go ahead. */
  rules?: "bind" | "report";
  /** Record a revision even where no byte changes. */
  always?: boolean;
};
export type Engine = { parts: Parts; ruleBook(): Promise<RuleBook> };

export async function commit(
  engine: Engine,
  who: Who,
  how: Committing,
  plan: () => Promise<Plan>,
): Promise<Changeset> {
  if (how.dryRun) return (await finish(engine, who, how, await plan())).changeset;
  if (engine.parts.readOnly)
    throw new NoteError(
      "read_only",
      "This server was started to read only. Start it without --read-only to change notes.",
    );
  const { changeset, indexing } = await engine.parts.store.alone(async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await finish(engine, who, how, await plan());
      } catch (error) {
        if (attempt === ATTEMPTS || !changedUnderUs(error)) throw error;
      }
    }
  });
  await indexing?.end();
  return changeset;
}

const changedUnderUs = (error: unknown): boolean =>
  error instanceof NoteError && error.code === "version_conflict" && error.details["by"] === "store";

async function finish(
  { parts, ruleBook }: Engine,
  who: Who,
  how: Committing,
  { changes, backlinkers }: Plan,
): Promise<{ changeset: Changeset; indexing?: Indexing }> {
  await how.guard?.(changes);
  const breached = breaches(await ruleBook(), changes);
  if (breached[0] && how.rules !== "report") throw broken(breached[0].path, breached[0].verdict);
  if (how.expect !== undefined && how.expect !== "absent") checkVersions(how.expect, changes);

  const removed = changes.find((change) => change.after === null);
  const trash = how.trash && removed ? await parts.store.trashPlace(removed.path) : null;
  const message = how.message ?? messageFor(changes);
  const changeset: Changeset = {
    message,
    changes,
    backlinkers,
    dryRun: how.dryRun ?? false,
    revision: null,
    broken: breached,
    trash,
  };
  const real = changes.filter((change) => how.always || changesSomething(change));
  if (changeset.dryRun || real.length === 0) return { changeset };

  who.signal?.throwIfAborted();
  let stats: (Stat | null)[] = [];
  const write = async () => {
    stats = await parts.store.apply(real.map((change) => putFor(change, change === removed ? trash : null)));
    real.forEach((change, at) => {
      if (change.after && stats[at]) change.after.modified = stats[at].modified;
    });
  };
  const indexing = indexingOf(parts, () => rowsFor(parts, real, stats));
  const made = await parts.history.record(real, message, who, parts.now(), write, indexing.apply);
  changeset.revision = made?.id ?? null;
  indexing.applied();
  return { changeset, indexing };
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
  return {
    path: change.path,
    bytes: change.after?.bytes ?? null,
    ...(change.from === undefined ? {} : { from: change.from }),
    ...(trash === null ? {} : { trash }),
    expect: change.before?.version ?? "absent",
  };
}

type Indexing = {
  /** Inside the lock: with the revision, in one transaction. */
  apply(): void;
  /** Inside the lock, where nothing was recorded. */
  applied(): void;
  /** What is left, once the lock is let go, in turns. Whoever asks meanwhile finds the note as it was, or reads it. */
  end(): Promise<void>;
};

/** Bytes of a note from which on it takes so long to be put into the index that nobody may be kept waiting for it. */
const LONG = 1024 * 1024;

function indexingOf(parts: Parts, rows: () => IndexRow[]): Indexing {
  const { index } = parts;
  let long: IndexRow[] = [];
  let stale: NotePath[] | null = null;
  const apply = (): void => {
    const all = rows();
    long = all.filter(({ note }) => note !== null && note.bytes.length > LONG);
    stale = index.apply(all.filter((row) => !long.includes(row)));
  };
  // Once the bytes are written they are right: an index that cannot be written now is caught up later, and the answer stands.
  const report = (error: unknown): void =>
    parts.report?.(
      "A change is on disk, but could not be put into the index. Search finds it once the index has caught up.",
      error,
    );
  return {
    apply,
    applied() {
      try {
        if (stale === null) apply();
      } catch (error) {
        report(error);
      }
    },
    async end() {
      try {
        const left = [...(stale ?? [])];
        if (long.length > 0) left.push(...(await index.put(long)));
        if (left.length > 0) await reindex(parts, left);
      } catch (error) {
        report(error);
      }
    },
  };
}

// Where names are swapped a path both goes and comes: the coming counts.
function rowsFor(parts: Parts, changes: readonly Change[], stats: readonly (Stat | null)[]): IndexRow[] {
  const rows = new Map<string, IndexRow>();
  changes.forEach((change, at) => {
    if (isRuleFile(change.path)) return;
    const gone = change.from ?? (change.after ? null : change.path);
    if (gone !== null && !rows.has(gone))
      rows.set(gone, { path: gone, seen: parts.index.stamp(gone), stamp: "", note: null });
    const { path, after } = change;
    if (after)
      rows.set(path, { path, seen: parts.index.stamp(path), stamp: stats[at]?.stamp ?? "", note: after });
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
  return asked.length === 1 ? `${verb} note: ${name}` : `${verb} ${asked.length} notes: ${name} and others`;
}
