/** The commands that look into a vault (commands.ts). */

import type { Commands } from "./commands.ts";
import { JSON_LINES, VAULT_FLAGS } from "./flags.ts";

export const NOTES: Commands = {
  find: {
    usage: "QUERY [VAULT]",
    summary: "search the notes; nothing is written",
    flags: {
      limit: { value: "N", help: "how many notes at most (default 10)" },
      ...JSON_LINES,
      ...VAULT_FLAGS,
    },
    about: [
      'QUERY is plain words; the best fit comes first. It may also have "phrases", tag:x title:x folder:x path:x link:x field:x rating>3 created:2026-01..2026-03 modified:>2026-01-01 is:orphan|daily|broken, AND, OR, NOT or -, and parentheses.',
    ],
    examples: [
      "notewright find 'compost' ~/Notes",
      "notewright find 'tag:project -done folder:Work' ~/Notes --json",
    ],
    load: () => import("./find.ts"),
  },
  check: {
    usage: "[VAULT]",
    summary: "broken links, odd files, damage: what needs a person",
    flags: {
      json: { once: true, help: "print everything as one JSON object" },
      ...VAULT_FLAGS,
    },
    about: [
      "It reads every note and writes nothing. The exit code is 1 if something needs a person, else 0. Orphans alone need nobody.",
    ],
    examples: [
      "notewright check ~/Notes",
      "notewright check ~/Notes --json | jq '.groups[] | select(.count > 0)'",
    ],
    load: () => import("./check.ts"),
  },
};
