/** Canvases: their links follow what is moved, and are marked where it is removed. One that cannot be read as a canvas is named, and left alone. */

import { canvasStrings, withStrings, type CanvasString } from "../markdown/canvas.ts";
import { NoteError } from "../markdown/errors.ts";
import { readNote, type ParsedNote } from "../markdown/note.ts";
import {
  marksOf,
  relink,
  targetAfter,
  unlink,
  type Gone,
  type Relinked,
  type Relinking,
} from "./backlinks.ts";
import type { Change, Plan, Who } from "./change.ts";
import { draft, load } from "./load.ts";
import type { Parts } from "./parts.ts";
import { isNote, withoutEnding, type LinkedPath, type NotePath } from "./paths.ts";
import { CANVAS_LIMIT } from "./pointer.ts";
import { foldKey, meaningOf } from "./resolve.ts";
import { breather, inTurns } from "./turns.ts";

/** The most canvases that one change looks into, and bytes of them; others are named, and left alone. */
const CANVASES = 2000;
const BYTES = 64 * 1024 * 1024;

/** What becomes of the links of one canvas: of the Markdown in a node, and of the path that another names (null: nothing). */
type Rewriting = {
  text(text: string, marks: ReturnType<typeof marksOf>): Promise<Relinked>;
  path(path: string): string | null;
};

/** Null where it is no canvas. */
async function rewritten(json: string, how: Rewriting): Promise<Relinked | null> {
  const strings = canvasStrings(json);
  if (strings === null) return null;
  const values = new Map<CanvasString, string>();
  let links = 0;
  for (const string of strings) {
    const { kind, value } = string;
    if (kind === "subpath") continue;
    if (kind === "text") {
      const parsed: ParsedNote = await inTurns(readNote(value));
      const relinked = await how.text(value, marksOf(parsed));
      links += relinked.links;
      if (relinked.text !== value) values.set(string, relinked.text);
      continue;
    }
    const path = how.path(value);
    if (path === null) continue;
    links++;
    values.set(string, path);
  }
  return { text: withStrings(json, values), links };
}

/** The text of a canvas that stands at `source` and will stand at `at`, with its links as they must be; null where it is no canvas. */
export function relinkCanvas(
  text: string,
  source: LinkedPath,
  at: LinkedPath,
  how: Relinking,
): Promise<Relinked | null> {
  const newTarget = targetAfter(source, at, how);
  return rewritten(text, {
    text: (value, marks) => inTurns(relink(value, marks, source, at, how)),
    // A node names its file by the whole path, so it is read from the root.
    path: (value) => newTarget({ form: "markdown", target: `/${value}` })?.slice(1) ?? null,
  });
}

/** What is removed is marked: links in texts as those of a note; a node keeps the folder of its file. */
export function unlinkCanvas(text: string, source: LinkedPath, gone: Gone): Promise<Relinked | null> {
  return rewritten(text, {
    text: (value, marks) => inTurns(unlink(value, marks, source, gone)),
    path(value) {
      const meant = meaningOf({ form: "markdown", target: `/${value}` }, source, gone.lookup);
      if (meant === null || !gone.paths.has(meant)) return null;
      return `${withoutEnding(meant)} (deleted)${isNote(meant) ? ".md" : ""}`;
    },
  });
}

type Wanted = (path: LinkedPath) => boolean;

/** The canvases whose links must follow the moves; those that move themselves are left to whoever moves them. */
export const relinkCanvases = (
  parts: Parts,
  how: Relinking,
  rewrites: boolean,
  who: Who,
  wanted: Wanted,
): Promise<Plan> =>
  changedCanvases(parts, how.keys, { rewrites, who, wanted }, (text, path) =>
    relinkCanvas(text, path, path, how),
  );

/** The canvases with links to what is removed. */
export const unlinkCanvases = (
  parts: Parts,
  gone: Gone,
  rewrites: boolean,
  who: Who,
  wanted: Wanted,
): Promise<Plan> =>
  changedCanvases(parts, gone.keys, { rewrites, who, wanted }, (text, path) =>
    unlinkCanvas(text, path, gone),
  );

/** What becomes of the canvases that hold a link by one of these names, and of those of which nobody knows. */
async function changedCanvases(
  parts: Parts,
  keys: Iterable<string>,
  { rewrites, who, wanted }: { rewrites: boolean; who: Who; wanted: Wanted },
  rewrite: (text: string, path: LinkedPath) => Promise<Relinked | null>,
): Promise<Plan> {
  const plan: Required<Pick<Plan, "changes" | "backlinkers" | "mayRefer">> = {
    changes: [],
    backlinkers: [],
    mayRefer: [],
  };
  const { attachments } = parts.index;
  const names = new Set([...keys].map(foldKey));
  const known = [
    ...attachments.canvasesUnder(names),
    ...attachments.canvases("unread"),
    ...attachments.canvases("unreadable"),
  ];
  const breathe = breather();
  let bytes = 0;
  for (const [at, path] of [...new Set(known)].filter(wanted).toSorted().entries()) {
    who.signal?.throwIfAborted();
    await breathe();
    const size = (await parts.store.stat(path))?.size ?? 0;
    const tooMuch = at >= CANVASES || size > CANVAS_LIMIT || bytes + size > BYTES;
    const before = tooMuch ? null : await load(parts, path as string as NotePath);
    bytes += before?.bytes.length ?? 0;
    const relinked = before?.text == null ? null : await rewrite(before.text, path).catch(unwritable);
    if (relinked === null) plan.mayRefer.push(path);
    if (!relinked || relinked.links === 0) continue;
    plan.backlinkers.push({ path: before!.path, links: relinked.links, rewritten: rewrites });
    if (!rewrites) continue;
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
