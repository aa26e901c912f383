/** Flags that several commands share. The name of a value is its kind, too: completion offers folders for VAULT, notes for NOTE (commands.ts). */

import { LOCALES } from "../notebook/calendar/locales.ts";
import type { Flags } from "./settings.ts";

/** How a vault is opened, whichever command opens it. */
export const VAULT_FLAGS: Flags = {
  index: {
    value: "PLACE",
    help: "where the search index is kept: a file, or a folder for several (default: your cache folder)",
  },
  "history-dir": {
    value: "PATH",
    help: "keep the history in this folder outside the vault, for synced vaults (default: .notewright)",
  },
};

export const OUTSIDE_FLAGS: Flags = {
  "outside-author": {
    value: "NAME",
    help: "the author of edits made in other programs (default: someone)",
  },
};

export const ZONE_FLAGS: Flags = {
  "time-zone": {
    value: "ZONE",
    help: "your time zone, such as Europe/Berlin (default: this machine's)",
  },
};

/** Notes of days are named and begun in it. */
export const LOCALE_FLAGS: Flags = {
  locale: {
    value: "LOCALE",
    choices: LOCALES,
    help: "the language that notes of days are named in, as Obsidian's is set (default: en)",
  },
};

export const DRY_RUN: Flags = {
  "dry-run": { once: true, help: "show what would change, and change nothing" },
};

/** What VAULT is, for the help of every command that takes one. */
export const VAULT_WORDS =
  "VAULT is a folder. Without it, NOTEWRIGHT_VAULT is used, or the vault that you are in, or that of your settings file.";

export const PATHS: Flags = {
  paths: { once: true, help: "print nothing but paths, one a line" },
  null: { short: "0", once: true, help: "like --paths, each ended by a NUL: for xargs -0 and fzf --read0" },
};

export const JSON_LINES: Flags = {
  json: { once: true, help: "print one JSON object a line, for other programs" },
};
