/** Proposing: a change that was planned, guarded and held against the rules as always is kept for the owner instead of being written (decision 24). */

import { NoteError } from "../../markdown/errors.ts";
import { label } from "../../markdown/label.ts";
import type { Change, Who } from "../change.ts";
import type { Engine, Proposed } from "../commit.ts";
import type { Parts } from "../parts.ts";
import type { NotePath } from "../paths.ts";
import { wholeOf } from "./chosen.ts";
import { composed } from "./composed.ts";
import { openTexts, overlaid, type OpenTexts } from "./overlay.ts";
import {
  bytesOf,
  BYTES_LIMIT,
  nameOfProposal,
  NOTES_LIMIT,
  OPEN_DAYS,
  OPEN_LIMIT,
  proposerKey,
  proposerOf,
  quotaKey,
  withState,
  type Proposal,
  type ProposalHead,
  type ProposedNote,
  type Proposer,
  type SettledLine,
} from "./proposal.ts";

/** The engine as somebody who proposes has it: they read and change their own open text. */
export function proposingEngine(engine: Engine, who: Who): Engine {
  const { parts } = engine;
  const key = proposerKey(proposerOf(who));
  return {
    ...engine,
    parts: overlaid(parts, openTextsOf(parts, key)),
    propose: (asking, changes, how) => keep(parts, asking, changes, how),
  };
}

const ofProposer = (parts: Parts, key: string): ProposalHead[] =>
  openOnes(parts)
    .all()
    .filter(({ by }) => proposerKey(by) === key);

/** It gives one and the same map until proposals come, go or expire. A proposal never changes under its name, so each is read once. */
function openTextsOf(parts: Parts, key: string): () => OpenTexts {
  const shelf = parts.proposals;
  let read = new Map<string, readonly ProposedNote[]>();
  let known: { all: readonly ProposalHead[]; until: number; texts: OpenTexts } | null = null;
  return () => {
    const all = shelf.all();
    if (known?.all === all && parts.now().getTime() <= known.until) return known.texts;
    const open = ofProposer(parts, key);
    const names = open.map(nameOfProposal);
    read = new Map(names.map((name) => [name, read.get(name) ?? shelf.whole(name)?.notes ?? []]));
    known = { all, until: Math.min(...open.map(openUntil)), texts: openTexts([...read.values()].flat()) };
    return known.texts;
  };
}

const own = (parts: Parts, who: Who): ProposalHead[] => ofProposer(parts, proposerKey(proposerOf(who)));

/** Which proposal of theirs a note is read from; null where it is read from the vault. */
export const openIn = (parts: Parts, who: Who, path: string): ProposalHead | null =>
  own(parts, who).find(({ notes }) => notes.some((note) => note.path === path && !note.removed)) ?? null;

/** Every path that would be another note's, or none's, or have another text. */
export const openPaths = (parts: Parts, who: Who): Set<NotePath> =>
  new Set(
    own(parts, who).flatMap(({ notes }) => notes.flatMap(({ path, origin }) => [path, origin ?? path])),
  );

/** How many notes of theirs wait. */
export const waitingFor = (parts: Parts, who: Who): number =>
  own(parts, who).reduce((sum, { notes }) => sum + notes.length, 0);

/** Only inside `alone`. */
async function keep(parts: Parts, who: Who, changes: readonly Change[], how: Proposed): Promise<void> {
  const { proposals: shelf } = parts;
  if (changes.length === 0)
    throw new NoteError(
      "input_refused",
      "You may propose changes of notes and other files, and there is none among these.",
    );
  sweepExpired(parts);
  const by = proposerOf(who);
  const touched = new Set<string>(changes.flatMap(({ path, from }) => [path, from ?? path]));
  const grown = ofProposer(parts, proposerKey(by))
    .filter(({ notes }) => notes.some(({ path, origin }) => touched.has(path) || touched.has(origin ?? path)))
    .toSorted((one, other) => one.first.getTime() - other.first.getTime());
  const notes = await composed(
    parts,
    grown.flatMap((proposal) => wholeOf(shelf, proposal).notes),
    changes,
    how,
  );
  if (notes.length === 0) return withdraw(parts, who, grown);
  checkRoom(shelf, grown, { by, notes });
  const proposal = withState(parts, {
    id: grown[0]?.id ?? freeId(parts),
    by,
    message: [...new Set([...grown.flatMap(({ message }) => message.split("\n")), how.message])].join("\n"),
    first: grown[0]?.first ?? parts.now(),
    last: parts.now(),
    rules: [how.rules, ...grown.map(({ rules }) => rules)].includes("report") ? "report" : "bind",
    always: how.always === true || grown.some(({ always }) => always),
    notes,
    folders: [...grown.flatMap(({ folders }) => folders), ...how.folders],
    replaces: grown.map(nameOfProposal),
  });
  shelf.put(proposal);
  who.remark?.(`Not written yet: waiting for the owner as proposal ${nameOfProposal(proposal)}.`);
}

