/** Change: what happens to one note. Changeset: one mutation, planned by pure code, put in place by one function (decision 3). */

import type { Folders } from "./folder-tree.ts";
import type { Note } from "./note.ts";
import type { NotePath, TrashPath } from "./paths.ts";
import type { Verdict } from "./rules.ts";
import type { Version } from "./parts.ts";

/** Who asks, for the history and for a place to report to. */
export type Who = {
  client: string;
  surface: string;
  tool: string;
  connection: string;
  /** The name that the program gave itself, where the client is named by its identity. */
  program?: string;
  /** What it may change: nothing, notes once the owner accepts it, notes, or rules too. Everything, where it is left out. */
  rights?: "read" | "propose" | "write" | "admin";
  /** Who accepted the change, where it was proposed. */
  acceptedBy?: string;
  /** The folders it is kept to (folders/view.ts). The whole vault, where it is not said. */
  folders?: readonly string[];
  /** Takes a sentence that is added to the answer. */
  remark?: (sentence: string) => void;
  /** Takes a sentence on what a question is answered from, where a call only reads. */
  notice?: (sentence: string) => void;
  signal?: AbortSignal;
  progress?: (done: number, total: number, message: string) => void;
  /** How long it waits for a first index (waiting.ts): to the deadlines of a call, unless it is set here. */
  patience?: "none" | "endless";
  /** Runs a wait during which the call needs nothing of the server, so that others may have its place. */
  resting?: <T>(wait: () => Promise<T>) => Promise<T>;
  /** How much of the notes the call may hold in memory at once. */
  memory?: {
    /** Asks to hold so many bytes more. Null where there is room; else they are let go, and read again once it resolves. */
    take(bytes: number): Promise<void> | null;
    /** Whether others wait for room. */
    crowded(): boolean;
    /** Nothing that was read so far is held any more. */
    drop(): void;
  };
};

/** What happens to one file. An attachment goes the way of a note, with its pointer for a text (pointer.ts). */
export type Change = {
  path: NotePath;
  from?: NotePath;
  before: Note | null;
  after: Note | null;
  why: "asked" | "backlink" | "outside";
  /** Where a file that comes back lies in the trash. */
  taken?: TrashPath;
};
/** A note that links to what was moved or removed: how often, and whether its links were rewritten. */
export type Backlinker = { path: NotePath; links: number; rewritten: boolean };
/** What a change would do, worked out before anything is written. */
export type Plan = {
  changes: Change[];
  backlinkers: Backlinker[];
  folders?: Folders;
  /** Files that may name by its path what is moved, and that are left as they are. */
  mayRefer?: string[];
};

export type Changeset = {
  message: string;
  changes: Change[];
  backlinkers: Backlinker[];
  dryRun: boolean;
  /** Null where nothing was recorded: a dry run, nothing changed, or no history. */
  revision: string | null;
  /** Rules that an undo or a restore breaks: reported, because a person must always be able to get back. */
  broken: { path: NotePath; verdict: Verdict }[];
  /** Where what was removed was put, if it was kept: a file, or a folder. */
  trash: TrashPath | null;
  /** Files that may name by its path what was moved, and that were left as they are. */
  mayRefer: string[];
};
export type How = {
  expect?: Version | "absent";
  dryRun?: boolean;
  message?: string;
  /** New names were given with `.md`, so that one may end as another kind of file does: `plan.canvas.md`. */
  mdWritten?: boolean;
  /** Looks at the planned changes inside the write lock, before anything is written; refuses by throwing a NoteError. */
  guard?: (changes: readonly Change[]) => Promise<void>;
};
