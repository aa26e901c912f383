/** Help, made from the table of commands and wrapped to the screen. */

import { COMMANDS, GROUPS, type Command } from "./commands.ts";
import type { Flags } from "./settings.ts";

/** Lines longer than this are hard to read, on however wide a screen. */
const WIDEST = 100;
const NARROWEST = 30;
/** A screen that has less room than this beside the left column gets what belongs there on a line of its own. */
const ROOM = 28;

export const widthOf = (screen: { columns?: number }): number =>
  Math.max(NARROWEST, Math.min(WIDEST, screen.columns ?? WIDEST));

/** Words on lines that are no longer than `width`, each after `indent`; a longer word stands alone. */
export const wrapped = (text: string, width: number, indent = ""): string[] => {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && indent.length + line.length + 1 + word.length > width) {
      lines.push(indent + line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, indent + line];
};

/** Two columns; where the screen is too narrow for both, the second follows below the first. */
const columns = (rows: readonly (readonly [string, string])[], width: number): string[] => {
  const left = Math.max(...rows.map(([head]) => head.length)) + 2;
  const beside = width - 2 - left >= ROOM;
  return rows.flatMap(([head, text]) => {
    if (!beside) return [`  ${head}`, ...wrapped(text, width, "      ")];
    const [first = "", ...more] = wrapped(text, width - 2 - left);
    return [`  ${head.padEnd(left)}${first}`, ...more.map((line) => " ".repeat(2 + left) + line)];
  });
};

export const flagForm = (name: string, { short, value }: Flags[string]): string =>
  `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;

export const callForm = (name: string, usage: string): string =>
  ["notewright", name, usage].filter(Boolean).join(" ");

const page = (sections: readonly (readonly string[])[]): string =>
  `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;

const titled = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines];

export const commandHelp = (name: string, command: Command, width: number): string => {
  const { usage, summary, forms = [], flags, about = [], examples } = command;
  return page([
    wrapped(`${callForm(name, usage)}: ${summary}.`, width),
    titled(
      "Forms",
      columns(
        forms.map(([form, what]) => [callForm(name, form), what]),
        width,
      ),
    ),
    titled(
      "Flags",
      columns(
        Object.entries(flags).map(([flag, it]) => [flagForm(flag, it), it.help]),
        width,
      ),
    ),
    ...about.map((paragraph) => wrapped(paragraph, width)),
    titled(
      "Examples",
      examples.map((line) => `  ${line}`),
    ),
  ]);
};

export const mainHelp = (width: number): string =>
  page([
    wrapped("Notewright: an MCP server for a folder of plain Markdown notes.", width),
    ...GROUPS.map(([title, commands]) =>
      titled(
        title,
        columns(
          Object.entries(commands).map(([name, { summary }]) => [name, summary]),
          width,
        ),
      ),
    ),
    titled(
      "Usage",
      columns(
        [
          ["notewright VAULT", "serve it to the client that started this; on a terminal, what to do next"],
          ["notewright COMMAND --help", "what a command does, with all its flags"],
          ["notewright --version", "which version this is"],
        ],
        width,
      ),
    ),
    titled("Examples", [
      "  notewright serve ~/Notes",
      "  notewright serve ~/Notes --tools obsidian --read-only",
      `  notewright find 'tag:project "rain garden"' ~/Notes`,
      "  notewright undo --last 1 ~/Notes",
    ]),
    wrapped(
      "VAULT is a folder of .md files, such as an Obsidian vault. Inside one it may be left out.",
      width,
    ),
  ]);

/** The help that was asked for: of a command, or of all. */
export const helpFor = (name: string | undefined, screen: { columns?: number }): string => {
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  return command ? commandHelp(name!, command, widthOf(screen)) : mainHelp(widthOf(screen));
};
