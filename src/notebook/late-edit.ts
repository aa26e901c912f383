/** A late edit, as a store hands it over (merge-late.ts puts it together with ours). */

import type { Version } from "./parts.ts";
import type { FilePath, NotePath } from "./paths.ts";

/** What another program wrote into the file of a note in the moment we replaced it. */
export type LateEdit = {
  /** Null where nobody knows any more which note it was, or whether anybody asked for it. */
  path: FilePath | null;
  /** What the file held when it was replaced. */
  base: Version;
  bytes: Uint8Array;
  /** Where the text may be kept apart: free, or holding it already. */
  copy: NotePath;
};
