/** Proposals as verbs of the owner: what waits, what it would do to the notes as they are now, and their word on it (decision 24). */

import { diffValue, type TextDiff } from "../../markdown/diff-value.ts";
import { NoteError } from "../../markdown/errors.ts";
import type { Changeset, Who } from "../change.ts";
import { commit, type Engine } from "../commit.ts";
import { insideOf } from "../folders/inside.ts";
import type { Version } from "../parts.ts";
import type { NotePath } from "../paths.ts";
import {
  askedNotes,
  outcomesOf,
  planAccepting,
  type Edited,
  type Outcome,
  type ProposalConflict,
} from "./accepting.ts";
import {
  nameOfProposal,
  withState,
  type Proposal,
  type ProposedNote,
  type Proposer,
  type SettledLine,
} from "./proposal.ts";
import { lineOf, settle, sweepExpired } from "./proposing.ts";

/** An open proposal. Its id ends in its state: it is another once the proposal has grown. */
export type ProposalInfo = {
  id: string;
  by: Proposer;
  message: string;
  first: Date;
  last: Date;
  notes: { path: NotePath; origin: NotePath | null; kind: ProposedKind }[];
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

export type Proposals = {
  /** What waits; the one that grew last comes first. */
  list(): Promise<ProposalInfo[]>;
  /** Takes an id with its state or without. */
  one(id: string): Promise<ShownProposal>;
  /** Names the state that was shown: where the proposal has grown since, nothing is written. */
  accept(id: string, how?: Accepting): Promise<Changeset>;
  /** All of it, or some notes; the others stay open. */
  decline(id: string, how?: Pick<Accepting, "notes">): Promise<void>;
  /** What is left of those that were not accepted, newest first. */
  settled(): Promise<SettledLine[]>;
  /** Calls the listener when proposals came or were settled, here or in another process, until the function it gives is called. */
  listen(listener: () => void): () => void;
};

/** `ready` waits until the index can be relied on: links follow by it. */
export function openProposals(engine: Engine, who: Who, ready: () => Promise<void>): Proposals {
  const { parts } = engine;
  const shelf = parts.proposals;
  const owner = <T>(work: () => T, { decides = false } = {}): T => {
    const isOwner = who.rights === undefined || who.rights === "admin" || (who.rights === "read" && !decides);
    if (isOwner && who.folders === undefined) return work();
    throw new NoteError("read_only", "Proposals are the owner's to see and to decide.");
  };
  const deciding = <T>(work: () => Promise<T>): Promise<T> => owner(work, { decides: true });
  const found = (id: string): Proposal => {
    const written = id.trim().toLowerCase();
    const proposal = shelf.all().find((one) => one.id === written || nameOfProposal(one) === written);
    if (proposal) return proposal;
    const grown = shelf.all().find((one) => one.id === written.split("-", 1)[0]);
    if (!grown) throw missing(id);
    throw new NoteError(
      "version_conflict",
      `The proposal has changed since you were shown it, so nothing was done. It is ${nameOfProposal(grown)} now; look at it again.`,
      { proposal: nameOfProposal(grown) },
    );
  };
  /** Whoever decides names what they saw. */
  const decided = (id: string): Proposal => {
    if (/^[0-9a-f]{8}$/i.test(id.trim()) && shelf.all().some((one) => one.id === id.trim().toLowerCase()))
      throw new NoteError("input_refused", `Give the whole id, with what follows the dash: ${id}-…`);
    return found(id);
  };
  /** Takes notes out of it; the rest stays open. Only inside `alone`. */
  const without = (proposal: Proposal, taken: readonly ProposedNote[]): Proposal | null => {
    const asked = askedNotes(proposal).filter((note) => !taken.includes(note));
    const follows = asked.some(({ path, origin, after }) => path !== origin || after === null);
    const linking = proposal.notes.filter(({ why }) => why === "backlink" && follows);
    if (asked.length === 0) return null;
    const rest = { ...proposal, notes: [...asked, ...linking], replaces: [nameOfProposal(proposal)] };
    return withState(parts, rest);
  };

  return {
    list: async () =>
      owner(() =>
        shelf
          .all()
          .map(infoOf)
          .toSorted((one, other) => other.last.getTime() - one.last.getTime()),
      ),
    one: async (id) =>
      owner(async () => {
        await ready();
        const proposal = found(id);
        const { outcomes } = await outcomesOf(parts, askedNotes(proposal));
        return { ...infoOf(proposal), shown: outcomes.map(shownOf) };
      }),
    accept: async (id, { notes, texts = new Map(), folders, dryRun = false } = {}) =>
      deciding(async () => {
        await ready();
        let proposal = decided(id);
        let taken: ProposedNote[] = [];
        const plan = async () => {
          proposal = decided(id);
          taken = chosen(proposal, notes);
          if (folders !== undefined) checkFolders(proposal, taken, folders);
          return planAccepting(parts, taken, texts, who);
        };
        const { message, rules, always, by } = proposal;
        const trash = new Set(askedNotes(proposal).flatMap((note) => (note.trash ? [note.path] : [])));
        const done = (): void => {
          const rest = without(proposal, taken);
          try {
            if (rest) shelf.put(rest);
            else shelf.drop([nameOfProposal(proposal)]);
          } catch (error) {
            parts.report("A proposal was accepted and still stands among those that wait.", error);
          }
        };
        const { named: _, ...author } = by;
        const asking: Who = { ...who, ...author, acceptedBy: who.client };
        return commit(engine, asking, { message, rules, always, trash, dryRun, done }, plan);
      }),
    decline: async (id, { notes } = {}) =>
      deciding(() =>
        parts.store.alone(async () => {
          sweepExpired(parts);
          const proposal = decided(id);
          const rest = without(proposal, chosen(proposal, notes));
          if (!rest) return settle(parts, proposal, "declined", who.client);
          const declined = proposal.notes.filter(({ path }) => notes?.includes(path));
          shelf.addLine(lineOf({ ...proposal, notes: declined }, "declined", who.client, parts.now()));
          shelf.put(rest);
        }),
      ),
    settled: async () => owner(() => shelf.lines()),
    listen: (listener) => owner(() => shelf.listen(listener)),
  };
}

const missing = (id: string): NoteError =>
  new NoteError(
    "revision_missing",
    `There is no open proposal ${JSON.stringify(id.slice(0, 100))}. notewright proposals lists those there are.`,
    { proposal: id.slice(0, 100) },
  );

function chosen(proposal: Proposal, paths: readonly NotePath[] | undefined): ProposedNote[] {
  const notes = askedNotes(proposal);
  if (paths === undefined) return notes;
  const unknown = paths.find((path) => !notes.some((note) => note.path === path));
  if (unknown === undefined) return notes.filter(({ path }) => paths.includes(path));
  throw new NoteError("note_missing", `The proposal has no note "${unknown}".`, { path: unknown });
}

function checkFolders(proposal: Proposal, taken: readonly ProposedNote[], folders: readonly string[]): void {
  const inside = insideOf(folders);
  const outside = taken
    .flatMap(({ path, origin }) => [path, origin ?? path])
    .find((path) => !folders.includes("") && !inside(path));
  if (outside === undefined) return;
  throw new NoteError(
    "path_refused",
    `Nothing was accepted: "${outside}" lies outside the folders that ${proposal.by.client} may use by now. Decline that note, or accept the others.`,
    { path: outside, reason: "lies outside the proposer's folders" },
  );
}

const kindOf = ({ path, origin, after }: ProposedNote): ProposedKind =>
  after === null ? "removed" : origin === null ? "new" : path === origin ? "edited" : "moved";

const noteInfo = (note: ProposedNote): ProposalInfo["notes"][number] => ({
  path: note.path,
  origin: note.origin,
  kind: kindOf(note),
});

const infoOf = (proposal: Proposal): ProposalInfo => ({
  id: nameOfProposal(proposal),
  by: proposal.by,
  message: proposal.message,
  first: proposal.first,
  last: proposal.last,
  notes: askedNotes(proposal).map(noteInfo),
  linking: proposal.notes.flatMap(({ path, why }) => (why === "backlink" ? [path] : [])),
});

function shownOf({ proposed, now, change, conflict }: Outcome): ShownNote {
  const text = now ? now.text : "";
  const wanted = conflict ? conflict.proposed : change ? (change.after ? change.after.text : "") : text;
  return {
    ...noteInfo(proposed),
    seen: now?.version ?? null,
    now: now?.text ?? null,
    result: conflict ? null : ((change ? change.after?.text : now?.text) ?? null),
    diff: text === null || wanted === null ? null : diffValue(text, wanted),
    conflict,
  };
}
