/** Plans: what a write, edit, move or removal would change, worked out from the bytes that are there, before anything is written. */

import type { Edit } from "../markdown/edits.ts";
import { NoteError } from "../markdown/errors.ts";
import { headingsOf, readHeadings, type Heading } from "../markdown/sections.ts";
import { marksOf, relink, relinking, type Moves } from "./backlinks.ts";
import { relinkCanvas } from "./canvases.ts";
import type { Change, How, Plan, Who } from "./change.ts";
import { relinkOthers, remembering, unlinkOthers } from "./linking-notes.ts";
import { draft, load, missing, twins } from "./load.ts";
import { mayRefer } from "./may-refer.ts";
import { LONG, makeNote, textOf, type Note } from "./note.ts";
import type { Parts } from "./parts.ts";
import {
  checkNotInside,
  FILES_LIMIT,
  filesIn,
  movedFolders,
  wholeFolder,
  type Folders,
} from "./folder-tree.ts";
import {
  breaksHandles,
  carriedTo,
  isNote,
  nameOf,
  oddSegments,
  refused,
  type LinkedPath,
  type NotePath,
} from "./paths.ts";
import { isCanvas } from "./pointer.ts";
import { breather, inTurns } from "./turns.ts";

/** Characters that the edits of one note may go through in one call: as many times its length as there are edits. */
const EDIT_BUDGET = 32 * 1024 * 1024;

export type Move = { from: LinkedPath; to: LinkedPath; edits?: Edit[] };
/** A folder with all that it holds. */
export type FolderMove = { folder: string; to: string };
/** A note as it is before the first edit of a call. Its headings are found when they are asked for: in a long note that takes a while. */
export type Before = { text: string; headings(): readonly Heading[] };
/** Edits in order; or what makes them from the note as it is then. A plan may be made several times, so both are pure. */
export type Edits = readonly Edit[] | ((before: Before) => readonly Edit[]);
export type EditOf = { path: NotePath; edits: Edits; orCreate?: string };

export async function planWrite(parts: Parts, path: NotePath, text: string, how: How): Promise<Plan> {
  const before = await load(parts, path);
  const after = await draft(parts, before?.path ?? path, text);
  if (how.expect === "absent" && before) throw exists(before.path);
  if (!before) await checkNew(parts, path, how);
  return { changes: [{ path: after.path, before, after, why: "asked" }], backlinkers: [] };
}

export async function planEdit(parts: Parts, wanted: readonly EditOf[], how: How): Promise<Plan> {
  const changes: Change[] = [];
  for (const { path, edits, orCreate } of wanted) {
    const before = await load(parts, path);
    if (!before && orCreate === undefined) throw await missing(parts, path);
    if (!before) await checkNew(parts, path, how);
    if (how.expect === "absent" && before) throw exists(before.path);
    const first = before ? textOf(before) : orCreate!;
    const made = typeof edits === "function" ? edits(seenBefore(first, before)) : edits;
    const text = await edited(path, first, made, before);
    const after = await draft(parts, before?.path ?? path, text);
    changes.push({ path: after.path, before, after, why: "asked" });
  }
  return { changes, backlinkers: [] };
}

export async function planMove(
  parts: Parts,
  asked: readonly (Move | FolderMove)[],
  how: How & { backlinks?: "rewrite" | "leave" },
  who: Who,
): Promise<Plan> {
  const { wanted, folders } = await allMoves(parts, asked);
  const moved: { note: Note; to: NotePath; edits: Edit[] }[] = [];
  for (const [at, { from, to, edits }] of wanted.entries()) {
    who.signal?.throwIfAborted();
    checkEnding(from, to);
    const note = await load(parts, from as NotePath);
    if (!note) throw await missing(parts, from as NotePath);
    moved.push({ note, to: to as NotePath, edits: edits ?? [] });
    if (at % 100 === 0) who.progress?.(at + 1, wanted.length, "reading what is to move");
  }
  const moves: Moves = new Map(moved.map(({ note, to }) => [note.path, to]));
  for (const { note, to } of moved)
    if (to !== note.path) await checkArrival(parts, note.path, to, moves, how);
  const relinked = relinking(moves, remembering(parts.index.lookup));

  const changes: Change[] = [];
  for (const { note, to, edits } of moved) {
    let text = note.text;
    if (text !== null && isCanvas(note.path))
      text = (await relinkCanvas(text, note.path, to, relinked))?.text ?? text;
    else if (text !== null) text = (await inTurns(relink(text, marksOf(note), note.path, to, relinked))).text;
    else if (edits.length > 0) textOf(note);
    if (text !== null) text = await edited(note.path, text, edits, note);
    const after =
      text === null ? makeNote(to, note.bytes, note.version, note.modified) : await draft(parts, to, text);
    const from = to === note.path ? {} : { from: note.path };
    changes.push({ path: to, ...from, before: note, after, why: "asked" });
  }
  const others = await relinkOthers(parts, moves, how, who, (path) => !moves.has(path));
  return {
    changes: [...changes, ...others.changes],
    backlinkers: others.backlinkers,
    folders,
    mayRefer: [
      ...(others.mayRefer ?? []),
      ...(await mayRefer(
        parts,
        relinked,
        asked.flatMap((move) => ("folder" in move ? [move.folder] : [])),
        who,
      )),
    ],
  };
}

