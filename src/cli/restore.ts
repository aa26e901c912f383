/** The command `restore`: one note as it was. */

import { NoteError } from "../markdown/errors.ts";
import { escaped } from "../markdown/label.ts";
import type { NotePath } from "../notebook/paths.ts";
import { diffText, sidesOf } from "./diff-text.ts";
import { say, withVault, type Opened } from "./opened-vault.ts";
import { noteNamed, wordsIn } from "./recorded.ts";
import { pasted } from "./shell-word.ts";
import { usageError, type Environment, type Settings } from "./settings.ts";
import { painter } from "./terminal.ts";

const WHO = { client: "notewright", surface: "cli", tool: "restore", connection: "" };

/** The newest revision at which the note was there, from this one on backwards (from the newest, for null). */
async function lastThere({ history }: Opened, path: NotePath, from: string | null): Promise<string | null> {
  const log = await history.log({ path, limit: 1000 });
  const start = from === null ? 0 : log.findIndex(({ id }) => id.startsWith(from)) + 1;
  return log.slice(start).find(({ changes }) => changes[0]?.version)?.id ?? null;
}

async function revisionMeant(open: Opened, path: NotePath, written: string | undefined): Promise<string> {
  const { history } = open;
  if (written !== undefined) {
    const { id, changes } = await history.revision(written);
    if (!changes.some((change) => change.path === path && change.version === null)) return id;
    const before = await lastThere(open, path, id);
    throw new NoteError(
      "revision_missing",
      `That revision deleted "${path}".${before ? ` To have it as it was before, give ${before.slice(0, 10)}.` : ""}`,
    );
  }
  const [newest] = await history.log({ path, limit: 1 });
  const deleted = newest?.changes[0]?.version === null;
  const id = deleted ? await lastThere(open, path, null) : null;
  if (id !== null) return id;
  throw usageError(
    `Say which revision of "${path}": notewright restore NOTE REV. notewright history NOTE lists them.`,
  );
}

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { revisions, notes, vault } = wordsIn(settings.rest);
  const [written] = notes;
  if (written === undefined || notes.length > 1 || revisions.length > 1)
    throw usageError("restore takes a note and a revision: notewright restore NOTE [REV] [VAULT]");
  const dryRun = settings.values["dry-run"] !== undefined;

  const opening = { call: "restore NOTE ~/Notes", folder: vault, to: dryRun ? "look" : "recorded" } as const;
  await withVault(opening, settings, environment, async (open) => {
    const path = await noteNamed(open, written, environment);
    const id = await revisionMeant(open, path, revisions[0]);
    const changeset = await open.notebook.as(WHO).restore(path, id, { dryRun });
    const sides = sidesOf(changeset.changes);
    const paint = painter(process.stdout, environment);
    process.stdout.write(sides.map((it) => diffText(it, paint)).join("\n"));
    if (sides.length === 0) say(`"${escaped(path)}" is as it was then.`);
    else if (dryRun) say("Nothing was written.");
    else if (changeset.revision === null) say(`Restored "${escaped(path)}".`);
    else {
      const made = changeset.revision.slice(0, 10);
      say(
        `Restored "${escaped(path)}" as revision ${made}. To take that back: ${pasted(["undo", made], open.vault)}`,
      );
    }
  });
};
