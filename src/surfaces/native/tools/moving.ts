/** move_notes and delete_note: where notes, files and folders are, with the links to them kept in order. Exact paths only. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";
import type { Change } from "../../../notebook/change.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { carriedTo, endingOfOther, folderPath, isNote, type LinkedPath } from "../../../notebook/paths.ts";
import type { FolderMove, Move } from "../../../notebook/plan.ts";
import { EDITS, REMOVES, tool } from "../../surface.ts";
import { byExactPaths, checkVersion, exactFile, exactNote } from "../address.ts";
import { changedAnswer } from "../changed.ts";
import { CHANGED, dry_run } from "./parameters.ts";

export const moveNotes = tool({
  name: "move_notes",
  description:
    "Move or rename notes, files and folders (written with / at the end), all or nothing; links to them are rewritten.",
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
      const all: ((Move & Versioned) | FolderMove)[] = [];
      for (const move of moves) all.push(moveOf(await asFolder(notebook, move)));
      return changedAnswer(
        await notebook.move(all, { dryRun, backlinks, guard: sameVersions(all), mdWritten: true }),
      );
    });
  },
});

type Versioned = { from: LinkedPath; version: string | null };

/** A note that was named with its version is only touched while it has that. */
const sameVersions =
  (named: readonly (Versioned | FolderMove)[]) =>
  async (changes: readonly Change[]): Promise<void> => {
    const before = new Map(changes.map((change) => [change.from ?? change.path, change.before]));
    for (const move of named)
      if ("from" in move)
        checkVersion(before.get(move.from as Change["path"]) ?? null, move.from, move.version);
  };

function moveOf({ from, to }: { from: string; to: string }): (Move & Versioned) | FolderMove {
  if (from.endsWith("/")) return { folder: folderPath(from), to: folderPath(to) };
  const { path, version } = exactFile(from);
  // A file goes into a folder under its own name.
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (to.endsWith("/")) return { from: path, to: carriedTo(folderPath(to), name), version };
  // A note may be called `v1.2`; with the ending of another kind of file, a note is not meant.
  const isNoteName = isNote(path) && endingOfOther(to) === null;
  return { from: path, to: (isNoteName ? exactNote(to) : exactFile(to)).path, version };
}

/** A name that only a folder has means the folder, also without a slash at its end. */
async function asFolder(
  notebook: Notebook,
  { from, to }: { from: string; to: string },
): Promise<{ from: string; to: string }> {
  if (from.endsWith("/") || from.endsWith(".md") || from.includes(".md@")) return { from, to };
  if (!isNote(exactFile(from).path)) return { from, to };
  const { path } = exactNote(from);
  const page = { limit: 1, sort: "path" } as const;
  if ((await notebook.find({ path }, page)).total > 0) return { from, to };
  const parent = from.slice(0, Math.max(0, from.lastIndexOf("/")));
  const isFolder = (await notebook.folders(parent)).some(({ name }) => name === from.normalize("NFC"));
  return isFolder ? { from: `${from}/`, to: to.endsWith("/") ? to : `${to}/` } : { from, to };
}

export const deleteNote = tool({
  name: "delete_note",
  description:
    "Move a note, file or folder (with / at the end) to the trash. Links to it stay and are listed, or become [[name (deleted)]].",
  annotations: { ...REMOVES, title: "Delete note" },
  input: z.object({ path: z.string(), mark_links: z.boolean().optional(), dry_run }),
  output: CHANGED,
  async run(notebook, { path: written, mark_links, dry_run: dryRun = false }) {
    const backlinks = mark_links ? "mark" : "leave";
    const how = { trash: true, backlinks, dryRun } as const;
    if (written.endsWith("/"))
      return changedAnswer(await notebook.remove({ folder: folderPath(written) }, how));
    const { path, version } = exactFile(written);
    const guard = sameVersions([{ from: path, version }]);
    return byExactPaths(notebook, [written], async () =>
      changedAnswer(await notebook.remove(path, { ...how, guard })),
    );
  },
});
