/** The writing side of the history: revisions on top of the head, prepared while their notes are written, and kept where that fails (decisions 9 and 16). */

import type { Change } from "../notebook/change.ts";
import type { Draft, History, Ledger, Made as Counting, RevisionInfo } from "../notebook/parts.ts";
import { codeOf } from "../notebook/system-errors.ts";
import { makeCommits, type Head, type Made } from "./commits.ts";
import { canRecord, draftChanges, draftOutside, outsideStates, type CommitDraft } from "./drafts.ts";
import { canRepair } from "./damage.ts";
import { tellLedger } from "./follow.ts";
import type { Keeping, Staged } from "./keeping.ts";
import type { Sha1 } from "./objects.ts";
import type { Trees } from "./trees.ts";
import { openUnwritten } from "./unwritten.ts";

/** Commits that are there, but for the last step: nothing says yet that they count. */
type Begun = { made: Made; staged: Staged };

/** Only inside the vault's lock. */
export type Recorder = Pick<History, "prepare" | "prepareOutside" | "version"> & {
  /** Makes the place ready that revisions are kept in. */
  ready(): Promise<void>;
  /** Reads all folders of the newest revision, and goes back to one that is whole where that cannot be done. */
  repaired(): Promise<void>;
  /** Revisions, oldest first; the caller puts them into the ledger. */
  commit(drafts: readonly CommitDraft[], now: Date, inPack?: (id: string) => boolean): Promise<Made>;
  /** Puts pending revisions into the history, as far as it can. */
  flush(): Promise<void>;
  troubles(): string[];
};

export type RecorderParts = {
  keeping: Keeping;
  trees: Trees;
  sha1: Sha1;
  ledger: Ledger;
  /** Under whose name edits by other programs are recorded. */
  outsideAuthor: string;
};

export function openRecorder(parts: RecorderParts): Recorder {
  const { keeping, trees, ledger } = parts;
  const { repairing } = keeping;
  const troubles = new Set<string>();
  let failure: string | null = null;
  const failed = (error: unknown): void => void (failure = codeOf(error) ?? "unexpected");
  const end = async (begun: Begun): Promise<Made> => {
    const made = await endRevision(begun);
    failure = null;
    return made;
  };
  /** Where the index is in the same database, the revision counts with what the index takes. */
  const endWithIndex = async (begun: Begun): Promise<Counting> => {
    const { alongside } = begun.staged;
    return alongside ? { ...begun.made, alongside } : end(begun);
  };
  const version = async (path: string) => trees.version((await keeping.head()).tree, path);
  const unwritten = openUnwritten(ledger, version);

  async function writeUnwritten(): Promise<void> {
    for (let next = await unwritten.first(); next; next = await unwritten.first()) {
      if (next.changes.length > 0)
        tellLedger(ledger, await end(await beginRevision(parts, next.changes, next.info)));
      unwritten.drop();
    }
  }

  /** `begin` gives null where there is nothing to record; `unwritable` is called where the revision cannot be made. */
  async function draftOf(
    begin: () => Promise<Begun | null>,
    how: { beginning: boolean },
    unwritable: () => Promise<void> | void,
  ): Promise<Draft | null> {
    const beginning = () => writeUnwritten().then(begin);
    const begun = await repairing(beginning, how).catch((error: unknown) => ({ error }));
    if (begun === null) return null;
    const again = () => repairing(() => beginning().then((next) => next && endWithIndex(next)), how);
    return {
      seal: () =>
        seal(begun, endWithIndex, again).catch(async (error: unknown) => {
          failed(error);
          await unwritable();
          return null;
        }),
      drop: () => "staged" in begun && begun.staged.drop(),
    };
  }

  return {
    ready: () => repairing(async () => {}, { beginning: true }),
    version: (path) =>
      version(path).catch((error: unknown) => {
        if (!canRepair(error)) throw error;
        return repairing(() => version(path), { beginning: false });
      }),
    repaired: () =>
      repairing(async () => void (await trees.files((await keeping.head()).tree)), { beginning: true }),
    async commit(drafts, now, inPack) {
      const made = await makeCommits(parts, await keeping.head(), drafts, now, inPack);
      return end({ made, staged: await keeping.stage(made, inPack && "large") });
    },
    async flush() {
      try {
        if (await repairing(keeping.flush, { beginning: false })) failure = null;
      } catch (error) {
        failed(error);
      }
    },
    async prepare(changes, info) {
      const fit = changes.filter(canRecord);
      for (const { path } of changes.filter((change) => !canRecord(change)))
        troubles.add(`The note "${path}" cannot be recorded under this name or in this size.`);
      if (fit.length === 0) return null;
      const begin = () => beginRevision(parts, fit, info);
      const draft = await draftOf(begin, { beginning: true }, () => unwritten.add({ changes: fit, info }));
      // What could neither be done nor be taken back is finished by whoever next holds the lock, and recorded then.
      return draft && { ...draft, drop: () => keeping.isBegun(fit) || draft.drop() };
    },
    async prepareOutside(seen, how) {
      if (!seen.some(canRecord)) return null;
      return draftOf(() => beginOutside(parts, seen, how), { beginning: false }, unwritten.forget);
    },
    troubles: () => [
      ...keeping.troubles(),
      ...troubles,
      ...(failure === null ? [] : [failureSentence(failure, unwritten.count())]),
    ],
  };
}

async function beginRevision(
  parts: RecorderParts,
  changes: readonly Change[],
  info: RevisionInfo,
): Promise<Begun> {
  const { keeping, trees, outsideAuthor } = parts;
  const head = await keeping.head();
  return stageCommits(
    parts,
    head,
    await draftChanges(trees, head.tree, changes, { ...info, outsideAuthor }),
    info.date,
  );
}

/** Null where the newest revision holds the notes so already. */
async function beginOutside(
  parts: RecorderParts,
  ...[seen, how]: Parameters<Recorder["prepareOutside"]>
): Promise<Begun | null> {
  const { keeping, trees, outsideAuthor } = parts;
  const head = await keeping.head();
  const states = await outsideStates(trees, head.tree, seen);
  if (states.after.size === 0) return null;
  return stageCommits(parts, head, [draftOutside(states, { ...how, outsideAuthor })], how.date);
}

async function stageCommits(
  parts: RecorderParts,
  head: Head,
  drafts: readonly CommitDraft[],
  now: Date,
): Promise<Begun> {
  const made = await makeCommits(parts, head, drafts, now);
  return { made, staged: await parts.keeping.stage(made) };
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
async function seal(
  begun: Begun | { error: unknown },
  end: (begun: Begun) => Promise<Counting>,
  again: () => Promise<Counting | null>,
): Promise<Counting | null> {
  if ("error" in begun) throw begun.error;
  try {
    return await end(begun);
  } catch (error) {
    if (!canRepair(error)) throw error;
    return again();
  }
}

const failureSentence = (code: string, count: number): string =>
  `The history could not be written (${code}). The notes are saved; ` +
  `${count} revision${count === 1 ? " is" : "s are"} made up when it can be.`;
