/** move_notes and delete_note: where notes are, with the links to them kept in order. Exact paths only. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";
import type { Change } from "../../../notebook/change.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { carriedTo, folderPath, type NotePath } from "../../../notebook/paths.ts";
import { EDITS, REMOVES, tool } from "../../surface.ts";
import { byExactPaths, checkVersion, exactNote, exactPath } from "../address.ts";
import { changedAnswer } from "../changed.ts";
import { CHANGED, dry_run } from "./parameters.ts";

/** The most notes that one call moves; a folder counts as the notes in it. */
const MOVES_LIMIT = 10_000;

export const moveNotes = tool({
  name: "move_notes",
  description:
    "Move or rename notes and folders (written with / at the end), all or nothing; links to them are rewritten.",
  annotations: { ...EDITS, title: "Move notes" },
  input: z.object({
    moves: z.array(z.object({ from: z.string(), to: z.string() })),
    leave_links: z.boolean().optional(),
    dry_run,
  }),
  output: CHANGED,
  async run(notebook, { moves, leave_links, dry_run: dryRun = false }) {
    if (moves.length === 0) throw new NoteError("input_refused", "moves is empty. Give at least one.");
    const backlinks = leave_links ? "leave" : "rewrite";
    const names = moves.flatMap(({ from, to }) => [from, to]);
    return byExactPaths(notebook, names, async () => {
      const all = await allMoves(notebook, moves);
      return changedAnswer(await notebook.move(all, { dryRun, backlinks, guard: sameVersions(all) }));
    });
  },
});

async function allMoves(notebook: Notebook, moves: readonly { from: string; to: string }[]): Promise<Move[]> {
  const all: Move[] = [];
  for (const move of moves) all.push(...(await movesFor(notebook, move)));
  if (all.length > MOVES_LIMIT)
    throw new NoteError(
      "input_refused",
      `These are ${all.length} notes; one call moves at most ${MOVES_LIMIT}. Move subfolders one by one.`,
    );
  const seen = new Set<NotePath>();
  for (const { from } of all) {
    if (seen.has(from)) throw new NoteError("input_refused", `"${from}" is to be moved twice. Name it once.`);
    seen.add(from);
  }
  return all;
}

type Move = { from: NotePath; to: NotePath; version?: string | null };

/** A note that was named with its version is only touched while it has that. */
const sameVersions =
  (named: readonly { from: NotePath; version?: string | null }[]) =>
  async (changes: readonly Change[]): Promise<void> =>
    named.forEach(({ from, version = null }, at) => checkVersion(changes[at]?.before ?? null, from, version));

async function movesFor(notebook: Notebook, move: { from: string; to: string }): Promise<Move[]> {
  const { from, to } = await asFolder(notebook, move);
  if (!from.endsWith("/") && !to.endsWith("/")) {
    const { path, version } = exactNote(from);
    return [{ from: path, to: exactPath(to), version }];
  }
  // A note goes into a folder under its own name.
  if (!from.endsWith("/")) {
    const { path, version } = exactNote(from);
    const name = path.slice(path.lastIndexOf("/") + 1);
    return [{ from: path, to: carriedTo(folderPath(to), name), version }];
  }
  const [folder, target] = [folderPath(from), folderPath(to)];
  if (folder === target || target.startsWith(`${folder}/`))
    throw new NoteError(
      "input_refused",
      `"${folder}/" cannot be moved to "${target}/", which lies in it or is itself.`,
    );
  await notebook.ready();
  const { notes } = await notebook.find({ folder, deep: true }, { limit: MOVES_LIMIT + 1, sort: "path" });
  if (notes.length === 0)
    throw new NoteError("note_missing", `There is no note in a folder "${folder}/".`, { path: folder });
  return notes.map(({ path }) => ({ from: path, to: carriedTo(target, path.slice(folder.length + 1)) }));
}

/** A name that only a folder has means the folder, also without a slash at its end. */
async function asFolder(
  notebook: Notebook,
  { from, to }: { from: string; to: string },
): Promise<{ from: string; to: string }> {
  if (from.endsWith("/") || from.endsWith(".md") || from.includes(".md@")) return { from, to };
  const { path } = exactNote(from);
  const page = { limit: 1, sort: "path" } as const;
  if ((await notebook.find({ path }, page)).total > 0) return { from, to };
  const parent = from.slice(0, Math.max(0, from.lastIndexOf("/")));
  const isFolder = (await notebook.folders(parent)).some(({ name }) => name === from.normalize("NFC"));
  return isFolder ? { from: `${from}/`, to: to.endsWith("/") ? to : `${to}/` } : { from, to };
}

export const deleteNote = tool({
  name: "delete_note",
  description: "Move a note to the trash. Links to it stay and are listed, or become [[name (deleted)]].",
  annotations: { ...REMOVES, title: "Delete note" },
  input: z.object({ path: z.string(), mark_links: z.boolean().optional(), dry_run }),
  output: CHANGED,
  async run(notebook, { path: written, mark_links, dry_run: dryRun = false }) {
    const { path, version } = exactNote(written);
    const backlinks = mark_links ? "mark" : "leave";
    const guard = sameVersions([{ from: path, version }]);
    return byExactPaths(notebook, [written], async () =>
      changedAnswer(await notebook.remove(path, { trash: true, backlinks, dryRun, guard })),
    );
  },
});
