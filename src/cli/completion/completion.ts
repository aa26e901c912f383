/** The command `completion`: a script for the shell, which a person puts where the shell looks. */

import { usageError, type Settings } from "../settings.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { offeredCommands } from "./offers.ts";
import { zshScript } from "./zsh.ts";

const SHELLS: Record<string, typeof bashScript> = { bash: bashScript, zsh: zshScript, fish: fishScript };

export const run = async ({ rest }: Settings): Promise<void> => {
  const [shell = "", ...more] = rest;
  if (!Object.hasOwn(SHELLS, shell) || more.length > 0)
    throw usageError(
      `completion cannot be for "${rest.join(" ")}". Name one shell: ${Object.keys(SHELLS).join(", ")}.`,
    );
  process.stdout.write(SHELLS[shell]!(offeredCommands()));
};
