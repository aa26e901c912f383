/** The command `undo`: takes changes back, and shows what that does. */

import { NoteError } from "../markdown/errors.ts";
import { escaped } from "../markdown/label.ts";
import type { Changeset } from "../notebook/change.ts";
import { requiredMoment } from "../notebook/moments.ts";
import { encodeText } from "../notebook/note.ts";
import type { Revision } from "../notebook/parts.ts";
import type { NotePath } from "../notebook/paths.ts";
import { lastRevisions, namedRevisions } from "../notebook/revisions.ts";
import type { UndoConflict } from "../notebook/undo/one-note.ts";
import { diffText, linesBetween, sidesOf } from "./diff-text.ts";
import { say, withVault, type Opened } from "./opened-vault.ts";
import { noteNamed, sayAuthors, wordsIn } from "./recorded.ts";
import { pasted, shellWord } from "./shell-word.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";
import { painter } from "./terminal.ts";

const WHO = { client: "notewright", surface: "cli", tool: "undo", connection: "" };
const MOST = 100_000;

const NOTHING_LEFT = "There is nothing left to undo.";
const NONE_BY_CLIENTS =
  "There is nothing left to undo of what clients did. Your own edits are undone one by one: notewright history lists them, notewright undo REV takes one back.";

async function chosenRevisions(
  { notebook, history }: Opened,
  ids: readonly string[],
  { last, author, since }: Settings["values"],
): Promise<Revision[]> {
  if (ids.length > 0) return namedRevisions(history, ids);
  // Without a name it is what clients did: a person's own edits are undone only where that is asked for.
  const found = await lastRevisions(history, author === undefined ? "clients" : { author }, {
    ...(since === undefined ? {} : { since: requiredMoment(since, notebook) }),
    ...(last === undefined ? {} : { last: Number(last) }),
    limit: MOST,
  });
  if (found.length === 0 && author !== undefined) await sayAuthors(history, author);
  return found;
}

function checkCall(ids: readonly string[], notes: readonly string[], values: Settings["values"]): void {
  const chosen = values.last !== undefined || values.since !== undefined;
  if (notes.length > 0)
    throw usageError(
      `"${notes[0]}" is neither a revision nor a folder. undo takes revisions; notewright history NOTE lists them.`,
    );
  if (ids.length > 0 && (chosen || values.author !== undefined))
    throw usageError("undo takes either revisions or --last, --author and --since.");
  if (ids.length === 0 && !chosen)
    throw usageError(
      "Say what to undo: notewright undo REV, --last N, or --author NAME --since TIME. See notewright undo --help.",
    );
  if (values.last !== undefined && !/^[1-9]\d{0,4}$/.test(values.last))
    throw usageError("--last is a number from 1 to 99999.");
}

const bytesOf = (text: string | null): Uint8Array | null => (text === null ? null : encodeText(text));

/** Both sides of each note that stopped it, on stderr, and how to go on. */
function showConflicts(error: NoteError, environment: Environment): void {
  const conflicts = (error.details["conflicts"] ?? []) as UndoConflict[];
  const paint = painter(process.stderr, environment);
  for (const { path, reason, now, earlier } of conflicts)
    say(
      `${paint(1, escaped(path))}: ${escaped(reason)} (- as it is now, + as it was)\n${linesBetween(bytesOf(now), bytesOf(earlier), paint)}`,
    );
  const skips = conflicts.map(({ path }) => `--skip ${shellWord(path)}`);
  if (skips.length > 0) say(`To undo the rest without them: ${skips.join(" ")}\n`);
}

function summary({ changes, revision, dryRun, broken }: Changeset, count: number, { vault }: Opened): void {
  for (const { path, verdict } of broken)
    say(
      `"${escaped(path)}" breaks the rules of ${escaped(verdict.constraint.base)} again: ${verdict.issues.map(({ error }) => error).join(", ")}.`,
    );
  const notes = sidesOf(changes).length;
  const what = `${count === 1 ? "a change" : `${count} changes`} in ${notes === 1 ? "one note" : `${notes} notes`}`;
  if (notes === 0) return say(NOTHING_LEFT);
  if (dryRun) return say(`This would undo ${what}. Nothing was written.`);
  const id = revision?.slice(0, 10);
  say(
    `Undid ${what}.${id ? ` It is revision ${id}; to take that back: ${pasted(["undo", id], vault)}` : ""}`,
  );
}

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { values, rest } = settings;
  const { revisions: ids, notes, vault } = wordsIn(rest);
  checkCall(ids, notes, values);
  const dryRun = values["dry-run"] !== undefined;

  const opening = { call: "undo REV ~/Notes", folder: vault, to: dryRun ? "look" : "recorded" } as const;
  await withVault(opening, settings, environment, async (open) => {
    if (dryRun) await open.notebook.refresh();
    const revisions = await chosenRevisions(open, ids, values);
    if (revisions.length === 0) return say(values.author === undefined ? NONE_BY_CLIENTS : NOTHING_LEFT);
    const skip: NotePath[] = [];
    for (const written of values.skip?.split("\n") ?? [])
      skip.push(await noteNamed(open, written, environment));
    try {
      const changeset = await open.notebook.as(WHO).undo(revisions, { dryRun, skip });
      const paint = painter(process.stdout, environment);
      process.stdout.write(
        sidesOf(changeset.changes)
          .map((it) => diffText(it, paint))
          .join("\n"),
      );
      summary(changeset, revisions.length, open);
    } catch (error) {
      if (error instanceof NoteError && error.code === "version_conflict") showConflicts(error, environment);
      throw error;
    }
  });
};
