/** Canvases: their links follow what is moved. One that cannot be read as a canvas is named, and left alone. */

import { canvasStrings, withStrings, type CanvasString } from "../markdown/canvas.ts";
import { NoteError } from "../markdown/errors.ts";
import { readNote } from "../markdown/note.ts";
import { marksOf, relink, targetAfter, type Relinked, type Relinking } from "./backlinks.ts";
import type { Change, Plan, Who } from "./change.ts";
import { draft, load } from "./load.ts";
import type { Parts } from "./parts.ts";
import type { LinkedPath, NotePath } from "./paths.ts";
import { CANVAS_LIMIT, isCanvas } from "./pointer.ts";
import { breather, inTurns } from "./turns.ts";

/** The most canvases that one change looks into, and bytes of them. */
const CANVASES = 2000;
const BYTES = 64 * 1024 * 1024;

/** The text of a canvas that stands at `source` and will stand at `at`, with its links as they must be; null where it is no canvas. */
export async function relinkCanvas(
  text: string,
  source: LinkedPath,
  at: LinkedPath,
  how: Relinking,
): Promise<Relinked | null> {
  const strings = canvasStrings(text);
  if (strings === null) return null;
  const newTarget = targetAfter(source, at, how);
  const values = new Map<CanvasString, string>();
  let links = 0;
  for (const string of strings) {
    if (string.kind === "text") {
      const marks = marksOf(await inTurns(readNote(string.value)));
      const relinked = await inTurns(relink(string.value, marks, source, at, how));
      links += relinked.links;
      if (relinked.text !== string.value) values.set(string, relinked.text);
      continue;
    }
    // A node names its file by the whole path, so it is read from the root.
    const target = newTarget({ form: "markdown", target: `/${string.value}` });
    if (target === null) continue;
    links++;
    values.set(string, target.slice(1));
  }
  return { text: withStrings(text, values), links };
}

/** The canvases whose links must follow the moves; those that move themselves are left to whoever moves them. */
export async function relinkCanvases(
  parts: Parts,
  how: Relinking,
  rewritten: boolean,
  who: Who,
  wanted: (path: LinkedPath) => boolean,
): Promise<Plan> {
  const plan: Required<Pick<Plan, "changes" | "backlinkers" | "mayRefer">> = {
    changes: [],
    backlinkers: [],
    mayRefer: [],
  };
  const breathe = breather();
  let bytes = 0;
  const known = [...parts.index.attachments.stamps().keys()].filter((path) => isCanvas(path) && wanted(path));
  for (const path of known.toSorted().slice(0, CANVASES)) {
    who.signal?.throwIfAborted();
    await breathe();
    const size = (await parts.store.stat(path))?.size ?? 0;
    const before =
      size > CANVAS_LIMIT || bytes + size > BYTES ? null : await load(parts, path as string as NotePath);
    bytes += before?.bytes.length ?? 0;
    const relinked =
      before?.text == null ? null : await relinkCanvas(before.text, path, path, how).catch(unwritable);
    if (relinked === null) plan.mayRefer.push(path);
    if (!relinked || relinked.links === 0) continue;
    plan.backlinkers.push({ path: before!.path, links: relinked.links, rewritten });
    if (!rewritten) continue;
    const after = await draft(parts, before!.path, relinked.text);
    plan.changes.push({ path: before!.path, before: before!, after, why: "backlink" } satisfies Change);
  }
  return plan;
}

/** A name that no link can hold: the canvas is named, and left alone. */
function unwritable(error: unknown): null {
  if (error instanceof NoteError && error.code === "path_refused") return null;
  throw error;
}
