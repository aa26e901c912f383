/** A program of the person's own that gets the terminal for a while: the pager, the editor. */

import { spawn } from "node:child_process";
import type { Environment } from "./settings.ts";

/** What a shell gives where there is no such program, or none that may be run. */
export const NOT_STARTED: ReadonlySet<number> = new Set([126, 127]);

type How = { environment: Environment; args?: readonly string[]; input?: string };

/** Runs a command as a shell reads it, so it may have flags; `args` follow as they are. Gives its exit code. */
export const runProgram = (command: string, { environment, args = [], input }: How): Promise<number> =>
  new Promise((done) => {
    // Ctrl+C is for the program, which shares the terminal with us.
    const ignore = (): void => undefined;
    process.on("SIGINT", ignore);
    const ended = (code: number | null): void => {
      process.off("SIGINT", ignore);
      done(code ?? 1);
    };
    const stdio = [input === undefined ? "inherit" : "pipe", "inherit", "inherit"] as const;
    const child =
      process.platform === "win32"
        ? spawn([command, ...args.map((word) => `"${word}"`)].join(" "), {
            shell: true,
            stdio: [...stdio],
            env: environment,
          })
        : spawn("/bin/sh", ["-c", args.length === 0 ? command : `${command} "$@"`, command, ...args], {
            stdio: [...stdio],
            env: environment,
          });
    child.once("error", () => ended(127));
    child.once("close", ended);
    // A person may leave a pager before its end.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(input);
  });
