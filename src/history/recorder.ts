/** The writing side of the history: revisions on top of the head, prepared while their notes are written, and kept where that fails (decisions 9 and 16). */

import type { Change } from "../notebook/change.ts";
import type { Content, Draft, Ledger, Revision, Said } from "../notebook/parts.ts";
import { codeOf } from "../notebook/system-errors.ts";
import { makeCommits, type Head, type Made } from "./commits.ts";
import { canRecord, draftChanges, draftOutside, outsideStates, type CommitDraft } from "./drafts.ts";
import { tellLedger } from "./follow.ts";
import type { Repo } from "./loose.ts";
import type { PendingRevisions } from "./pending-revisions.ts";
import { canRepair, openRepair } from "./repair.ts";
import type { Staged } from "./stage.ts";
import type { ReadObject, Trees } from "./trees.ts";
import { isBegun } from "./unfinished.ts";
import { openUnwritten } from "./unwritten.ts";

/** Commits that are there, but for the last step: nothing says yet that they count. */
type Begun = { made: Made; staged: Staged };

/** Only inside the vault's lock. */
export type Recorder = {
  /** Makes the folder ready. */
  ready(): Promise<void>;
  /** Whether the history's folder is not the one that was made ready: it was deleted, or another is in its place. */
  isAnother(): boolean;
  head(): Promise<Head>;
  /** Reads all folders of the newest revision, and goes back to one that is whole where that cannot be done. */
  repaired(): Promise<void>;
  /** See History. */
  prepare(changes: readonly Change[], said: Said): Promise<Draft | null>;
  /** False where it could not be made. `lastSeen`: see draftOutside. */
  recordOutside(
    seen: readonly { path: string; after: Content | null }[],
    said: { date: Date; lastSeen?: ReadonlyMap<string, string> },
  ): Promise<Revision | null | false>;
  /** Revisions, oldest first, of which the ledger is not told. */
  commit(drafts: readonly CommitDraft[], now: Date, inPack?: (id: string) => boolean): Promise<Made>;
  /** Puts pending revisions into the history, as far as it can. */
  flush(): Promise<void>;
  troubles(): string[];
};

export type RecorderParts = {
  repo: Repo;
  /** Objects that are in the history, not the pending ones. */
  stored: ReadObject;
  pending: PendingRevisions;
  trees: Trees;
  ledger: Ledger;
  /** Under whose name edits by other programs are recorded. */
  outsideAuthor: string;
};

type Outcome<T> = { value: T } | { error: unknown };
const outcomeOf = <T>(work: Promise<T>): Promise<Outcome<T>> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

export function openRecorder(parts: RecorderParts): Recorder {
  const { repo, pending, trees, ledger, outsideAuthor } = parts;
  const troubles = new Set<string>();
  let failure: string | null = null;
  const failed = (error: unknown): void => void (failure = codeOf(error) ?? "unexpected");
  const { repairing, isAnother } = openRepair({ ...parts, tell: (sentence) => troubles.add(sentence) });
  const begin = (changes: readonly Change[], said: Said): Promise<Begun> =>
    beginRevision(parts, changes, said);
  const end = async (begun: Begun): Promise<Made> => {
    const made = await endRevision(begun);
    failure = null;
    return made;
  };
  const unwritten = openUnwritten(ledger, async (path) => trees.version((await pending.head()).tree, path));

  const commit: Recorder["commit"] = async (drafts, now, inPack) => {
    const made = await makeCommits(trees, await pending.head(), drafts, now, inPack);
    return end({ made, staged: await pending.stage(made, inPack && "large") });
  };

  async function writeUnwritten(): Promise<void> {
    for (let next = await unwritten.first(); next; next = await unwritten.first()) {
      if (next.changes.length > 0) tellLedger(ledger, await end(await begin(next.changes, next.said)));
      unwritten.drop();
    }
  }

  async function prepare(changes: readonly Change[], said: Said): Promise<Draft> {
    const beginning = async (): Promise<Begun> => {
      await writeUnwritten();
      return begin(changes, said);
    };
    const begun = await outcomeOf(repairing(beginning, { beginning: true }));
    return {
      seal: () =>
        sealed(begun, end, () => repairing(async () => end(await beginning()), { beginning: true })).catch(
          async (error: unknown) => {
            failed(error);
            await unwritten.add({ changes, said });
            return null;
          },
        ),
      drop() {
        // What could neither be done nor be taken back is finished by whoever next holds the lock, and recorded then.
        if ("value" in begun && !isBegun(repo.disk, changes)) begun.value.staged.drop();
      },
    };
  }

  async function recordOutside(
    ...[seen, said]: Parameters<Recorder["recordOutside"]>
  ): Promise<Revision | null> {
    await writeUnwritten();
    const states = await outsideStates(trees, (await pending.head()).tree, seen);
    if (states.after.size === 0) return null;
    const made = await commit([draftOutside(states, { ...said, outsideAuthor })], said.date);
    tellLedger(ledger, made);
    return made.revisions[0]!;
  }

  return {
    ready: () => repairing(async () => {}, { beginning: true }),
    isAnother,
    head: pending.head,
    repaired: () =>
      repairing(async () => void (await trees.files((await pending.head()).tree)), { beginning: true }),
    commit,
    async flush() {
      try {
        if (await repairing(pending.flush, { beginning: false })) failure = null;
      } catch (error) {
        failed(error);
      }
    },
    async prepare(changes, said) {
      const fit = changes.filter(canRecord);
      for (const { path } of changes.filter((change) => !canRecord(change)))
        troubles.add(`The note "${path}" cannot be recorded under this name or in this size.`);
      return fit.length === 0 ? null : prepare(fit, said);
    },
    async recordOutside(seen, said) {
      try {
        return await repairing(() => recordOutside(seen, said), { beginning: false });
      } catch (error) {
        failed(error);
        unwritten.forget();
        return false;
      }
    },
    troubles: () =>
      failure === null ? [...troubles] : [...troubles, failureSentence(failure, unwritten.count())],
  };
}

async function beginRevision(
  { pending, trees, outsideAuthor }: RecorderParts,
  changes: readonly Change[],
  said: Said,
): Promise<Begun> {
  const head = await pending.head();
  const drafts = await draftChanges(trees, head.tree, changes, { ...said, outsideAuthor });
  const made = await makeCommits(trees, head, drafts, said.date);
  return { made, staged: await pending.stage(made) };
}

async function endRevision({ made, staged }: Begun): Promise<Made> {
  try {
    await staged.set();
  } catch (error) {
    staged.drop();
    throw error;
  }
  return made;
}

/** `again` does the whole once more, on a history that was repaired. */
async function sealed(
  begun: Outcome<Begun>,
  end: (begun: Begun) => Promise<Made>,
  again: () => Promise<Made>,
): Promise<Made> {
  if (!("value" in begun)) throw begun.error;
  try {
    return await end(begun.value);
  } catch (error) {
    if (!canRepair(error)) throw error;
    return again();
  }
}

const failureSentence = (code: string, count: number): string =>
  `The history could not be written (${code}). The notes are saved; ` +
  `${count} revision${count === 1 ? " is" : "s are"} made up when it can be.`;
