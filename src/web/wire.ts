/** What goes between the page and its server: types alone, known to both. */

import type { TextDiff } from "../markdown/diff-value.ts";
import type { NoteValue } from "../notebook/note-value.ts";

/** An event of `GET /api/events`. `reset`: what was missed is not known any more. `open`: the stream has begun. */
export type PageEvent =
  | { kind: "open" }
  | { kind: "reset" }
  | { kind: "note"; path: string; how: "changed" | "came" | "went" }
  /** A change that was recorded, as a list shows it. */
  | { kind: "revision"; revision: Revision }
  /** Something may have been recorded that was not told of by itself: by another process, or too much at once. */
  | { kind: "history" }
  | { kind: "call"; call: Call }
  /** Proposals came, grew or were settled. */
  | { kind: "proposal" };

/** A refusal: the code decides what the page does, the message is shown. */
export type Refusal = { code: string; message: string; details?: Record<string, unknown> };

/** In the details of a refusal: when a note was deleted and by whom, and the last revision that had it. */
export type Deletion = { date: string; author: string; had: string | null };

/** What a client starts, or calls, to be served these notes. */
export type Connect = { command: string; args: string[] } | { url: string };

export type Hello = {
  /** The id of the newest event: the page hears of all that comes after it. */
  heard: string;
  /** What the vault is called. */
  vault: string;
  /** Where it is, for programs on the computer of whoever sits before the page; null where it lies elsewhere. */
  place: string | null;
  /** How a client is let in. */
  connect: Connect;
  /** Tells this vault from others on the same address, for what the page remembers. */
  id: string;
  author: string;
  mayWrite: boolean;
  notes: number;
  /** "2,310 of 6,571 notes so far", while a first indexing goes on. */
  indexing: string | null;
  timeZone: string;
  version: string;
};

export type Mark = [start: number, end: number];
export type Hit = {
  path: string;
  title: string;
  tags: string[];
  modified: string;
  /** The words around what was found, on one line. */
  snippet: { text: string; marks: Mark[] } | null;
  section: string | null;
};
export type Hits = {
  hits: Hit[];
  total: number;
  more: boolean;
  corrected: { from: string; to: string }[];
  byMeaning: number;
  indexing: string | null;
  /** Notes that could not be read when they were last looked at: what stands there is not found. */
  unread: number;
};

export type Done = "edited" | "created" | "removed" | "moved";
/** One note in a change. Words are null where nobody counted them: the note is too long, or no text. */
export type Touched = {
  path: string;
  from?: string;
  done: Done;
  added: number | null;
  removed: number | null;
};
/** Words, the name of a note or a folder, or somebody whose changes are spoken of. */
export type DeedPiece = string | { name: string } | { author: string };
export type Revision = {
  id: string;
  date: string;
  author: string;
  /** Made in another program. */
  outside: boolean;
  tool: string | null;
  /** Who accepted it, where it was proposed. */
  acceptedBy: string | null;
  message: string;
  /** What it did, after the name of who did it. */
  deed: DeedPiece[];
  notes: Touched[];
  /** How many notes it changed in all, and in how many of them links alone followed a move. */
  touched: number;
  followed: number;
};
export type Changes = { revisions: Revision[]; more: boolean };

export type ChangedNote = Touched & { diff: TextDiff };
/** Some notes of a change, from the place that was asked for. */
export type Change = Revision & { changed: ChangedNote[]; more: boolean };

export type Undoing = {
  /** What undoing does to each note: from what it is now to what it will be. At most fifty are shown, of so many. */
  changed: ChangedNote[];
  touched: number;
  /** Notes in which something stays that was written since, as many as an answer has room for; so with `conflicts` and `broken`. */
  stays: string[];
  /** Notes that cannot be taken back, because the same lines have been edited since. */
  conflicts: { path: string; reason: string; diff: TextDiff }[];
  /** The revision that was made; undoing it is redoing. Null for a preview. */
  revision: string | null;
  revisions: number;
  /** Rules that notes break again. */
  broken: { path: string; issues: string[] }[];
};

