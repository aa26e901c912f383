/** Prints a text: through the user's pager where it is longer than the terminal, else as it is. */

import { spawn } from "node:child_process";
import type { Environment } from "./settings.ts";

export type Output = { isTTY?: boolean; rows?: number; columns?: number; write(text: string): unknown };

const LESS = "less";
/** What `less` does where the user set nothing: ends by itself on a short text, shows colours, leaves the screen as it is. */
const LESS_FLAGS = "FRX";
/** A shell gives these where there is no such program, or none that may be run. */
const NOT_STARTED = new Set([126, 127]);

/** The pager that a person gets for this text; null where it is printed as it is. */
export const pagerFor = (text: string, output: Output, environment: Environment): string | null => {
  if (!output.isTTY || environment.TERM === "dumb") return null;
  const { rows = 24, columns = 80 } = output;
  let left = rows - 1;
  for (const line of text.split("\n")) left -= Math.max(1, Math.ceil(line.length / columns));
  const pager = (environment.PAGER ?? LESS).trim();
  return left >= 0 || pager === "" || pager === "cat" ? null : pager;
};

/** Ends when the person has left the pager. */
export const page = async (
  text: string,
  environment: Environment,
  output: Output = process.stdout,
): Promise<void> => {
  const pager = pagerFor(text, output, environment);
  if (pager === null || !(await ranWith(pager, text, environment))) output.write(text);
};

/** False where the pager could not be started. */
const ranWith = (pager: string, text: string, environment: Environment): Promise<boolean> =>
  new Promise((done) => {
    // Ctrl+C is for the pager, which shares the terminal with us.
    const ignore = (): void => undefined;
    process.on("SIGINT", ignore);
    const ended = (ran: boolean): void => {
      process.off("SIGINT", ignore);
      done(ran);
    };
    const child = spawn(pager, {
      shell: true,
      stdio: ["pipe", "inherit", "inherit"],
      env: { LESS: LESS_FLAGS, ...environment },
    });
    child.once("error", () => ended(false));
    child.once("close", (code) => ended(code === null || !NOT_STARTED.has(code)));
    // The person may leave before the end.
    child.stdin.on("error", () => undefined);
    child.stdin.end(text);
  });
