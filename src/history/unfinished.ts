/** Unfinished revisions: staged by a writer that died before it could say that they count. Where its notes are in place, they do. */

import { attempt, codeOf } from "../notebook/system-errors.ts";
import type { Disk } from "../disk/files.ts";
import { versionAt } from "../disk/versions.ts";
import type { Change } from "../notebook/change.ts";
import { walkBudget } from "./budget.ts";
import type { Head } from "./commits.ts";
import { compareTrees, type Differences } from "./compare.ts";
import { nullIfDamaged } from "./damage.ts";
import { guarded, readFile, readHead, REF, type Repo } from "./loose.ts";
import type { Commit, NewObject } from "./objects.ts";
import { readCommit } from "./revision.ts";
import type { ReadObject } from "./trees.ts";

/** Where small revisions are until they are flushed, and where revisions are staged, in a history's folder. */
export const PENDING = "pending";

/** What a revision is staged as: a record, by the name it will have, or a ref, by the commit that it will stand for. */
export const stagedName = (name: string): string => `${name}.tmp`;
export const isStaged = (name: string): boolean => /^(?:\d{8}-)?[0-9a-f]{40}\.tmp$/.test(name);
const COMMIT = /([0-9a-f]{40})\.tmp$/;
/** A revision is at most two commits: what others did since the last one, then ours. */
const COMMITS = 2;

export type Unfinished = {
  repo: Repo;
  head: Head;
  read: ReadObject;
  /** The objects of a staged record; null where it cannot be read. */
  decode(name: string): Promise<NewObject[] | null>;
};

/** Only inside the vault's lock, once the notes of every unfinished change are in place. */
export async function finishStaged(it: Unfinished, names: readonly string[]): Promise<void> {
  let done = false;
  for (const name of names) {
    // Each stands on the head there was, so only one of them can be next.
    done ||= await finishOne(it, name).catch(nullIfDamaged).then(Boolean);
    attempt(() => it.repo.disk.unlink(`${it.repo.dir}/${PENDING}/${name}`));
  }
}

async function finishOne(it: Unfinished, name: string): Promise<boolean> {
  const { repo, head } = it;
  const folder = `${repo.dir}/${PENDING}`;
  const id = COMMIT.exec(name)![1]!;
  const isRef = name === stagedName(id);
  const objects = isRef ? [] : await it.decode(name);
  if (objects === null) return false;
  if (isRef && readFile(repo, `${PENDING}/${name}`, 64)?.toString() !== `${id}\n`) return false;
  const own = new Map(objects.map((object) => [object.id, object]));
  const read: ReadObject = async (sought) => own.get(sought) ?? it.read(sought);
  const last = await onTop(read, id, head);
  if (last === null || !(await isInPlace(repo.disk, await compareTrees(read, last.from, last.commit.tree))))
    return false;
  const staged = `${folder}/${name}`;
  if (repo.durable) await repo.disk.flush([staged]);
  if (!isRef) repo.disk.rename(staged, `${folder}/${name.slice(0, -".tmp".length)}`);
  else
    await guarded(repo, () => {
      if (readHead(repo) === head.id) repo.disk.rename(staged, `${repo.dir}/${REF}`);
    });
  return true;
}

/** The newest commit of a revision, and the tree it was made on; null where it does not stand on the head. */
async function onTop(
  read: ReadObject,
  id: string,
  head: Head,
): Promise<{ commit: Commit; from: string | null } | null> {
  const commit = await readCommit(read, id);
  let parent = commit.parent;
  for (let count = 1; count < COMMITS && parent !== head.id && parent !== null; count++)
    parent = (await readCommit(read, parent)).parent;
  if (parent !== head.id) return null;
  const from = commit.parent === head.id ? head.tree : (await readCommit(read, commit.parent!)).tree;
  return { commit, from };
}

// All of a change or nothing: a note that is as it was before tells that nothing was done. One that is neither was edited since.
async function isInPlace(disk: Disk, differences: Differences): Promise<boolean> {
  const budget = walkBudget();
  let any = false;
  for (const [path, { before, after }] of differences) {
    await budget.turn();
    const now = versionIn(disk, path);
    if (now === before) return false;
    any ||= now === after;
  }
  return any;
}

/** Whether a change that failed is partly in place: it could not be taken back, and is left to whoever next holds the lock. */
export function isBegun(disk: Disk, changes: readonly Change[]): boolean {
  const isNew = ({ path, from, before, after }: Change): boolean =>
    (from !== undefined || before?.version !== after?.version) &&
    versionIn(disk, path) === (after?.version ?? null);
  return changes.length > 1 && changes.some(isNew);
}

/** The version at a path, as far as it can be read. */
function versionIn(disk: Disk, path: string): string | null {
  try {
    return versionAt(disk, path);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return "unreadable";
  }
}
