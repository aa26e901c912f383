/** Change: what happens to one note. Changeset: one mutation, planned by pure code, put in place by one function. */

import type { Note } from "./note.ts";
import type { NotePath } from "./paths.ts";
import type { Version } from "./parts.ts";

/** Who asks, for the history and for a place to report to. */
export type Who = {
  client: string;
  surface: string;
  tool: string;
  connection: string;
  signal?: AbortSignal;
  progress?: (done: number, total: number, message: string) => void;
};

export type Change = {
  path: NotePath;
  from?: NotePath;
  before: Note | null;
  after: Note | null;
  why: "asked" | "backlink" | "outside";
};
export type Changeset = { message: string; changes: Change[]; dryRun: boolean; revision: string | null; trash: string | null };
export type How = {
  expect?: Version | "absent";
  dryRun?: boolean;
  message?: string;
  /** Looks at the planned changes inside the write lock, before anything is written; refuses by throwing a NoteError. */
  guard?: (changes: readonly Change[]) => Promise<void>;
};
