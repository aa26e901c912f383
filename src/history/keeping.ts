/** Keeping: where a history keeps its revisions, as its core sees it. There are two makers: a folder (folder-keeping.ts) and rows (rows.ts) (decision 23). */

import type { Change } from "../notebook/change.ts";
import type { Head, Made } from "./commits.ts";
import type { Kind, NewObject } from "./objects.ts";
import type { ReadObject } from "./trees.ts";

/** Commits that are made, but do not count yet. */
export type Staged = {
  /** Makes them count, once what they are made of is kept. */
  set(): Promise<void>;
  drop(): void;
  /** Given where the index is in the same database: makes them count inside its transaction, in place of `set`. */
  alongside?: () => void;
};

/** Objects of a first recording, put in beside the lock. Nothing says yet that they matter. */
export type Gathering = {
  has(id: string): boolean;
  /** An object that is there already is not put in again; of one like another, only what differs. */
  add(kind: Kind, body: Uint8Array, like?: NewObject["like"]): Promise<void>;
  /** What was added is kept from here on. */
  end(): Promise<void>;
};

/** Only inside the vault's lock, but for `head`, `read` and `gather`. */
export type Keeping = {
  /** The newest revision. */
  head(): Promise<Head>;
  read: ReadObject;
  /** Begins a revision, which counts once it is `set`. `large`: most of it was gathered already. */
  stage(made: Made, size?: "large"): Promise<Staged>;
  gather(): Gathering;
  /** Puts what waits to be put in order there; false where nothing did. */
  flush(): Promise<boolean>;
  /** Does work on a history that is ready, and once more where it had to be repaired first. `beginning: false`: throws where there is none any more. */
  repairing<T>(work: () => Promise<T>, how: { beginning: boolean }): Promise<T>;
  /** Whether it is not the one that was made ready: it was taken away, or another is in its place. */
  isAnother(): boolean;
  /** Whether a change that failed is partly in place: then it is finished, and recorded, by whoever next holds the lock. */
  isBegun(changes: readonly Change[]): boolean;
  /** Sentences for a person. */
  troubles(): string[];
};
