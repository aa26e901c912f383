/** Which proposal is meant, by its id and state, and which notes of it; and what is left of it without some. */

import { closestWord } from "../../markdown/closest-word.ts";
import { NoteError } from "../../markdown/errors.ts";
import { insideOf } from "../folders/inside.ts";
import type { Parts } from "../parts.ts";
import type { NotePath } from "../paths.ts";
import {
  askedNotes,
  nameOfProposal,
  withState,
  type Proposal,
  type ProposalHead,
  type ProposedNote,
} from "./proposal.ts";
import type { ProposalShelf } from "./shelf.ts";

type Shelf = Pick<ProposalShelf, "all" | "whole">;

/** Takes an id with its state or without. */
export function foundIn(shelf: Shelf, id: string): ProposalHead {
  const written = id.trim().toLowerCase();
  const proposal = shelf.all().find((one) => one.id === written || nameOfProposal(one) === written);
  if (proposal) return proposal;
  const grown = shelf.all().find((one) => one.id === written.split("-", 1)[0]);
  if (!grown) throw missing(shelf, written);
  throw new NoteError(
    "version_conflict",
    `The proposal has changed since you were shown it, so nothing was done. It is ${nameOfProposal(grown)} now; look at it again.`,
    { proposal: nameOfProposal(grown) },
  );
}

/** Whoever decides names what they saw. */
export function decidedIn(shelf: Shelf, id: string): ProposalHead {
  const proposal = foundIn(shelf, id);
  if (id.includes("-")) return proposal;
  throw new NoteError("input_refused", `Give the whole id, with what follows the dash: ${proposal.id}-…`);
}

/** One that was found, with its texts. Another process may have settled it just now. */
export function wholeOf(shelf: Shelf, found: ProposalHead): Proposal {
  const name = nameOfProposal(found);
  const proposal = shelf.whole(name);
  if (proposal) return proposal;
  throw missing(shelf, name);
}

/** What is left of it without these notes; null for nothing. Links that follow are left while something may move or go. */
export function without(parts: Parts, proposal: Proposal, taken: readonly ProposedNote[]): Proposal | null {
  const asked = askedNotes(proposal).filter((note) => !taken.includes(note));
  const follows = asked.some(({ path, origin, after }) => path !== origin || after === null);
  const linking = proposal.notes.filter(({ why }) => why === "backlink" && follows);
  if (asked.length === 0) return null;
  return withState(parts, {
    ...proposal,
    notes: [...asked, ...linking],
    replaces: [nameOfProposal(proposal)],
  });
}

function missing(shelf: Shelf, written: string): NoteError {
  const id = written.slice(0, 100);
  const known = new Map(shelf.all().flatMap((one) => [one.id, nameOfProposal(one)].map((key) => [key, one])));
  const near = known.get(closestWord(id, [...known.keys()]) ?? "");
  const next = near
    ? `The nearest is ${nameOfProposal(near)}.`
    : "notewright proposals lists those there are.";
  return new NoteError("revision_missing", `There is no open proposal ${JSON.stringify(id)}. ${next}`, {
    proposal: id,
  });
}

export function chosen<Note extends Pick<ProposedNote, "path" | "why">>(
  proposal: { notes: readonly Note[] },
  paths: readonly NotePath[] | undefined,
): Note[] {
  const notes = askedNotes(proposal);
  if (paths === undefined) return notes;
  const unknown = paths.find((path) => !notes.some((note) => note.path === path));
  if (unknown === undefined) return notes.filter(({ path }) => paths.includes(path));
  throw new NoteError("note_missing", `The proposal has no note "${unknown}".`, { path: unknown });
}

export function checkFolders(
  proposal: Pick<Proposal, "by">,
  taken: readonly Pick<ProposedNote, "path" | "origin">[],
  folders: readonly string[],
): void {
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
