/** Proposals as verbs of the owner: what waits, what it would do to the notes as they are now, and their word on it (decision 24). */

import { diffValue, type TextDiff } from "../../markdown/diff-value.ts";
import { NoteError } from "../../markdown/errors.ts";
import type { Changeset, Who } from "../change.ts";
import { commit, type Engine } from "../commit.ts";
import type { Note } from "../note.ts";
import type { Version } from "../parts.ts";
import type { NotePath } from "../paths.ts";
import {
  outcomesOf,
  planAccepting,
  textIn,
  type Edited,
  type Outcome,
  type ProposalConflict,
} from "./accepting.ts";
import { checkFolders, chosen, decidedIn, foundIn, wholeOf, without } from "./chosen.ts";
import {
  askedNotes,
  fileSize,
  nameOfProposal,
  type Proposal,
  type ProposalHead,
  type ProposedHead,
  type Proposer,
  type SettledLine,
} from "./proposal.ts";
import { lineOf, openOnes, settle, sweepExpired } from "./proposing.ts";

/** An open proposal. Its id ends in its state: it is another once the proposal has grown. */
export type ProposalInfo = {
  id: string;
  by: Proposer;
  message: string;
  first: Date;
  last: Date;
  /** `file`: the size of a file that is no text, and is moved, removed or brought back as it is. */
  notes: { path: NotePath; origin: NotePath | null; kind: ProposedKind; file: number | null }[];
  /** Other notes whose links follow. */
  linking: NotePath[];
};
export type ProposedKind = "new" | "edited" | "moved" | "removed";

/** What a proposal would do to one note as it is now. */
export type ShownNote = ProposalInfo["notes"][number] & {
  /** The version that is there now; null where there is no such note. */
  seen: Version | null;
  /** The text that is there now, and the one that accepting writes; null for none, or for what is no text. */
  now: string | null;
  result: string | null;
  /** From one to the other; null where one of them is no text. */
  diff: TextDiff | null;
  /** Given where it cannot be accepted as it is; then the diff is to what was proposed. */
  conflict: ProposalConflict | null;
};
export type ShownProposal = ProposalInfo & { shown: ShownNote[] };

export type Accepting = {
  /** Only these notes of it; the others stay open. */
  notes?: readonly NotePath[];
  /** What the person made of some of them. */
  texts?: ReadonlyMap<NotePath, Edited>;
  /** The folders that the proposer may use by now, where it is kept to some. */
  folders?: readonly string[];
  dryRun?: boolean;
};

/** The id by which the notes stay open that were not decided; null where there are none. */
export type Left = { left: string | null };

export type Proposals = {
  /** What waits; the one that grew last comes first. */
  list(): Promise<ProposalInfo[]>;
  /** Takes an id with its state or without. */
  one(id: string): Promise<ShownProposal>;
  /** Names the state that was shown: where the proposal has grown since, nothing is written. */
  accept(id: string, how?: Accepting): Promise<Changeset & Left>;
  /** All of it, or some notes; the others stay open. */
  decline(id: string, how?: Pick<Accepting, "notes">): Promise<Left>;
  /** What is left of those that were not accepted, newest first. */
  settled(): Promise<SettledLine[]>;
  /** Calls the listener when proposals came or were settled, here or in another process, until the function it gives is called. */
  listen(listener: () => void): () => void;
};

