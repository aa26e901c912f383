/** A commit as a Revision: what its trees and its trailers say together. The same whether it was just made or read back. */

import type { Revision } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import type { Budget } from "./budget.ts";
import { compareTrees, type Differences } from "./compare.ts";
import { damage, isDamage, nullIfDamaged } from "./damage.ts";
import { readMessage, type Trailers } from "./message.ts";
import { decodeCommit, identName, isId, recordable, type Commit } from "./objects.ts";
import type { ReadObject } from "./trees.ts";

export async function readCommit(read: ReadObject, id: string): Promise<Commit> {
  const object = await read(id);
  const commit = object?.kind === "commit" ? decodeCommit(object.body) : null;
  if (!commit) throw damage("a commit is missing");
  return commit;
}

/** `budget`: of the walk that this commit is one of. */
export async function readRevision(
  read: ReadObject,
  id: string,
  commit: Commit,
  budget: Budget,
): Promise<Revision> {
  budget.next();
  return revisionOf(id, commit, await differencesOf(read, commit, budget).catch(noneIfDamaged));
}

async function differencesOf(read: ReadObject, commit: Commit, budget: Budget): Promise<Differences> {
  // Where the older part of a history is lost, what is left begins with everything there was.
  const parent = commit.parent === null ? null : await readCommit(read, commit.parent).catch(nullIfDamaged);
  return compareTrees(read, parent?.tree ?? null, commit.tree, budget);
}

// A revision whose trees are lost is still listed; it only touches nothing that we could name.
function noneIfDamaged(error: unknown): Differences {
  if (!isDamage(error)) throw error;
  return new Map();
}

export function revisionOf(id: string, commit: Commit, differences: Differences): Revision {
  const { message, surface, tool, connection, acceptedBy, ...trailers } = readMessage(commit.message);
  const folders = trailers.folders.filter((pair) =>
    pair.every((folder) => folder === "" || isFolder(folder)),
  );
  const changes = withSaved(changesOf(differences, trailers), trailers.saved, commit.author.date);
  return {
    id,
    author: identName(commit.author.name),
    date: commit.author.date,
    message,
    ...(surface === undefined ? {} : { surface }),
    ...(tool === undefined ? {} : { tool }),
    ...(connection === undefined ? {} : { connection }),
    ...(acceptedBy ? { acceptedBy } : {}),
    changes,
    touched: changes.length,
    ...(folders.length === 0 ? {} : { folders }),
  };
}

/** The trailers of a commit may be anyone's: no folder that they name leads out of the vault, or into a hidden one. */
const isFolder = (path: string): boolean =>
  recordable(path) && path.split("/").every((segment) => !segment.startsWith("."));

/** No file is believed to have been saved after it was recorded. */
function withSaved(changes: Revision["changes"], saved: Trailers["saved"], date: Date): Revision["changes"] {
  if (saved.length === 0) return changes;
  const times = new Map(saved.map(([path, seconds]) => [path, Number(seconds) * 1000]));
  return changes.map((change) => {
    const time = times.get(change.path) ?? Number.NaN;
    return time >= 0 && time <= date.getTime() ? { ...change, saved: new Date(time) } : change;
  });
}

// A move that the trees do not bear out is no move: the trailers of a commit may be anyone's.
function changesOf(
  differences: Differences,
  { moved, kept }: Pick<Trailers, "moved" | "kept">,
): Revision["changes"] {
  // Where one note comes to stand in the place of another with the same text, the trees see nothing.
  const states = new Map(differences);
  for (const [path, version] of kept)
    if (!differences.has(path) && isId(version) && recordable(path))
      states.set(path, { before: version, after: version });
  const from = new Map<string, string>();
  const left = new Set<string>();
  for (const [old, now] of moved) {
    const there = states.get(old)?.before && states.get(now)?.after;
    if (!there || old === now || from.has(now) || left.has(old)) continue;
    from.set(now, old);
    left.add(old);
  }
  const changes: { path: string; from?: string; before: string | null; version: string | null }[] = [];
  for (const [path, { before, after }] of states) {
    const source = from.get(path);
    if (source !== undefined)
      changes.push({ path, from: source, before: states.get(source)!.before, version: after });
    else if (!left.has(path)) changes.push({ path, before, version: after });
    else if (after !== null) changes.push({ path, before: null, version: after });
  }
  const sorted = changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return sorted.map(({ path, from, before, version }) => ({
    path: path as NotePath,
    ...(from === undefined ? {} : { from: from as NotePath }),
    version,
    before,
  }));
}
