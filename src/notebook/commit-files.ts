/** Files in a change that are no notes, or are removed: where they go in the trash, and what the index learns of them. */

import { readCanvasLinks } from "../markdown/canvas-links.ts";
import { atOnce } from "../markdown/steps.ts";
import type { AttachmentRow } from "./attachments.ts";
import type { Change } from "./change.ts";
import type { Committing } from "./commit.ts";
import type { Note } from "./note.ts";
import type { Parts, Stat } from "./parts.ts";
import { isNote, type AttachmentPath, type NotePath, type TrashPath } from "./paths.ts";
import { isCanvas } from "./pointer.ts";

/** Where in the trash each removed file goes. What the history holds only a pointer to always goes there. */
export async function trashFor(
  { store }: Parts,
  how: Committing,
  changes: readonly Change[],
): Promise<{ trash: TrashPath | null; placeOf(change: Change): TrashPath | null }> {
  const kept = (path: NotePath): boolean =>
    typeof how.trash === "object" ? how.trash.has(path) : how.trash === true;
  const removed = changes.filter(({ after, path }) => after === null && (kept(path) || !isNote(path)));
  const going = removed.map((change) => {
    const folder = typeof how.folder === "object" ? how.folder.get(change.path) : how.folder;
    return { change, whole: folder ?? change.path };
  });
  const wholes = [...new Set(going.map(({ whole }) => whole))];
  const free = wholes.length === 0 ? [] : await store.trashPlaces(wholes);
  const placeFor = new Map(wholes.map((whole, at) => [whole, free[at]!]));
  const places = new Map(
    going.map(({ change, whole }) => [
      change,
      `${placeFor.get(whole)!}${change.path.slice(whole.length)}` as TrashPath,
    ]),
  );
  const [first = null] = free;
  return { trash: how.trash ? first : null, placeOf: (change) => places.get(change) ?? null };
}

/** A larger canvas is read again once the lock is let go: nobody may be kept waiting for it. */
const READ_AT_ONCE = 128 * 1024;

/** What a change does to the attachments that the index knows, with the links of canvases. */
export function attachmentRows(changes: readonly Change[], stats: readonly (Stat | null)[]): AttachmentRow[] {
  const rows = new Map<string, AttachmentRow>();
  const put = (path: string, stat: Stat | null, after: Note | null): void => {
    const row = { path: path as AttachmentPath, stat };
    const read = after?.text != null && isCanvas(path) && after.bytes.length <= READ_AT_ONCE;
    rows.set(path, read ? { ...row, links: atOnce(readCanvasLinks(after.text!)) } : row);
  };
  const attached = [...changes.entries()].filter(([, { path }]) => !isNote(path));
  for (const [, { path, from, after }] of attached)
    for (const gone of [from, after ? undefined : path]) if (gone !== undefined) put(gone, null, null);
  for (const [at, { path, after }] of attached) if (after) put(path, stats[at] ?? null, after);
  return [...rows.values()];
}
