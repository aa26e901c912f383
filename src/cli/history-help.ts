/** What the commands over the history say about themselves. */

import { flagLines, OUTSIDE_FLAGS, VAULT_FLAGS } from "./help.ts";
import type { Flags } from "./settings.ts";

const ZONE: Flags = {
  "time-zone": {
    value: "ZONE",
    help: "your time zone, such as Europe/Berlin (default: this machine's)",
  },
};
const DRY_RUN: Flags = { "dry-run": { once: true, help: "show what would change, and change nothing" } };
const WHOSE: Flags = {
  author: { value: "NAME", once: true, help: "only what this client or person did" },
  since: { value: "TIME", once: true, help: 'only since then: 14:00, 2026-11-15, "2 hours ago"' },
};

export const HISTORY_FLAGS: Flags = {
  ...WHOSE,
  limit: { value: "N", once: true, help: "how many changes at most (default 20)" },
  json: { once: true, help: "print one JSON object a line, for other programs" },
  ...ZONE,
  ...VAULT_FLAGS,
};
export const DIFF_FLAGS: Flags = VAULT_FLAGS;
export const RESTORE_FLAGS: Flags = { ...DRY_RUN, ...OUTSIDE_FLAGS, ...VAULT_FLAGS };
export const UNDO_FLAGS: Flags = {
  last: { value: "N", once: true, help: "the last N changes made through Notewright" },
  ...WHOSE,
  skip: {
    value: "NOTE",
    once: true,
    many: true,
    help: "leave this note as it is (may be given several times)",
  },
  ...DRY_RUN,
  ...ZONE,
  ...OUTSIDE_FLAGS,
  ...VAULT_FLAGS,
};

const NAMES = `NOTE is a path or a name, with or without .md. REV is the first digits of a revision, as the history
shows it. Write a note whose name looks like a revision with .md. VAULT is a folder. Without it,
NOTEWRIGHT_VAULT is used.`;

export const HISTORY_HELP = `notewright history [NOTE] [VAULT]: who changed what, and when; newest first. Nothing is written.

${flagLines(HISTORY_FLAGS)}

With NOTE: only that note, under all the names it had, also if it was deleted.
${NAMES}

Examples
  notewright history ~/Notes
  notewright history Garden/Plan ~/Notes
  notewright history ~/Notes --author claude-desktop --since 14:00
`;

export const DIFF_HELP = `notewright diff REV [REV2] [NOTE] [VAULT]: what one change did, or what changed between two.

${flagLines(DIFF_FLAGS)}

With one REV: what that change did. With two: how the vault differs between them.
With NOTE: in that note only. With NOTE and no REV: what the newest change did to it.
${NAMES}

Examples
  notewright diff 1f2e3d4c ~/Notes
  notewright diff 1f2e3d4c Garden/Plan ~/Notes
  notewright diff 1f2e3d4c 9a8b7c6d ~/Notes
  notewright diff Garden/Plan ~/Notes
`;

export const RESTORE_HELP = `notewright restore NOTE [REV] [VAULT]: put a note back as REV left it.

${flagLines(RESTORE_FLAGS)}

Without REV: put a deleted note back, as it was last. A restore is a new revision, so it can be undone.
${NAMES}

Examples
  notewright restore Garden/Plan 1f2e3d4c ~/Notes --dry-run
  notewright restore Garden/Plan ~/Notes                      # get a deleted note back
`;

export const UNDO_HELP = `notewright undo REV… | --last N | --author NAME --since TIME [VAULT]: take changes back.

${flagLines(UNDO_FLAGS)}

All notes that the changes touched go back together, with the links that were rewritten, as one new
revision. What was written since stays. Where both overlap, nothing is undone: the notes are named and both
sides shown, and --skip leaves notes out. It does not ask first, because an undo can be undone: run
notewright undo with the revision that it prints.
--last and --since alone mean every client; with --author only that one. Edits made in other programs are
undone only by their REV or with --author.
${NAMES}

Examples
  notewright undo 1f2e3d4c ~/Notes --dry-run
  notewright undo --last 3 --author claude-desktop ~/Notes
  notewright undo --author claude-desktop --since 14:00 ~/Notes
`;
