/** Attachments of the store compared with those of the index, by stamp alone: they are looked at, and not read. */

import type { Attachments } from "./attachments.ts";
import type { Parts, Stat } from "./parts.ts";
import type { AttachmentPath } from "./paths.ts";
import type { FileStamp } from "./stamp.ts";

type Seen = Stat<AttachmentPath>;

/** Takes what was listed, a batch at a time, and at the end what was not: that is gone. */
export function comparing(
  attachments: Attachments,
  known: Map<AttachmentPath, FileStamp>,
): { saw(stats: readonly Seen[]): void; end(): number } {
  let changed = 0;
  return {
    saw(stats) {
      const rows = stats.filter(({ path, stamp }) => known.get(path) !== stamp);
      for (const { path } of stats) known.delete(path);
      changed += rows.length;
      if (rows.length > 0) attachments.put(rows.map((stat) => ({ path: stat.path, stat })));
    },
    end() {
      if (known.size > 0) attachments.put([...known.keys()].map((path) => ({ path, stat: null })));
      return changed + known.size;
    },
  };
}

/** The attachments directly in a folder, and whatever the index still believes to be below one that is gone. */
export function refreshFolder(
  { index: { attachments } }: Pick<Parts, "index">,
  folder: string,
  there: { attachments: readonly Seen[]; folders: readonly string[] },
): void {
  const known = attachments.stamps({ folder, depth: "direct" });
  const left = new Set(there.folders);
  for (const below of attachments.folders(folder))
    if (!left.has(below))
      for (const [path, stamp] of attachments.stamps({ folder: below, depth: "deep" }))
        known.set(path, stamp);
  const compared = comparing(attachments, known);
  compared.saw(there.attachments);
  compared.end();
}

/** One attachment, where it differs from what the index knows. */
export async function refreshOne(
  { store, index: { attachments } }: Pick<Parts, "store" | "index">,
  path: AttachmentPath,
): Promise<void> {
  const stat = await store.stat(path);
  if ((stat?.stamp ?? null) !== attachments.stamp(path)) attachments.put([{ path, stat }]);
}
