/** Undo: the changes that take revisions back, keeping what others have written since; and restore, which is one note at one revision. */

import { NoteError } from "../markdown/errors.ts";
import { merge3 } from "../markdown/merge.ts";
import type { Change } from "./change.ts";
import { decodeText, encodeText, makeNote, type Note } from "./note.ts";
import type { Parts, Revision, Version } from "./parts.ts";
import type { NotePath } from "./paths.ts";
import { load, type Plan } from "./plan.ts";

/** Why one note cannot be taken back: both sides, so that a person can choose. */
export type UndoConflict = { path: NotePath; reason: string; now: string | null; then: string | null };
type Undone = Revision["changes"][number];

const CONFLICTS_SHOWN = 20;

/** `revisions` newest first. Notes named in `skip` are left as they are. */
export async function planUndo(
  parts: Parts,
  revisions: readonly Revision[],
  skip: ReadonlySet<NotePath>,
): Promise<Plan> {
  const vault = sketch(parts);
  const conflicts: UndoConflict[] = [];
  for (const revision of revisions)
    for (const change of revision.changes) {
      if (skip.has(change.path)) continue;
      const conflict = await takeBack(parts, vault, revision.id, change);
      if (conflict && !skip.has(conflict.path)) conflicts.push(conflict);
    }
  if (conflicts.length > 0) throw conflicting(conflicts);
  return { changes: await vault.changes(), backlinkers: [] };
}

export async function planRestore(parts: Parts, path: NotePath, revision: string): Promise<Plan> {
  const bytes = await parts.history.read(path, revision);
  if (!bytes) throw unknownVersion(path, revision);
  const before = await load(parts, path);
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

async function takeBack(
  parts: Parts,
  vault: Sketch,
  revision: string,
  change: Undone,
): Promise<UndoConflict | null> {
  const at = vault.nowAt(await nowCalled(parts, change.path, revision));
  const now = await vault.bytes(at);
  const then = change.before === null ? null : await parts.history.blob(change.before);
  const refuse = (reason: string): UndoConflict => ({
    path: at,
    reason,
    now: now && decodeText(now),
    then: then && decodeText(then),
  });
  if (change.before !== null && !then) return refuse("its earlier text is no longer in the history");

  if (change.version === null) {
    if (now && parts.versionOf(now) !== change.before)
      return refuse("another note has taken its place since it was deleted");
    vault.put(at, then);
    return null;
  }
  if (!now) return change.before === null ? null : refuse("it has been deleted since");
  const mended = await mend(parts, now, change, then);
  if (mended === undefined)
    return refuse(then ? "the same lines have been edited since" : "it has been edited since it was made");
  vault.put(at, mended);
  // Where somebody has moved it on since, it stays where they put it.
  if (change.from === undefined || at !== change.path) return null;
  if (await vault.bytes(change.from)) return refuse(`another note is now called "${change.from}"`);
  vault.move(at, change.from);
  return null;
}

/** The bytes without the change; undefined where that overlaps with what was written since. */
async function mend(
  parts: Parts,
  now: Uint8Array,
  change: Undone,
  then: Uint8Array | null,
): Promise<Uint8Array | null | undefined> {
  const version: Version = parts.versionOf(now);
  if (version === change.version) return then;
  if (!then) return undefined;
  if (version === change.before) return now;
  const left = await parts.history.blob(change.version!);
  const [base, ours, theirs] = [left && decodeText(left), decodeText(now), decodeText(then)];
  if (base === null || ours === null || theirs === null) return undefined;
  const merged = merge3(base, ours, theirs);
  return "text" in merged ? encodeText(merged.text) : undefined;
}

async function nowCalled(parts: Parts, path: NotePath, revision: string): Promise<NotePath> {
  if ((await parts.history.nameAt(path, revision)) === path) return path;
  return (await parts.history.movedTo(path)) ?? path;
}

/** The vault as it would be, told by what differs from what is there. */
type Sketch = ReturnType<typeof sketch>;

function sketch(parts: Parts) {
  const there = new Map<NotePath, Note | null>();
  const drawn = new Map<NotePath, Uint8Array | null>();
  /** Where a note of the sketch stands in the vault now. */
  const origin = new Map<NotePath, NotePath>();
  const present = async (path: NotePath) => {
    if (!there.has(path)) there.set(path, await load(parts, path));
    return there.get(path)!;
  };
  return {
    nowAt: (path: NotePath): NotePath => [...origin].find(([, from]) => from === path)?.[0] ?? path,
    async bytes(path: NotePath): Promise<Uint8Array | null> {
      return drawn.has(path) ? drawn.get(path)! : ((await present(path))?.bytes ?? null);
    },
    put: (path: NotePath, bytes: Uint8Array | null) => void drawn.set(path, bytes),
    move(from: NotePath, to: NotePath) {
      drawn.set(to, drawn.get(from)!);
      drawn.set(from, null);
      origin.set(to, origin.get(from) ?? from);
      origin.delete(from);
    },
    async changes(): Promise<Change[]> {
      const moved = new Set(origin.values());
      const changes: Change[] = [];
      for (const [path, bytes] of drawn) {
        const from = origin.get(path);
        if (bytes === null && moved.has(path)) continue;
        const before = await present(from ?? path);
        const after = bytes && makeNote(path, bytes, parts.versionOf(bytes), parts.now());
        if (!before && !after) continue;
        changes.push({
          path,
          ...(from === undefined || from === path ? {} : { from }),
          before,
          after,
          why: "asked",
        });
      }
      return changes;
    },
  };
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
