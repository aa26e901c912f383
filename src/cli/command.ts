/** Finds the command that was called, and shows what a refusal looks like on a terminal. Commands are loaded when they are called: help is quick. */

import { NoteError } from "../markdown/errors.ts";
import manifest from "../../package.json" with { type: "json" };
import { closestWord } from "../markdown/closest-word.ts";
import { CHECK_HELP, FIND_HELP, MAIN_HELP, OWNER_HELP, serveHelp, TOKEN_HELP } from "./help.ts";
import { DIFF_HELP, HISTORY_HELP, RESTORE_HELP, UNDO_HELP } from "./history-help.ts";
import { usageError, type Environment } from "./settings.ts";
import { outliveReaders } from "./streams.ts";

type Command = {
  help(): Promise<string>;
  load(): Promise<{ run(args: string[], environment: Environment): Promise<void> }>;
};

const COMMANDS: Record<string, Command> = {
  serve: {
    // The list of surfaces is asked of the surfaces, so that it is true.
    help: async () => serveHelp((await import("../surfaces/all.ts")).surfaceNames),
    load: () => import("./serve.ts"),
  },
  find: { help: async () => FIND_HELP, load: () => import("./find.ts") },
  check: { help: async () => CHECK_HELP, load: () => import("./check.ts") },
  history: { help: async () => HISTORY_HELP, load: () => import("./history.ts") },
  diff: { help: async () => DIFF_HELP, load: () => import("./diff.ts") },
  restore: { help: async () => RESTORE_HELP, load: () => import("./restore.ts") },
  owner: { help: async () => OWNER_HELP, load: () => import("./owner.ts") },
  token: { help: async () => TOKEN_HELP, load: () => import("./token.ts") },
  undo: { help: async () => UNDO_HELP, load: () => import("./undo.ts") },
};

const asksHelp = (args: readonly string[]): boolean => args.includes("--help") || args.includes("-h");

const dispatch = async (args: readonly string[], environment: Environment): Promise<void> => {
  const [name = "help", ...rest] = args;
  if (name === "--version" || name === "-v") return void process.stdout.write(`${manifest.version}\n`);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command) {
    if (asksHelp(rest)) return void process.stdout.write(await command.help());
    const { run } = await command.load();
    return run(rest, environment);
  }
  if (name === "help" || asksHelp(args)) return void process.stdout.write(MAIN_HELP);
  const closest = closestWord(name, Object.keys(COMMANDS));
  const what = name.startsWith("-") ? "flag" : "command";
  throw usageError(
    `Unknown ${what} "${name}".${closest ? ` Did you mean "notewright ${closest}"?` : ""} The commands are: ${Object.keys(COMMANDS).join(", ")}. See notewright --help.`,
  );
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
