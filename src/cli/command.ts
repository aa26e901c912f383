/** Finds the command that was called, and shows what a refusal looks like on a terminal. Commands are loaded when they are called: help is quick. */

import { NoteError } from "../markdown/errors.ts";
import manifest from "../../package.json" with { type: "json" };
import { closestWord } from "../markdown/closest-word.ts";
import { COMMANDS } from "./commands.ts";
import { helpFor } from "./help.ts";
import { readSettings, strayKeys, usageError, type Environment } from "./settings.ts";
import { outliveReaders } from "./streams.ts";
import { IS_PATH, isVaultWord } from "./which-vault.ts";

/** Whether a flag is among the arguments, with or without a value; what follows `--` is no flag. */
const has = (args: readonly string[], long: string, short: string): boolean => {
  const end = args.indexOf("--");
  return args
    .slice(0, end < 0 ? args.length : end)
    .some((arg) => arg === `-${short}` || arg === `--${long}` || arg.startsWith(`--${long}=`));
};

const unknown = (name: string): NoteError => {
  const what = name.startsWith("-") ? "flag" : "command";
  const closest = closestWord(name, Object.keys(COMMANDS));
  const hint = closest ? ` Did you mean "notewright ${closest}"?` : "";
  return usageError(
    `Unknown ${what} "${name}".${hint} The commands are: ${Object.keys(COMMANDS).join(", ")}. See notewright --help.`,
  );
};

const allFlags = Object.values(COMMANDS).map(({ flags }) => flags);

const dispatch = async (args: readonly string[], environment: Environment): Promise<void> => {
  const [name = "help", ...rest] = args;
  const help = (of?: string): void => void process.stdout.write(helpFor(of, process.stdout));
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) {
    if (has(rest, "help", "h")) return help(name);
    const settings = readSettings(rest, command.flags, environment, name);
    for (const sentence of strayKeys(environment, allFlags))
      process.stderr.write(`notewright: ${sentence}\n`);
    return (await command.load()).run(settings, environment);
  }
  if (has([name], "version", "v")) return void process.stdout.write(`${manifest.version}\n`);
  if (name === "help" && rest[0] !== undefined && !rest[0].startsWith("-")) {
    if (Object.hasOwn(COMMANDS, rest[0])) return help(rest[0]);
    throw unknown(rest[0]);
  }
  if (name === "help" || has(args, "help", "h")) return help();
  if (IS_PATH.test(name) || isVaultWord(name)) return (await import("./at-folder.ts")).run(args, environment);
  throw unknown(name);
};

/** Runs a command; a refusal goes to stderr as one sentence, with exit code 2 for a mistake in the call and 1 for the rest. */
export const runCommand = async (
  args: readonly string[],
  environment: Environment = process.env,
): Promise<void> => {
  outliveReaders(process);
  try {
    await dispatch(args, environment);
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = error.code === "input_refused" || error.code === "query_malformed" ? 2 : 1;
  }
};
