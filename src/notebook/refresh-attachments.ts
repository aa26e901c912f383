/** Attachments of the store compared with those of the index, by stamp alone: they are looked at, and not read, but for canvases. */

import { readCanvasLinks, type CanvasLink } from "../markdown/canvas-links.ts";
import { isPassing, NoteError } from "../markdown/errors.ts";
import type { AttachmentRow, Attachments } from "./attachments.ts";
import { decodeText } from "./note.ts";
import type { Parts, Stat } from "./parts.ts";
import type { AttachmentPath, NotePath } from "./paths.ts";
import { CANVAS_LIMIT } from "./pointer.ts";
import type { FileStamp } from "./stamp.ts";
import { BACKGROUND_TURN, breather, inTurns } from "./turns.ts";

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
      // What came back meanwhile has another stamp by now.
      const gone = [...known].filter(([path, stamp]) => attachments.stamp(path) === stamp);
      if (gone.length > 0) attachments.put(gone.map(([path]) => ({ path, stat: null })));
      return changed + gone.length;
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

type Reading = Pick<Parts, "store" | "index" | "report">;

/** Reads the canvases that are new or have changed, for their links. */
export async function readCanvases(parts: Reading): Promise<void> {
  const { attachments } = parts.index;
  const breathe = breather(BACKGROUND_TURN);
  for (const path of attachments.canvases("unread")) {
    const began = attachments.stamp(path);
    const row = await canvasRow(parts, path);
    // What was moved, removed or changed meanwhile is no longer what was read.
    if (row && attachments.stamp(path) === began) attachments.put([row]);
    await breathe();
  }
}

/** Null where the store failed: it keeps the links that were read last, and is read again by the next look. */
async function canvasRow({ store, report }: Reading, path: AttachmentPath): Promise<AttachmentRow | null> {
  const stat = await store.stat(path);
  if (stat === null || stat.size > CANVAS_LIMIT) return { path, stat, links: null };
  try {
    const file = await store.read(path as string as NotePath);
    return { path, stat: file, links: file && (await linksIn(file.bytes)) };
  } catch (error) {
    if (error instanceof NoteError && isPassing(error)) return null;
    // Not permitted, or a mistake of ours: it counts as read until its stamp changes, and keeps nothing else from being indexed.
    if (!(error instanceof NoteError))
      report(
        `The links of the canvas ${JSON.stringify(path)} could not be read. They do not follow when what it shows is moved.`,
        error,
      );
    return { path, stat, links: null };
  }
}

/** Null where it is no canvas. */
export async function linksIn(bytes: Uint8Array): Promise<CanvasLink[] | null> {
  const text = decodeText(bytes);
  return text === null ? null : inTurns(readCanvasLinks(text));
}