/** `ready` waits until the index can be relied on: links follow by it. */
export function openProposals(engine: Engine, who: Who, ready: () => Promise<void>): Proposals {
  const { parts } = engine;
  const shelf = parts.proposals;
  const open = openOnes(parts);
  const owner = <T>(work: () => T, { decides = false } = {}): T => {
    const isOwner = who.rights === undefined || who.rights === "admin" || (who.rights === "read" && !decides);
    if (isOwner && who.folders === undefined) return work();
    throw new NoteError("read_only", "Proposals are the owner's to see and to decide.");
  };
  const deciding = <T>(work: () => Promise<T>): Promise<T> => owner(work, { decides: true });
  return {
    list: async () =>
      owner(() =>
        open
          .all()
          .map(infoOf)
          .toSorted((one, other) => other.last.getTime() - one.last.getTime()),
      ),
    one: async (id) =>
      owner(async () => {
        await ready();
        const found = foundIn(open, id);
        const { outcomes } = await outcomesOf(parts, askedNotes(wholeOf(shelf, found)));
        return { ...infoOf(found), shown: outcomes.map(shownOf) };
      }),
    accept: async (id, { notes, texts = new Map(), folders, dryRun = false } = {}) =>
      deciding(async () => {
        await ready();
        const found = decidedIn(open, id);
        let rest: Proposal | null = null;
        const plan = async () => {
          const proposal = wholeOf(shelf, decidedIn(open, id));
          const taken = chosen(proposal, notes);
          if (folders !== undefined) checkFolders(proposal, taken, folders);
          rest = without(parts, proposal, taken);
          return {
            ...(await planAccepting(parts, taken, texts, who)),
            folders: rest ? [] : proposal.folders,
          };
        };
        const { message, rules, always, by } = found;
        const trash = new Set(askedNotes(found).flatMap((note) => (note.trash ? [note.path] : [])));
        const folder = new Map(
          found.notes.flatMap((note) => (note.folder === null ? [] : [[note.path, note.folder]])),
        );
        const done = (): void => {
          try {
            if (rest) shelf.put(rest);
            else shelf.drop([nameOfProposal(found)]);
          } catch (error) {
            parts.report("A proposal was accepted and still stands among those that wait.", error);
          }
        };
        const { named: _, ...author } = by;
        const asking: Who = { ...who, ...author, acceptedBy: who.client };
        const how = { message, rules, always, trash, folder, dryRun, done };
        const made = await commit(engine, asking, how, plan);
        return { ...made, left: leftOf(rest) };
      }),
    decline: async (id, { notes } = {}) =>
      deciding(() =>
        parts.store.alone(async () => {
          sweepExpired(parts);
          const found = decidedIn(open, id);
          const proposal = wholeOf(shelf, found);
          const rest = without(parts, proposal, chosen(proposal, notes));
          if (!rest) {
            settle(parts, found, "declined", who.client);
            return { left: null };
          }
          const declined = found.notes.filter(({ path }) => notes?.includes(path));
          shelf.addLine(lineOf({ ...found, notes: declined }, "declined", who.client, parts.now()));
          shelf.put(rest);
          return { left: leftOf(rest) };
        }),
      ),
    settled: async () => owner(() => shelf.lines()),
    listen: (listener) => owner(() => shelf.listen(listener)),
  };
}

const leftOf = (rest: Proposal | null): string | null => rest && nameOfProposal(rest);

const noteInfo = ({
  path,
  origin,
  removed,
  file,
}: Pick<ProposedHead, "path" | "origin" | "removed" | "file">): ProposalInfo["notes"][number] => ({
  path,
  origin,
  kind: removed ? "removed" : origin === null ? "new" : path === origin ? "edited" : "moved",
  file,
});

const infoOf = (proposal: ProposalHead): ProposalInfo => ({
  id: nameOfProposal(proposal),
  by: proposal.by,
  message: proposal.message,
  first: proposal.first,
  last: proposal.last,
  notes: askedNotes(proposal).map(noteInfo),
  linking: proposal.notes.flatMap(({ path, why }) => (why === "backlink" ? [path] : [])),
});

function shownOf({ proposed, now, change, conflict }: Outcome): ShownNote {
  const file = fileSize(proposed.path, proposed.after ?? proposed.original);
  const read = (note: Note | null): string | null => (note ? textIn(note.path, note.bytes) : null);
  const text = now ? read(now) : file === null ? "" : null;
  const wanted = conflict ? conflict.proposed : change ? (change.after ? read(change.after) : "") : text;
  return {
    ...noteInfo({ ...proposed, removed: proposed.after === null, file }),
    seen: now?.version ?? null,
    now: read(now),
    result: conflict ? null : read(change ? change.after : now),
    diff: text === null || wanted === null ? null : diffValue(text, wanted),
    conflict,
  };
}
