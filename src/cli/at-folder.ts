/** `notewright FOLDER`, without a command: a client on the other end of a pipe is served; a person at a terminal is shown what can be done. */

import { resolve } from "node:path";
import { realFolder } from "../vault/places.ts";
import { programHere } from "./install/here.ts";
import { isFromNpx } from "./install/program.ts";
import { COMMANDS } from "./commands.ts";
import { readSettings, type Environment } from "./settings.ts";
import { shellWord } from "./shell-word.ts";
import { painter } from "./terminal.ts";

const NEXT: readonly (readonly [what: string, command: string, words: string])[] = [
  ["Connect an assistant", "install", ""],
  ["Open them in the browser", "open", ""],
  ["Search them here", "find", "'rain garden'"],
  ["See what assistants did, and undo it", "history", ""],
];

const nextSteps = (folder: string, environment: Environment): string => {
  const program = programHere();
  const call = isFromNpx(program) ? `npx -y notewright@${program.version}` : "notewright";
  const paint = painter(process.stdout, environment);
  const lines = NEXT.filter(([, command]) => Object.hasOwn(COMMANDS, command)).map(
    ([what, command, words]) =>
      `  ${`${what}:`.padEnd(40)}${[call, command, words, shellWord(folder)].filter(Boolean).join(" ")}\n`,
  );
  return `${paint(1, `Your notes in ${folder}`)}\n${lines.join("")}`;
};

export const run = async (args: readonly string[], environment: Environment): Promise<void> => {
  const serve = COMMANDS["serve"]!;
  const settings = readSettings(args, serve.flags, environment, "serve");
  if (!process.stdin.isTTY) return (await serve.load()).run(settings, environment);
  const folder = resolve(settings.rest[0] ?? ".");
  realFolder(folder);
  process.stdout.write(nextSteps(folder, environment));
};
