/** The commands over the history (commands.ts). */

import type { Commands } from "./commands.ts";
import { DRY_RUN, JSON_LINES, OUTSIDE_FLAGS, VAULT_FLAGS, VAULT_WORDS, ZONE_FLAGS } from "./flags.ts";
import type { Flags } from "./settings.ts";

const WHOSE: Flags = {
  author: { value: "NAME", once: true, help: "only what this client or person did" },
  since: { value: "TIME", once: true, help: 'only since then: 14:00, 2026-11-15, "2 hours ago"' },
};

const NAMES = `NOTE is a path or a name, with or without .md. REV is the first digits of a revision, as the history shows it. Write a note whose name looks like a revision with .md. ${VAULT_WORDS}`;

export const HISTORY: Commands = {
  history: {
    usage: "[NOTE] [VAULT]",
    summary: "who changed what, and when; newest first",
    flags: {
      ...WHOSE,
      limit: { value: "N", once: true, help: "how many changes at most (default 20)" },
      size: { once: true, help: "how much of the disk the history takes, and which notes take it" },
      ...JSON_LINES,
      ...ZONE_FLAGS,
      ...VAULT_FLAGS,
    },
    about: [
      "Nothing is written. With NOTE: only that note, under all the names it had, also if it was deleted.",
      NAMES,
    ],
    examples: [
      "notewright history ~/Notes",
      "notewright history Garden/Plan ~/Notes",
      "notewright history ~/Notes --author claude-desktop --since 14:00",
      "notewright history ~/Notes --size",
    ],
    load: () => import("./history.ts"),
  },
  diff: {
    usage: "REV [REV2] [NOTE] [VAULT]",
    summary: "what one change did, or what changed between two",
    flags: VAULT_FLAGS,
    about: [
      "With one REV: what that change did. With two: how the vault differs between them. With NOTE: in that note only. With NOTE and no REV: what the newest change did to it.",
      NAMES,
    ],
    examples: [
      "notewright diff 1f2e3d4c ~/Notes",
      "notewright diff 1f2e3d4c Garden/Plan ~/Notes",
      "notewright diff 1f2e3d4c 9a8b7c6d ~/Notes",
      "notewright diff Garden/Plan ~/Notes",
    ],
    load: () => import("./diff.ts"),
  },
  restore: {
    usage: "NOTE [REV] [VAULT]",
    summary: "put a note back as it was",
    flags: { ...DRY_RUN, ...OUTSIDE_FLAGS, ...VAULT_FLAGS },
    about: [
      "With REV: as that revision left it. Without REV: put a deleted note back, as it was last. A restore is a new revision, so it can be undone.",
      NAMES,
    ],
    examples: [
      "notewright restore Garden/Plan 1f2e3d4c ~/Notes --dry-run",
      "notewright restore Garden/Plan ~/Notes  # get a deleted note back",
    ],
    load: () => import("./restore.ts"),
  },
  undo: {
    usage: "REV… | --last N | --author NAME --since TIME [VAULT]",
    summary: "take changes back, keeping what was written since",
    flags: {
      last: {
        value: "N",
        once: true,
        help: "the last N changes that clients made; with --author, that one's",
      },
      ...WHOSE,
      skip: {
        value: "NOTE",
        once: true,
        many: true,
        help: "leave this note as it is (may be given several times)",
      },
      ...DRY_RUN,
      ...ZONE_FLAGS,
      ...OUTSIDE_FLAGS,
      ...VAULT_FLAGS,
    },
    about: [
      "All notes that the changes touched go back together, with the links that were rewritten, as one new revision. What was written since stays. Where both overlap, nothing is undone: the notes are named and both sides shown, and --skip leaves notes out. It does not ask first, because an undo can be undone: run notewright undo with the revision that it prints.",
      "--last and --since alone mean every client; with --author only that one. Edits made in other programs are undone only by their REV or with --author.",
      NAMES,
    ],
    examples: [
      "notewright undo 1f2e3d4c ~/Notes --dry-run",
      "notewright undo --last 3 --author claude-desktop ~/Notes",
      "notewright undo --author claude-desktop --since 14:00 ~/Notes",
    ],
    load: () => import("./undo.ts"),
  },
};