function freeId({ proposals, random }: Parts): string {
  const taken = new Set(proposals.all().map(({ id }) => id));
  for (let tries = 0; tries < 100; tries++) {
    const id = random();
    if (!taken.has(id)) return id;
  }
  throw new NoteError("busy", "No free id was found for the proposal. Try again.");
}

function withdraw(parts: Parts, who: Who, grown: readonly ProposalHead[]): void {
  for (const proposal of grown) settle(parts, proposal, "withdrawn", who.client);
  if (grown.length > 0)
    who.remark?.("Nothing was written, and nothing is left of what you proposed for these notes.");
}

function checkRoom(
  { all, limit }: Parts["proposals"],
  grown: readonly ProposalHead[],
  { by, notes }: Pick<Proposal, "notes"> & { by: Proposer },
): void {
  const bytes = bytesOf(notes);
  const most = Math.min(BYTES_LIMIT, limit);
  if (bytes > most || notes.length > NOTES_LIMIT)
    throw new NoteError(
      "too_large",
      `One proposal holds at most ${NOTES_LIMIT} notes and ${most / 1024 / 1024} MiB of text. Nothing was proposed; propose less at a time.`,
      { size: bytes, limit: most },
    );
  const standing = all().filter((proposal) => !grown.includes(proposal));
  const others = standing.filter((proposal) => quotaKey(proposal.by) === quotaKey(by));
  const taken = (of: readonly ProposalHead[]): number =>
    of.reduce((sum, proposal) => sum + proposal.bytes, 0);
  const fits = bytes <= Math.min(BYTES_LIMIT - taken(others), limit - taken(standing));
  const isFull = others.length >= OPEN_LIMIT;
  if (!isFull && fits) return;
  const why = isFull
    ? `${others.length} proposals wait for the owner already`
    : "So much text waits for the owner already that there is no room for this";
  throw new NoteError("busy", `${why}. Nothing was proposed; wait until some are accepted or declined.`, {
    open: others.length,
    limit: OPEN_LIMIT,
  });
}

const DAY_MS = 24 * 60 * 60 * 1000;

const openUntil = ({ last }: ProposalHead): number => last.getTime() + OPEN_DAYS * DAY_MS;
const isExpired = (proposal: ProposalHead, now: Date): boolean => openUntil(proposal) < now.getTime();

/** The shelf without what has waited too long: nobody decides on that any more. */
export const openOnes = ({ proposals, now }: Parts): Pick<Parts["proposals"], "all" | "whole"> => ({
  all: () => proposals.all().filter((proposal) => !isExpired(proposal, now())),
  whole: proposals.whole,
});

/** What waited too long goes, and leaves a line. Only inside `alone`. */
export function sweepExpired(parts: Parts): void {
  for (const proposal of parts.proposals.all())
    if (isExpired(proposal, parts.now())) settle(parts, proposal, "expired", "notewright");
}

/** The line comes first: whoever dies in between leaves a proposal that is open. Only inside `alone`. */
export function settle(
  { proposals: shelf, now }: Pick<Parts, "proposals" | "now">,
  proposal: ProposalHead,
  outcome: SettledLine["outcome"],
  by: string,
): void {
  shelf.addLine(lineOf(proposal, outcome, by, now()));
  shelf.drop([nameOfProposal(proposal)]);
}

export const lineOf = (
  { id, notes, by: { client, tool } }: ProposalHead,
  outcome: SettledLine["outcome"],
  by: string,
  at: Date,
): SettledLine => ({
  id,
  at,
  outcome,
  by,
  client,
  tool,
  notes: notes.length,
  path: label(notes[0]?.path ?? ""),
});
