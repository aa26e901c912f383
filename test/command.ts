/** Commands of the terminal in this process: what they print, how they end, from whichever folder; a process each would take a second. */

import { vi } from "vitest";
import { runCommand } from "../src/cli/command.ts";
import type { Environment } from "../src/cli/settings.ts";
import type { Ended } from "./process.ts";

export const runHere = async (args: string[], environment: Environment, cwd: string): Promise<Ended> => {
  const before = process.cwd();
  const out = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      out[name] += String(text);
      return true;
    }),
  );
  const streams = [process.stdout, process.stderr];
  const heard = streams.map((stream) => stream.listeners("error"));
  process.chdir(cwd);
  process.exitCode = undefined;
  try {
    await runCommand(args, environment);
    return { code: Number(process.exitCode ?? 0), ...out };
  } finally {
    process.exitCode = undefined;
    process.chdir(before);
    for (const spy of spies) spy.mockRestore();
    // Each command listens until its process ends.
    for (const [at, stream] of streams.entries())
      for (const listener of stream.listeners("error"))
        if (!heard[at]!.includes(listener)) stream.off("error", listener as () => void);
  }
};
