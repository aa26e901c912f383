/** The manual page man/notewright.1, made from the table of commands in the words of `--help` (npm run docs writes it). */

import { environmentName } from "./settings.ts";
import { GROUPS, type Command } from "./commands.ts";
import { callForm, flagForm } from "./help.ts";

/** Text for troff: a backslash and a leading dot or quote mean something to it, a dash would become a hyphen, and it reads ASCII. */
const text = (words: string): string =>
  words
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    .replace(/^[.']/gm, "\\&$&")
    .replace(
      /[^\0-\x7f]/gu,
      (letter) => `\\[u${letter.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`,
    );
const bold = (words: string): string => `\\fB${text(words)}\\fR`;

const tagged = (head: string, words: string): string => `.TP\n${bold(head)}\n${text(words)}`;

const commandPart = (name: string, command: Command): string => {
  const { usage, summary, forms = [], flags, about = [], examples } = command;
  return [
    `.SS "${text(callForm(name, usage)).replaceAll('"', "\\(dq")}"`,
    `${text(summary[0]!.toUpperCase() + summary.slice(1))}.`,
    ...about.map((paragraph) => `.PP\n${text(paragraph)}`),
    ...forms.map(([form, what]) => tagged(callForm(name, form), `${what}.`)),
    ...Object.entries(flags).map(([flag, it]) => tagged(flagForm(flag, it), `${it.help}.`)),
    ...(examples.length === 0
      ? []
      : [`.PP\nExamples:\n.PP\n.nf\n${examples.map((line) => `    ${text(line)}`).join("\n")}\n.fi`]),
  ].join("\n");
};

const settable = (): string[] => {
  const names = GROUPS.flatMap(([, commands]) => Object.values(commands)).flatMap(({ flags }) =>
    Object.entries(flags).filter(([, flag]) => !flag.once),
  );
  return [...new Set(names.map(([name]) => environmentName(name)))].toSorted();
};

export const manualPage = (): string =>
  `${[
    '.\\" Made by npm run docs from the table of commands (src/cli/commands.ts).',
    '.TH NOTEWRIGHT 1 "" "notewright" "Notewright"',
    ".SH NAME",
    "notewright \\- an MCP server for a folder of plain Markdown notes",
    ".SH SYNOPSIS",
    `${bold("notewright")} \\fICOMMAND\\fR [\\fIFLAGS\\fR] [\\fIVAULT\\fR]`,
    ".SH DESCRIPTION",
    text(
      "VAULT is a folder of .md files, such as an Obsidian vault. Flags win over the environment, which wins over the configuration file. The exit code is 0; 1 where nothing was found, or where it could not be done; 2 after a wrong call.",
    ),
    ...GROUPS.flatMap(([title, commands]) => [
      `.SH "${text(title.toUpperCase())}"`,
      ...Object.entries(commands).map(([name, command]) => commandPart(name, command)),
    ]),
    ".SH ENVIRONMENT",
    tagged("NOTEWRIGHT_VAULT", "the vault, where none is named."),
    ...settable().map((name) => tagged(name, "as the flag of that name.")),
    ".SH FILES",
    tagged("~/.config/notewright/config.json", "your settings: the names of flags, and vault."),
    tagged("~/.cache/notewright/", "search indexes: made from the notes, safe to delete."),
    tagged("VAULT/.notewright/", "lock and history of a vault."),
  ].join("\n")}\n`;
