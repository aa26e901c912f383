/** The writing side of the history: commits on top of the head, and debts where that fails. */

import type { Change } from "../notebook/change.ts";
import type { Draft, Ledger, Revision, Said as SaidBy } from "../notebook/parts.ts";
import { codeOf } from "../notebook/system-errors.ts";
import { attempt } from "../disk/files.ts";
import { makeCommits, type Head, type Made } from "./commits.ts";
import {
  addObstacles,
  canRecord,
  draftChanges,
  draftOutside,
  type Content,
  type CommitDraft,
  type States,
} from "./drafts.ts";
import type { Repo } from "./loose.ts";
import { canMend, openMending } from "./repair.ts";
import type { Owed } from "./pending-revisions.ts";
import { stage, type Staged } from "./stage.ts";
import { isBegun } from "./unfinished.ts";
import type { ReadObject, Trees } from "./trees.ts";

type Said = SaidBy & { outsideAuthor: string };
/** A revision that could not be made, and what the head held where it would have changed something. */
type Debt = { changes: readonly Change[]; said: Said; held: Map<string, string | null> };

/** Debts beyond these are still recorded, but as somebody else's edits. */
const DEBTS = 100;

/** Commits that are there, but for the last step: nothing says yet that they count. */
type Begun = Made & { staged: Staged };

export type Recorder = {
  /** Makes the folder ready. Only inside the vault's lock, as everything here. */
  ready(): Promise<void>;
  /** Whether the history's folder is not the one that was made ready: it was deleted, or another is in its place. */
  isAnother(): boolean;
  head(): Promise<Head>;
  /** Reads all folders of the newest revision, and goes back to one that is whole where that cannot be done. */
  mended(): Promise<void>;
  /** See History. */
  prepare(changes: readonly Change[], said: Said): Promise<Draft | null>;
  /** False where it could not be made. `lastSeen`: see draftOutside. */
  recordOutside(
    seen: readonly { path: string; after: Content | null }[],
    said: { date: Date; outsideAuthor: string; lastSeen?: ReadonlyMap<string, string> },
  ): Promise<Revision | null | false>;
  /** The newest last. The ledger is not told. */
  commit(drafts: readonly CommitDraft[], now: Date, inPack?: (id: string) => boolean): Promise<Made>;
  tell(made: Made): void;
  /** Puts in what is owed. */
  settle(): Promise<void>;
  troubles(): string[];
  /** Since this was last asked: what was written as files of their own, in bytes, and as packs. */
  written(): { bytes: number; packs: number };
};

const outcomeOf = <T>(work: Promise<T>): Promise<{ value: T } | { error: unknown }> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

export type RecorderParts = {
  repo: Repo;
  /** Objects that are in the history, not those that are owed. */
  stored: ReadObject;
  owed: Owed;
  trees: Trees;
  ledger: Ledger;
  /** Small revisions are left to be put in by `settle`. */
  owing: boolean;
};

