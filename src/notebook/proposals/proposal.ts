/** A proposal: a change that waits for the owner's word, as a value, whole or without its texts; and the limits of proposals (decision 24). */

import type { Who } from "../change.ts";
import { encodeText } from "../note.ts";
import type { Parts } from "../parts.ts";
import type { Folders } from "../folder-tree.ts";
import { isNote, type NotePath } from "../paths.ts";
import { readPointer } from "../pointer.ts";

/** So many proposals of one identity are open at most, for so many days, with so many bytes of text and notes in all. */
export const OPEN_LIMIT = 200;
export const OPEN_DAYS = 30;
export const BYTES_LIMIT = 32 * 1024 * 1024;
export const NOTES_LIMIT = 10_000;

/** What is proposed for one note, or for another file, whose text is the pointer to its bytes (decision 22). */
export type ProposedNote = {
  /** Where it is to stand; where it is to go, the place it stands at. */
  path: NotePath;
  /** Where it stands in the vault; null for a new one. */
  origin: NotePath | null;
  /** What the vault had there. */
  original: Uint8Array | null;
  /** What the moves and removals of the proposal alone make of its links. What differs from this was asked for, and is what is merged. */
  base: Uint8Array | null;
  /** Null where it is to be removed. */
  after: Uint8Array | null;
  /** `backlink`: only links were rewritten in it. They are worked out anew when the move is accepted. */
  why: "asked" | "backlink";
  /** Whether links in other notes follow its move, or are marked where it is removed. */
  links: "follow" | "leave";
  /** Whether it goes to the trash; and the folder that is removed as a whole with it, which keeps its shape there. */
  trash: boolean;
  folder: string | null;
};

/** Who proposed it, as the history will name them. `named`: by an identity, not by the name that a program gave itself. */
export type Proposer = Pick<Who, "client" | "surface" | "tool" | "connection" | "program"> & {
  named: boolean;
};

export type Proposal = {
  /** Eight hex digits, which stay; and ten that are another with each state. */
  id: string;
  state: string;
  by: Proposer;
  /** What the history will say: one line for each call. */
  message: string;
  /** When it was first proposed, and when it last grew. */
  first: Date;
  last: Date;
  /** `report` for an undo or a restore: broken rules do not hold them back. */
  rules: "bind" | "report";
  /** A restore makes a revision, also where no byte changes. */
  always: boolean;
  notes: ProposedNote[];
  /** Folders that go and come with them: removed, made. */
  folders: Folders;
  /** Names of proposals in whose place it comes: should one still be there, it does not count. */
  replaces: string[];
};

/** A note of a proposal without its texts. */
export type ProposedHead = Omit<ProposedNote, "original" | "base" | "after"> & {
  removed: boolean;
  /** The size of a file that is known by its pointer alone; null for what is text. */
  file: number | null;
};
/** A proposal without its texts, which may be many: `bytes` is how much they take. */
export type ProposalHead = Omit<Proposal, "notes"> & { notes: ProposedHead[]; bytes: number };

/** What is left of a proposal that was not accepted. It holds no text. */
export type SettledLine = {
  id: string;
  at: Date;
  outcome: "declined" | "expired" | "withdrawn";
  /** Who declined it. */
  by: string;
  client: string;
  tool: string;
  /** How many notes it was about, and the first of them. */
  notes: number;
  path: string;
};

export const nameOfProposal = ({ id, state }: Pick<Proposal, "id" | "state">): string => `${id}-${state}`;
export const PROPOSAL_NAME = /^([0-9a-f]{8})-([0-9a-f]{10})$/;

/** Whose open text it is: an identity's, or that of a program by its own name. */
export const proposerKey = ({ client, named }: Pick<Proposer, "client" | "named">): string =>
  `${named ? "identity" : "client"} ${client}`;
export const proposerOf = ({ client, surface, tool, connection, program }: Who): Proposer => ({
  client,
  surface,
  tool,
  connection,
  ...(program === undefined ? {} : { program }),
  named: program !== undefined,
});

/** Programs without an identity share the limits: they may call themselves anything. */
export const quotaKey = ({ client, named }: Pick<Proposer, "client" | "named">): string =>
  named ? client : "";

/** The notes of it that somebody asked for; the links that follow are worked out with them. */
export const askedNotes = <Note extends Pick<ProposedNote, "why">>({
  notes,
}: {
  notes: readonly Note[];
}): Note[] => notes.filter(({ why }) => why === "asked");

export const headOf = ({ notes, ...proposal }: Proposal): ProposalHead => ({
  ...proposal,
  notes: notes.map(({ path, origin, original, after, why, links, trash, folder }) => ({
    path,
    origin,
    why,
    links,
    trash,
    folder,
    removed: after === null,
    file: fileSize(path, after ?? original),
  })),
  bytes: bytesOf(notes),
});

/** The size of the file that these bytes point to; null where they are its text. */
export const fileSize = (path: string, bytes: Uint8Array | null): number | null =>
  bytes && !isNote(path) ? (readPointer(bytes)?.size ?? null) : null;

export const bytesOf = (notes: readonly ProposedNote[]): number =>
  notes.reduce(
    (sum, { original, base, after }) =>
      sum + [...new Set([original, base, after])].reduce((size, bytes) => size + (bytes?.length ?? 0), 0),
    0,
  );

export const isSame = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, at) => byte === other[at]);

/** The state of a proposal is a hash with a salt of ours: a client cannot make two proposals that are named alike. */
export function withState(
  { versionOf, random }: Pick<Parts, "versionOf" | "random">,
  proposal: Omit<Proposal, "state">,
): Proposal {
  const notes = proposal.notes.map(({ original, base, after, ...note }) => ({
    ...note,
    original: original && versionOf(original),
    base: base && versionOf(base),
    after: after && versionOf(after),
  }));
  const whole = JSON.stringify([random(), random(), { ...proposal, notes }]);
  return { ...proposal, state: versionOf(encodeText(whole)).slice(0, 10) };
}
