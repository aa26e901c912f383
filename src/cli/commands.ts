/** The table of commands: what `--help`, completion and the manual are made from, and where each command is loaded from. */

import { COPIES } from "./copy-commands.ts";
import { HISTORY } from "./history-commands.ts";
import { NOTES } from "./note-commands.ts";
import { REVIEW } from "./review-commands.ts";
import { SERVING } from "./serving-commands.ts";
import { SETUP } from "./setup-commands.ts";
import type { Environment, Flags, Settings } from "./settings.ts";

export type Command = {
  /** What follows the name. Words in capitals are kinds of values, as with flags: `[NOTE] [VAULT]`. */
  usage: string;
  /** One clause, for the list of commands. */
  summary: string;
  /** Ways to call it, where there are several, each with what it does. */
  forms?: readonly (readonly [usage: string, summary: string])[];
  flags: Flags;
  /** Paragraphs; each is wrapped to the screen. */
  about?: readonly string[];
  /** Each is a whole line for a shell. */
  examples: readonly string[];
  load(): Promise<{ run(settings: Settings, environment: Environment): Promise<void> }>;
};
export type Commands = Record<string, Command>;

/** In the order in which help lists them. */
export const GROUPS: readonly (readonly [title: string, commands: Commands])[] = [
  ["Serve notes to assistants", SERVING],
  ["Look into your notes", NOTES],
  ["See and undo what was done", HISTORY],
  ["Decide before it happens", REVIEW],
  ["Keep a copy elsewhere", COPIES],
  ["Set it up", SETUP],
];

export const COMMANDS: Commands = Object.assign({}, ...GROUPS.map(([, commands]) => commands));