export function openRecorder({ repo, stored, owed, trees, ledger, owing }: RecorderParts): Recorder {
  let debts: Debt[] = [];
  let written = { bytes: 0, packs: 0 };
  const troubles = new Set<string>();
  let failure: string | null = null;
  /** The ledger was told that something is missing; `forgotten` where that is not among the debts. */
  let lapsed = false;
  let forgotten = false;

  const { mending, isAnother } = openMending({
    repo,
    stored,
    owed,
    ledger,
    settle,
    tell: (sentence) => troubles.add(sentence),
  });

  async function commit(
    drafts: readonly CommitDraft[],
    now: Date,
    inPack?: (id: string) => boolean,
  ): Promise<Made> {
    const made = await makeCommits(trees, await owed.head(), drafts, now, inPack);
    return end(await atOnce(made));
  }

  async function atOnce(made: Made): Promise<Begun> {
    await settle();
    return { ...made, staged: await stage(repo, made.head.id!, made.objects) };
  }

  async function settle(): Promise<void> {
    const staged = await owed.settle();
    if (staged) count(staged);
  }

  function count({ bytes, packed }: Staged): void {
    written.bytes += bytes;
    written.packs += Number(packed);
    failure = null;
  }

  async function end(begun: Begun): Promise<Made> {
    const { staged, parent } = begun;
    try {
      await staged.set(parent);
    } catch (error) {
      staged.drop();
      throw error;
    }
    count(staged);
    return begun;
  }

  // Where the ledger is busy, behind or being made anew, it is caught up from the commits before it is next read.
  function tell({ revisions, parent }: Made): void {
    attempt(() => ledger.add(revisions, parent));
  }

  async function begin(changes: readonly Change[], said: Said): Promise<Begun> {
    const before = await owed.head();
    const drafts = await draftChanges(trees, before.tree, changes, said);
    const made = await makeCommits(trees, before, drafts, said.date);
    const staged = owing && !owed.full() ? await owed.stage(made) : null;
    return staged ? { ...made, staged } : atOnce(made);
  }

  // A debt is paid as it was meant while the head holds what it held then, or what an earlier debt has just put there.
  async function payDebts(): Promise<void> {
    while (debts[0]) {
      const { changes, said, held } = debts[0];
      const due: Change[] = [];
      for (const change of changes) {
        const place = change.from ?? change.path;
        const now = await trees.version((await owed.head()).tree, place);
        if (now === held.get(place) || now === (change.before?.version ?? null)) due.push(change);
      }
      if (due.length > 0) tell(await end(await begin(due, said)));
      debts.shift();
    }
    if (lapsed && !forgotten) lapsed = !attempt(() => ledger.setWhole(true));
  }

  async function owe(changes: readonly Change[], said: Said, error: unknown): Promise<void> {
    failure = codeOf(error) ?? "unexpected";
    const held = new Map<string, string | null>();
    try {
      const { tree } = await owed.head();
      for (const { path, from } of changes) held.set(from ?? path, await trees.version(tree, from ?? path));
    } catch {
      // The history cannot even be read: what is missing will be recorded as found.
    }
    debts.push({ changes, said, held });
    lapse({ forgetting: debts.length > DEBTS });
    debts = debts.slice(-DEBTS);
  }

  // Debts go with the process. The next one then looks for what is missing, as it does the first time.
  function lapse({ forgetting }: { forgetting: boolean }): void {
    forgotten ||= forgetting;
    attempt(() => {
      if (!ledger.whole()) return;
      ledger.setWhole(false);
      lapsed = true;
    });
  }

  return {
    ready: () => mending(async () => {}, { beginning: true }),
    isAnother,
    head: owed.head,
    mended: () =>
      mending(async () => void (await trees.files((await owed.head()).tree)), { beginning: true }),
    commit,
    tell,
    async settle() {
      try {
        await mending(settle, { beginning: false });
      } catch (error) {
        failure = codeOf(error) ?? "unexpected";
      }
    },
    async prepare(changes, said) {
      const fit = changes.filter(canRecord);
      for (const { path } of changes.filter((change) => !canRecord(change)))
        troubles.add(`The note "${path}" cannot be recorded under this name or in this size.`);
      if (fit.length === 0) return null;
      const beginning = async () => {
        await payDebts();
        return begin(fit, said);
      };
      const begun = await outcomeOf(mending(beginning, { beginning: true }));
      return {
        async seal() {
          try {
            if (!("value" in begun)) throw begun.error;
            const made = await outcomeOf(end(begun.value));
            if ("value" in made) return made.value;
            if (!canMend(made.error)) throw made.error;
            return await mending(async () => end(await beginning()), { beginning: true });
          } catch (error) {
            await owe(fit, said, error);
            return null;
          }
        },
        drop() {
          // What could neither be done nor be taken back is finished by whoever next holds the lock, and recorded then.
          if ("value" in begun && !isBegun(repo.disk, fit)) begun.value.staged.drop();
        },
      };
    },
    async recordOutside(seen, said) {
      try {
        return await mending(
          async () => {
            await payDebts();
            const { tree } = await owed.head();
            const states: States = { before: new Map(), after: new Map() };
            for (const { path, after } of seen.filter(canRecord)) {
              const version = await trees.version(tree, path);
              if (version === (after?.version ?? null)) continue;
              states.before.set(path, version);
              states.after.set(path, after);
              if (after) await addObstacles(trees, tree, path, new Map(), states);
            }
            if (states.after.size === 0) return null;
            const made = await commit([draftOutside(states, said)], said.date);
            tell(made);
            return made.revisions[0]!;
          },
          { beginning: false },
        );
      } catch (error) {
        failure = codeOf(error) ?? "unexpected";
        lapse({ forgetting: true });
        return false;
      }
    },
    troubles: () => [
      ...troubles,
      ...(failure === null
        ? []
        : [
            `The history could not be written (${failure}). The notes are saved; ` +
              `${debts.length} revision${debts.length === 1 ? " is" : "s are"} made up when it can be.`,
          ]),
    ],
    written() {
      const since = written;
      written = { bytes: 0, packs: 0 };
      return since;
    },
  };
}
