/** Other lines: heads that do not descend from the last one this computer saw, because two computers wrote one synced history. Each is kept under a ref of its own; nothing is merged. */

import { attempt } from "../notebook/system-errors.ts";
import { walkBudget } from "./budget.ts";
import { nullIfDamaged } from "./damage.ts";
import { guarded, ifOurs, placeFile, readFile, REF, type Repo } from "./loose.ts";
import { isId } from "./objects.ts";
import { readCommit } from "./revision.ts";
import type { ReadObject } from "./trees.ts";
import { isWhole } from "./whole.ts";

const FOLDER = "refs/notewright";
const NAME = /^other-[0-9a-f]{10}$/;
/** Each is a computer that writes the same history; more are somebody's mischief. */
const LINES_LIMIT = 100;

/** The refs under which other lines are kept. */
export function otherLines(repo: Repo): string[] {
  const names = ifOurs(() => repo.disk.names(`${repo.dir}/${FOLDER}`)?.file) ?? [];
  return names
    .filter((name) => NAME.test(name))
    .toSorted()
    .slice(0, LINES_LIMIT)
    .map((name) => `${FOLDER}/${name}`);
}

/** Whether one commit is another, or comes after it. */
async function descends(read: ReadObject, from: string, ancestor: string): Promise<boolean> {
  const budget = walkBudget();
  for (let id: string | null = from; id !== null;) {
    if (id === ancestor) return true;
    await budget.turn();
    const commit: { parent: string | null } | null = await readCommit(read, id).catch(nullIfDamaged);
    id = commit?.parent ?? null;
  }
  return false;
}

/** Whether a head leaves the last one that this computer saw, which could be gone on from. */
export const isLeft = async (head: string, last: string, read: ReadObject): Promise<boolean> =>
  !(await descends(read, head, last)) && (await isWhole(read, last));

/** Keeps the head under a ref of its own, and puts back the last one that this computer saw. Only inside the vault's lock. */
export async function keepOtherLine(
  repo: Repo,
  read: ReadObject,
  head: string,
  last: string,
): Promise<string | null> {
  const { disk, dir } = repo;
  const place = (ref: string, id: string): void =>
    placeFile(disk, `${dir}/tmp`, Buffer.from(`${id}\n`), `${dir}/${ref}`);
  const older = await Promise.all(
    otherLines(repo).map(async (ref) => {
      const id = readFile(repo, ref, 100)?.toString("latin1").trim() ?? "";
      return isId(id) && (await descends(read, head, id)) ? ref : null;
    }),
  );
  // What this line came from needs no ref, nor does the head where the sync only brought back an older state of ours.
  const ours = await descends(read, last, head);
  const ref = `${FOLDER}/other-${head.slice(0, 10)}`;
  if (!ours) {
    disk.makeFolder(`${dir}/${FOLDER}`, { durable: false });
    place(ref, head);
  }
  await guarded(repo, () => place(REF, last));
  for (const stale of older)
    if (stale !== null && stale !== ref) attempt(() => disk.unlink(`${dir}/${stale}`));
  return ours ? null : ref;
}
