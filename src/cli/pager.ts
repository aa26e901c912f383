/** Prints a text: through the user's pager where it is longer than the terminal, else as it is. */

import type { Environment } from "./settings.ts";
import { NOT_STARTED, runProgram } from "./user-program.ts";

export type Output = { isTTY?: boolean; rows?: number; columns?: number; write(text: string): unknown };

/** Windows has none that shows every letter. */
const USUAL = process.platform === "win32" ? "" : "less";
/** What `less` does where the user set nothing: ends by itself on a short text, shows colours, leaves the screen as it is. */
const LESS_FLAGS = "FRX";

/** The pager that a person gets for this text; null where it is printed as it is. */
export const pagerFor = (text: string, output: Output, environment: Environment): string | null => {
  if (!output.isTTY || environment.TERM === "dumb") return null;
  const { rows = 24, columns = 80 } = output;
  let left = rows - 1;
  for (const line of text.split("\n")) left -= Math.max(1, Math.ceil(line.length / columns));
  const pager = (environment.PAGER ?? USUAL).trim();
  return left >= 0 || pager === "" || pager === "cat" ? null : pager;
};

/** Ends when the person has left the pager. */
export const page = async (
  text: string,
  environment: Environment,
  output: Output = process.stdout,
): Promise<void> => {
  const pager = pagerFor(text, output, environment);
  if (pager === null) return void output.write(text);
  const code = await runProgram(pager, { environment: { LESS: LESS_FLAGS, ...environment }, input: text });
  if (NOT_STARTED.has(code)) output.write(text);
};
