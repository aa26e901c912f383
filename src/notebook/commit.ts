/** The one path of every change: plan in the lock, ask the guard, write, record, index. */

import { NoteError } from "../markdown/errors.ts";
import type { Change, Changeset, How, Who } from "./change.ts";
import type { IndexRow, Parts, Put, Stat } from "./parts.ts";
import { withoutEnding, type TrashPath } from "./paths.ts";
import type { Plan } from "./plan.ts";
import { reindex } from "./refresh.ts";

/** A program outside may save a note between our reading and our writing; then the plan is made anew, this often. */
const ATTEMPTS = 5;

export async function commit(
  parts: Parts,
  who: Who,
  how: How & { trash?: boolean },
  plan: () => Promise<Plan>,
): Promise<Changeset> {
  if (how.dryRun) return finish(parts, who, how, await plan());
  return parts.store.alone(async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await finish(parts, who, how, await plan());
      } catch (error) {
        if (attempt === ATTEMPTS || !changedUnderUs(error)) throw error;
      }
    }
  });
}

const changedUnderUs = (error: unknown): boolean =>
  error instanceof NoteError && error.code === "version_conflict" && error.details["by"] === "store";

async function finish(
  parts: Parts,
  who: Who,
  how: How & { trash?: boolean },
  { changes, backlinkers }: Plan,
): Promise<Changeset> {
  await how.guard?.(changes);
  const removed = changes.find((change) => change.after === null);
  const trash = how.trash && removed ? await parts.store.trashPlace(removed.path) : null;
  const message = how.message ?? messageFor(changes);
  const changeset: Changeset = {
    message,
    changes,
    backlinkers,
    dryRun: how.dryRun ?? false,
    revision: null,
    trash,
  };
  const real = changes.filter(changesSomething);
  if (changeset.dryRun || real.length === 0) return changeset;

  who.signal?.throwIfAborted();
  const stats = await parts.store.apply(
    real.map((change) => putFor(change, change === removed ? trash : null)),
  );
  real.forEach((change, at) => {
    if (change.after && stats[at]) change.after.modified = stats[at].modified;
  });
  changeset.revision = (await parts.history.record(real, message, who, parts.now()))?.id ?? null;
  await index(parts, real, stats);
  return changeset;
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

// Once the bytes are written they are right: an index that cannot be written now is caught up later, and the answer stands.
async function index(
  parts: Parts,
  changes: readonly Change[],
  stats: readonly (Stat | null)[],
): Promise<void> {
  try {
    const rows = changes.flatMap((change, at): IndexRow[] => {
      const gone = change.from ?? (change.after ? null : change.path);
      const taken =
        gone === null ? [] : [{ path: gone, seen: parts.index.stamp(gone), stamp: "", note: null }];
      if (!change.after) return taken;
      return [
        ...taken,
        {
          path: change.path,
          seen: parts.index.stamp(change.path),
          stamp: stats[at]?.stamp ?? "",
          note: change.after,
        },
      ];
    });
    const stale = parts.index.apply(mergeRows(rows));
    if (stale.length > 0) await reindex(parts, stale);
  } catch (error) {
    parts.report?.("the index could not be updated; it is caught up later", error);
  }
}

// Where names are swapped a path both goes and comes: the coming counts.
function mergeRows(rows: IndexRow[]): IndexRow[] {
  const last = new Map<string, IndexRow>();
  for (const row of rows) if (row.note || !last.get(row.path)?.note) last.set(row.path, row);
  return [...last.values()].toSorted((a, b) => Number(a.note !== null) - Number(b.note !== null));
}

function messageFor(changes: readonly Change[]): string {
  const asked = changes.filter((change) => change.why === "asked");
  const first = asked[0];
  if (!first) return "Change notes";
  const verb =
    first.from !== undefined ? "Move" : !first.after ? "Delete" : first.before ? "Update" : "Create";
  return asked.length === 1
    ? `${verb} note: ${withoutEnding(first.path)}`
    : `${verb} ${asked.length} notes: ${withoutEnding(first.path)} and others`;
}
