/** Repair: the history's folder made ready for work, and made whole again where it is damaged, was deleted, or is another. */

import { attempt, diskError } from "../notebook/system-errors.ts";
import type { Ledger } from "../notebook/parts.ts";
import { walkBudget } from "./budget.ts";
import { canRepair, damage, isDamage } from "./damage.ts";
import { sha1 } from "./hashing.ts";
import { ifOurs, placeFile, REF, type Repo } from "./loose.ts";
import { isLeft, keepOtherLine } from "./other-lines.ts";
import type { PendingRevisions } from "./pending-revisions.ts";
import {
  begin as beginFolder,
  examine,
  removeEmptyObjects,
  setAside,
  setAsideForeign,
} from "./repository.ts";
import { readCommit } from "./revision.ts";
import { openTrees, type ReadObject } from "./trees.ts";

/** How far back an intact commit is sought where the newest cannot be read. */
const LOOK_BACK = 100;

export type Repair = {
  /** Does work on a history that is ready, and once more where it had to be repaired first. `beginning: false`: throws where there is none any more. */
  repairing<T>(work: () => Promise<T>, how: { beginning: boolean }): Promise<T>;
  /** Whether the history's folder is not the one that was made ready: it was deleted, or another is in its place. */
  isAnother(): boolean;
};

export type RepairParts = {
  repo: Repo;
  stored: ReadObject;
  pending: PendingRevisions;
  ledger: Ledger;
  /** A sentence for a person. */
  tell(sentence: string): void;
};

export function openRepair(parts: RepairParts): Repair {
  const { repo, pending, ledger } = parts;
  let isReady = false;
  /** The folder that was made ready. */
  let folder: string | null = null;

  const isAnother = (): boolean => {
    if (folder !== null) return folderNow(repo) !== folder;
    return lastSeen(ledger) !== null && folderNow(repo) === null;
  };

  async function ready(): Promise<void> {
    if (isReady) return;
    await makeReady(parts);
    folder = folderNow(repo);
    isReady = true;
  }

  // What nobody asked for brings no history back: whoever deleted it may be about to delete the vault.
  async function repairing<T>(work: () => Promise<T>, how: { beginning: boolean }): Promise<T> {
    if (isAnother()) {
      if (!how.beginning && folderNow(repo) === null) throw diskError("ENOENT", "The history is gone.");
      isReady = false;
      pending.forget();
    }
    try {
      await ready();
      await pending.finish();
      await stayOnLine(parts);
      return await work();
    } catch (error) {
      if (!canRepair(error)) throw error;
      await repair(parts);
      isReady = false;
      await ready();
      return await work();
    }
  }

  return { repairing, isAnother };
}

const folderNow = (repo: Repo): string | null => ifOurs(() => repo.disk.look(repo.dir)?.inode) ?? null;

async function makeReady(parts: RepairParts): Promise<void> {
  const { repo, pending, tell } = parts;
  const state = examine(repo);
  if (state === "sound") {
    for (const name of setAsideForeign(repo))
      tell(`The history's folder held "${name}", which is not ours; it was put into its folder "set-aside".`);
    // Readable, or it throws and is repaired.
    await pending.head();
  }
  if (state === "damaged") startAnew(parts);
  if (state === "headless") throw damage("the ref is damaged");
  beginFolder(repo);
}

/** Goes back to the newest commit that is whole; where none is known, begins anew. The notes are not touched by either. */
async function repair(parts: RepairParts): Promise<void> {
  const { repo, stored, pending, ledger, tell } = parts;
  attempt(() => beginFolder(repo));
  attempt(() => removeEmptyObjects(repo));
  const before = openTrees(stored, sha1);
  const budget = walkBudget();
  for (const id of ledger.recent(LOOK_BACK)) {
    try {
      await before.files((await readCommit(stored, id)).tree, budget);
      if (
        !attempt(() => placeFile(repo.disk, `${repo.dir}/tmp`, Buffer.from(`${id}\n`), `${repo.dir}/${REF}`))
      )
        break;
      tell(`The newest revisions of the history were damaged; it goes on from ${id.slice(0, 10)}.`);
      attempt(() => leaveLine(ledger));
      // What is pending on top of a lost one is lost too; other processes learn of it by the names that go.
      pending.forget();
      await pending.flush().catch(() => {});
      return;
    } catch (error) {
      if (!isDamage(error)) throw error;
    }
  }
  startAnew(parts);
}

function startAnew({ repo, pending, ledger, tell }: RepairParts): void {
  const name = setAside(repo);
  tell(`The history was damaged; it was set aside as "${name}" and begun anew.`);
  beginFolder(repo);
  pending.forget();
  ledger.clear();
}

/** Two computers may have written one synced history: this one goes on with its own line, and the other is kept. */
async function stayOnLine({ repo, stored, pending, ledger }: RepairParts): Promise<void> {
  const last = lastSeen(ledger);
  if (last === null || (await pending.head()).id === last) return;
  await pending.flush();
  const { id } = await pending.head();
  if (id === null || !(await isLeft(id, last, stored))) return;
  await keepOtherLine(repo, stored, id, last);
  pending.forget();
}

/** The line that this computer saw is left on purpose: the ledger is made anew from the one that is gone on from. */
function leaveLine(ledger: Ledger): void {
  const whole = ledger.whole();
  ledger.clear();
  ledger.setWhole(whole);
}

function lastSeen(ledger: Ledger): string | null {
  let last: string | null = null;
  // An index that is busy or being made anew tells nothing.
  attempt(() => (last = ledger.head()));
  return last;
}
