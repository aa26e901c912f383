/** The commands that look into a vault, and those with which a person writes into it (commands.ts). */

import type { Commands } from "./commands.ts";
import {
  JSON_LINES,
  LOCALE_FLAGS,
  OUTSIDE_FLAGS,
  PATHS,
  VAULT_FLAGS,
  VAULT_WORDS,
  ZONE_FLAGS,
} from "./flags.ts";

const NOTE_WORDS = `NOTE is a path or a name, with or without .md. ${VAULT_WORDS}`;

export const NOTES: Commands = {
  find: {
    usage: "QUERY [VAULT]",
    summary: "search the notes; nothing is written",
    flags: {
      limit: { value: "N", help: "how many notes at most (default 10)" },
      section: { once: true, help: "name the section that fits best, too: NOTE#Section, as cat takes it" },
      ...PATHS,
      ...JSON_LINES,
      ...ZONE_FLAGS,
      ...VAULT_FLAGS,
    },
    about: [
      'QUERY is plain words; the best fit comes first. It may also have "phrases", tag:x title:x folder:x path:x link:x field:x rating>3 created:2026-01..2026-03 modified:>2026-01-01 is:orphan|daily|broken, AND, OR, NOT or -, and parentheses.',
      `The exit code is 1 where nothing is found. ${VAULT_WORDS}`,
    ],
    examples: [
      "notewright find 'compost' ~/Notes",
      "notewright find 'tag:project -done folder:Work' ~/Notes --json",
      "notewright find compost --section -0 | fzf --read0",
    ],
    load: () => import("./find.ts"),
  },
  cat: {
    usage: "NOTE[#Section]… [VAULT]",
    summary: "print notes, or sections of them, as they are",
    flags: { ...VAULT_FLAGS },
    about: [NOTE_WORDS],
    examples: ["notewright cat 'Garden/Plan' ~/Notes", "notewright cat 'Plan#Next steps'"],
    load: () => import("./cat.ts"),
  },
  list: {
    usage: "[FOLDER] [VAULT]",
    summary: "the paths of all notes, or of those below a folder",
    flags: {
      sort: {
        value: "ORDER",
        once: true,
        choices: ["path", "name", "modified", "created"],
        help: "path (default), name, modified or created (newest first)",
      },
      limit: { value: "N", once: true, help: "how many notes at most (default: all)" },
      null: PATHS.null!,
      ...JSON_LINES,
      ...VAULT_FLAGS,
    },
    about: [`FOLDER is one of the vault. The exit code is 1 where there is no note. ${VAULT_WORDS}`],
    examples: ["notewright list ~/Notes", "notewright list Projects --sort modified --limit 10"],
    load: () => import("./list.ts"),
  },
  links: {
    usage: "NOTE [VAULT]",
    summary: "where a note's links lead, and which notes link to it",
    flags: { ...JSON_LINES, ...VAULT_FLAGS },
    about: [`The exit code is 1 where there is no link. ${NOTE_WORDS}`],
    examples: ["notewright links 'Garden/Plan' ~/Notes", "notewright links Plan --json"],
    load: () => import("./links.ts"),
  },
  tags: {
    usage: "[VAULT]",
    summary: "every tag, with how many notes have it",
    flags: { ...JSON_LINES, ...VAULT_FLAGS },
    about: [`The exit code is 1 where there is no tag. ${VAULT_WORDS}`],
    examples: ["notewright tags ~/Notes"],
    load: () => import("./tags.ts"),
  },
  daily: {
    usage: "[TEXT] [VAULT]",
    summary: "print the note of a day, or add a line to it",
    flags: {
      date: { value: "DAY", once: true, help: "which day: 2026-02-24, yesterday (default: today)" },
      ...OUTSIDE_FLAGS,
      ...ZONE_FLAGS,
      ...LOCALE_FLAGS,
      ...VAULT_FLAGS,
    },
    about: [
      `With TEXT, it is added to the end of the note, which is begun where there is none; it is recorded as yours. Without TEXT, nothing is written, and the exit code is 1 where there is no such note. ${VAULT_WORDS}`,
    ],
    examples: ["notewright daily", "notewright daily 'Garlic is in the ground' ~/Notes"],
    load: () => import("./daily.ts"),
  },
  edit: {
    usage: "NOTE [VAULT]",
    summary: "edit a note in your editor, and record that as yours",
    flags: { ...OUTSIDE_FLAGS, ...VAULT_FLAGS },
    about: [
      "The editor is VISUAL or EDITOR. It gets a copy of the note. When it ends, what you changed is put into the note together with what others wrote there meanwhile. Where both changed the same lines, nothing is written, and the place of your text is named.",
      NOTE_WORDS,
    ],
    examples: ["notewright edit 'Garden/Plan' ~/Notes", "EDITOR='code --wait' notewright edit Plan"],
    load: () => import("./edit.ts"),
  },
  check: {
    usage: "[VAULT]",
    summary: "broken links, odd files, damage: what needs a person",
    flags: {
      json: { once: true, help: "print everything as one JSON object" },
      ...VAULT_FLAGS,
    },
    about: [
      `It reads every note and writes nothing. It also says how much of the disk history and index take. The exit code is 1 if something needs a person, else 0. Orphans alone need nobody. ${VAULT_WORDS}`,
    ],
    examples: [
      "notewright check ~/Notes",
      "notewright check ~/Notes --json | jq '.groups[] | select(.count > 0)'",
    ],
    load: () => import("./check.ts"),
  },
};
