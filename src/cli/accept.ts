/** The command `accept`: writes what a client proposed, and shows what that does. */

import { NoteError } from "../markdown/errors.ts";
import { escaped } from "../markdown/label.ts";
import { encodeText } from "../notebook/note.ts";
import type { ProposalConflict } from "../notebook/proposals/accepting.ts";
import { decisionIn, foldersOf, ownerAt } from "./deciding.ts";
import { diffText, linesBetween, sidesOf } from "./diff-text.ts";
import { say, withVault } from "./opened-vault.ts";
import { pasted } from "./shell-word.ts";
import type { Environment, Settings } from "./settings.ts";
import { painter } from "./terminal.ts";

const bytesOf = (text: string | null): Uint8Array | null => (text === null ? null : encodeText(text));

function showConflicts(error: NoteError, environment: Environment): void {
  const paint = painter(process.stderr, environment);
  for (const { path, reason, now, proposed } of (error.details["conflicts"] ?? []) as ProposalConflict[])
    say(
      `${paint(1, escaped(path))}: it ${escaped(reason)} (- as it is now, + as proposed)\n${linesBetween(bytesOf(now), bytesOf(proposed), paint)}`,
    );
}

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { id, vault, notes } = decisionIn("accept", settings);
  const dryRun = settings.values["dry-run"] !== undefined;
  const opening = { call: "accept ID ~/Notes", folder: vault, to: dryRun ? "look" : "change" } as const;
  await withVault(opening, settings, environment, async (open) => {
    if (dryRun) await open.notebook.refresh();
    const { proposals } = open.notebook.as(ownerAt("accept", settings));
    try {
      const folders = await foldersOf(proposals, id, environment);
      const { changes, revision } = await proposals.accept(id, {
        dryRun,
        ...(notes === undefined ? {} : { notes }),
        ...(folders === undefined ? {} : { folders }),
      });
      const paint = painter(process.stdout, environment);
      const sides = sidesOf(changes);
      process.stdout.write(sides.map((it) => diffText(it, paint)).join("\n"));
      const what = sides.length === 1 ? "one note" : `${sides.length} notes`;
      if (sides.length === 0) return say("All of it is there already.");
      if (dryRun) return say(`This would change ${what}. Nothing was written.`);
      const short = revision?.slice(0, 10);
      say(
        `Accepted: ${what} changed.${short ? ` It is revision ${short}; to take that back: ${pasted(["undo", short], open.vault)}` : ""}`,
      );
    } catch (error) {
      if (error instanceof NoteError && error.code === "version_conflict") showConflicts(error, environment);
      throw error;
    }
  });
};
