/** What completion offers where, told from the table of commands: the name of a value is its kind. */

import { surfaceNames } from "../../surfaces/all.ts";
import { COMMANDS } from "../commands.ts";
import type { Flag } from "../settings.ts";

/** Words to choose from, or a kind of path; null where only the person knows. */
export type Offer = readonly string[] | "folders" | "files" | null;
export type OfferedFlag = {
  name: string;
  short: string | undefined;
  help: string;
  takes: boolean;
  offer: Offer;
};
export type OfferedCommand = { name: string; summary: string; flags: OfferedFlag[]; offer: Offer };

const KINDS: Record<string, Offer> = {
  VAULT: "folders",
  FOLDER: "folders",
  PATH: "folders",
  PLACE: "files",
  FILE: "files",
  SURFACE: surfaceNames,
};

const offerOf = ({ value, choices }: Flag): Offer => choices ?? KINDS[value ?? ""] ?? null;

/** What may follow the command: words that its usage lists (`add|list|remove`), or folders where it takes a vault. */
const offerAfter = (usage: string): Offer => {
  const [words = ""] = /^[a-z]+(?:\|[a-z]+)+/.exec(usage) ?? [];
  if (words !== "") return words.split("|");
  return /VAULT|FOLDER/.test(usage) ? "folders" : null;
};

const HELP: OfferedFlag = { name: "help", short: "h", help: "show the help", takes: false, offer: null };

export const offeredCommands = (): OfferedCommand[] => [
  ...Object.entries(COMMANDS).map(([name, { summary, usage, flags }]) => ({
    name,
    summary,
    offer: offerAfter(usage),
    flags: [
      ...Object.entries(flags).map(([flag, it]) => ({
        name: flag,
        short: it.short,
        help: it.help,
        takes: it.value !== undefined,
        offer: offerOf(it),
      })),
      HELP,
    ],
  })),
  { name: "help", summary: "what a command does", flags: [], offer: Object.keys(COMMANDS) },
];