/** Files as they are named, and folders with all they hold. */
async function allMoves(
  parts: Parts,
  asked: readonly (Move | FolderMove)[],
): Promise<{ wanted: Move[]; folders: Folders }> {
  const wanted: Move[] = [];
  const folders: Folders[number][] = [];
  for (const move of asked) {
    if ("from" in move) {
      wanted.push(move);
      continue;
    }
    const { folder, to } = move;
    checkNotInside(folder, to);
    const tree = await wholeFolder(parts, folder);
    for (const from of filesIn(tree)) wanted.push({ from, to: carriedTo(to, from.slice(folder.length + 1)) });
    for (const moved of await movedFolders(parts, tree, folder, to)) folders.push(moved);
  }
  if (wanted.length > FILES_LIMIT)
    throw new NoteError(
      "input_refused",
      `These are ${wanted.length} files; one call moves at most ${FILES_LIMIT}. Move subfolders one by one.`,
    );
  const seen = new Set<string>();
  for (const { from } of wanted) {
    if (seen.has(from)) throw new NoteError("input_refused", `"${from}" is to be moved twice. Name it once.`);
    seen.add(from);
  }
  return { wanted, folders };
}

/** The ending says what kind of file it is: a note stays one, and so does an image. */
function checkEnding(from: LinkedPath, to: LinkedPath): void {
  const ending = (path: string): string => /\.[^./]*$/.exec(path)?.[0].toLowerCase() ?? "";
  if (ending(from) !== ending(to))
    throw refused(
      to,
      `does not end in "${ending(from)}" as "${from}" does; a file keeps its kind when it is moved`,
    );
}

export async function planRemove(
  parts: Parts,
  what: LinkedPath | { folder: string },
  how: How & { backlinks?: "mark" | "leave" },
  who: Who,
): Promise<Plan> {
  const tree = typeof what === "string" ? null : await wholeFolder(parts, what.folder);
  const gone: Note[] = [];
  for (const path of tree ? filesIn(tree) : [what as NotePath]) {
    who.signal?.throwIfAborted();
    const note = await load(parts, path as NotePath);
    if (!note) throw await missing(parts, path as NotePath);
    gone.push(note);
  }
  const changes = gone.map((note): Change => ({ path: note.path, before: note, after: null, why: "asked" }));
  const paths = new Set(gone.map(({ path }) => path));
  const others = await unlinkOthers(parts, gone, how, who, (other) => !paths.has(other));
  return {
    changes: [...changes, ...others.changes],
    backlinkers: others.backlinkers,
    folders: tree ? tree.folders.map((folder) => [folder, ""] as const) : [],
    mayRefer: others.mayRefer ?? [],
  };
}

const exists = (path: NotePath): NoteError =>
  new NoteError(
    "note_exists",
    isNote(path)
      ? `There is already a note "${path}". Choose another name, or edit that one.`
      : `There is already a file "${path}". Choose another name.`,
    { path, name: nameOf(path) },
  );

/** Names bind where a caller chooses them. A folder that is there may have an odd one, and so may what a moved note takes along: its own name, and the folders that go with it. */
async function checkNames(parts: Parts, path: NotePath, how: How, from?: NotePath): Promise<void> {
  const segments = path.split("/");
  const carried = segments.length - (from === undefined ? 0 : sharedEnd(from.split("/"), segments));
  for (const { at, segment, reason } of oddSegments(path, how)) {
    if (at >= carried) continue;
    const isFolder = at < segments.length - 1 && !breaksHandles(segment);
    if (isFolder && (await parts.store.folder(segments.slice(0, at + 1).join("/")))) continue;
    throw refused(path, reason);
  }
}

function sharedEnd(a: readonly string[], b: readonly string[]): number {
  let count = 0;
  while (count < Math.min(a.length, b.length) && a.at(-1 - count) === b.at(-1 - count)) count++;
  return count;
}

export async function checkNew(parts: Parts, path: NotePath, how: How): Promise<void> {
  await checkNames(parts, path, how);
  const [twin] = twins(parts, path);
  if (twin !== undefined) throw exists(twin);
}

export async function checkArrival(
  parts: Parts,
  from: NotePath,
  to: NotePath,
  moves: Moves,
  how: How,
): Promise<void> {
  await checkNames(parts, to, how, from);
  const there = [to, ...twins(parts, to)].filter((path) => !moves.has(path));
  for (const path of there) if (await parts.store.stat(path)) throw exists(path);
}

const seenBefore = (text: string, note: Note | null): Before => ({
  text,
  headings: () => (note ? note.headings : headingsOf(text)),
});

/** The edits one after another, with turns for others between them: the vault is locked, but the server goes on. */
async function edited(
  path: NotePath,
  first: string,
  edits: readonly Edit[],
  before: Note | null,
): Promise<string> {
  const breathe = breather();
  let text = first;
  let work = 0;
  let headings: readonly Heading[] | null = null;
  let asked = false;
  const known = (): readonly Heading[] => {
    asked = true;
    // A long note was parsed in turns when it was read.
    return (headings ??= before && text === before.text ? before.headings : headingsOf(text));
  };
  for (const edit of edits) {
    work += text.length;
    if (work > EDIT_BUDGET && edits.length > 1)
      throw new NoteError(
        "too_large",
        `So many edits are too much at once for a note as long as "${path}". Nothing was changed; send about ${Math.max(1, Math.floor(EDIT_BUDGET / text.length) - 1)} at a time.`,
        { path, size: text.length, limit: EDIT_BUDGET },
      );
    // An edit that follows one which asked for headings is likely to ask too.
    if (asked && !headings && text.length >= LONG) headings = await inTurns(readHeadings(text));
    const next = edit(text, known);
    if (next !== text) headings = null;
    text = next;
    await breathe();
  }
  return text;
}