/** An identity. Null: all folders, all tools, not known. */
export type Who = {
  name: string;
  rights: string;
  folders: string[] | null;
  surfaces: string[] | null;
  made: string | null;
  /** When it last called, where that is kept. */
  lastUse: string | "never" | null;
  /** It signs in by OAuth, with the owner's consent. */
  signsIn: boolean;
  /** For every vault that this user serves. */
  everywhere: boolean;
};

export type NoteLink = { target: string; path: string | null };
export type Backlink = { path: string; title: string; line: number; context: string };
export type Note = NoteValue & {
  /** Its fields as text, for people. */
  shownFields: { name: string; value: string }[];
  /** Where the links in it lead, by the target as it is written. */
  links: NoteLink[];
  /** What it breaks of the rules of its folder. */
  rules: { folder: string; issues: string[] } | null;
  /** As it was, where an older version was asked for, and when that was. */
  at: string | null;
  recorded: string | null;
};
export type Backlinks = { links: Backlink[]; total: number; more: boolean; indexing: string | null };
/** How a note begins, or a section of it; bounded. */
export type Preview = { path: string; title: string; text: string; cut: boolean; links: NoteLink[] };

/** Notes around one, by links: places in `notes` are what `links` joins. */
export type Graph = {
  notes: { path: string; title: string; depth: number }[];
  links: [from: number, to: number][];
  /** How many there are in all; at most 300 are given. */
  total: number;
};

export type CheckGroup = {
  name: string;
  what: string;
  next: string;
  count: number;
  needsPerson: boolean;
};
/** `number` tells one check from the next. */
export type Check = { number: number; notes: number; groups: CheckGroup[] };
/** Some findings of a group, of the last check. `kept`: how many of them can be looked at. `link`: a broken link, where it stands and what it leads to. */
export type Findings = {
  findings: { path: string; detail: string; link?: { line: number; target: string; lacks: string } }[];
  more: boolean;
  kept: number;
};
export type BaseView = {
  name: string;
  description: string;
  folder: string;
  rules: { folder: string; says: string[] }[];
};

/** A place in the text that was sent, and what stands there now. */
export type Brought = { from: number; to: number; text: string };
/** What became of a save; never the text itself, so that no answer fails for its size once the note is written. `version` is the note's own from then on. */
export type Saved =
  | { kind: "saved"; version: string; revision: string | null }
  /** `brought`: what others wrote; null where it is too much for an answer. */
  | { kind: "merged"; version: string; revision: string | null; brought: Brought[] | null }
  /** Both changed the same lines: nothing was written. `diff` leads from their text, of that version, to the person's. */
  | { kind: "conflict"; version: string; diff: TextDiff }
  /** It would break rules of its folder: nothing was written. */
  | { kind: "broken"; issues: { field: string; says: string }[] };
export type Completion = { label: string; detail: string };

export type ProposedNote = {
  path: string;
  origin: string | null;
  kind: "new" | "edited" | "moved" | "removed";
  /** The size, in words, of a file that is no note, which is moved, removed or brought back as it is. */
  file: string | null;
};
/** A change that waits. Its id is another once it has grown. */
export type Proposal = {
  id: string;
  by: string;
  tool: string;
  message: string;
  last: string;
  /** The first of its notes, of so many. */
  notes: ProposedNote[];
  touched: number;
  /** How many other notes have links that follow. */
  linking: number;
};
export type Proposals = { proposals: Proposal[]; total: number; more: boolean };
/** Some notes of it, from the place that was asked for. `blocked`: how many of all cannot be accepted as they are; `removes`: whether one is to go. */
export type ShownProposal = Proposal & {
  more: boolean;
  blocked: string[];
  removes: boolean;
  shown: (ProposedNote & {
    /** The version that is there now. */
    seen: string | null;
    diff: TextDiff | null;
    /** What accepting writes, or what was proposed where that is in conflict. */
    text: string | null;
    conflict: { reason: string; now: string | null } | null;
  })[];
};

/** How many notes were written, by which revision; and the id by which the others stay open. */
export type Decided = { notes: number; revision: string | null; left: string | null };

/** One call of a client, without a word of what it said. */
export type Call = {
  id: number;
  at: string;
  who: string;
  program: string;
  surface: string;
  tool: string;
  paths: string[];
  outcome: string;
  milliseconds: number;
};
export type Calls = { calls: Call[]; more: boolean };
