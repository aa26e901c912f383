/** The command `decline`: drops what a client proposed. */

import { decisionIn, ownerAt } from "./deciding.ts";
import { say, withVault } from "./opened-vault.ts";
import type { Environment, Settings } from "./settings.ts";

export const run = async (settings: Settings, environment: Environment): Promise<void> => {
  const { id, vault, notes } = decisionIn("decline", settings);
  const opening = { call: "decline ID ~/Notes", folder: vault, to: "change" } as const;
  await withVault(opening, settings, environment, async ({ notebook }) => {
    const { proposals } = notebook.as(ownerAt("decline", settings));
    await proposals.decline(id, notes === undefined ? {} : { notes });
    say(
      notes === undefined
        ? "Declined. Its text is gone; a line in notewright proposals --closed is left."
        : `Declined: ${notes.length === 1 ? "that note" : "those notes"}. The rest of it still waits.`,
    );
  });
};
