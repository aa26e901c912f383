/** What waits to be recorded, as a table that every process of one index shares (decision 18). */

import type { Version } from "./parts.ts";
import type { FilePath } from "./paths.ts";

/** A note that another program changed. */
export type PendingEdit = {
  path: FilePath;
  /** With which it was last seen while it was there; null where it has not been looked at yet. */
  version: Version | null;
  /** It was there before and is there now; all others came, went, or have not been looked at. */
  edited: boolean;
  /** When that was first seen to be so, and when it was last seen to change. */
  first: Date;
  last: Date;
};

/** The table. Synchronous, like the index. */
export type PendingEdits = {
  /** Paths that wait already stay as they are. */
  add(paths: readonly FilePath[], at: Date): void;
  /** One as it is now. The same once more is no change. */
  saw(path: FilePath, version: Version | null, edited: boolean, at: Date): void;
  drop(paths: readonly FilePath[]): void;
  has(path: FilePath): boolean;
  all(): PendingEdit[];
};
