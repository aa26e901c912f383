/** What a person sees who calls `serve` on a terminal, where no client is. Clients, whose start it would slow down, never load it. */

import { resolve } from "node:path";
import { programHere } from "./install/here.ts";
import { startOf } from "./install/program.ts";
import { shellWord } from "./shell-word.ts";

export const invitation = (root: string | null, tools: string, program = programHere()): string[] => {
  const named = root === null ? [] : ["--vault", resolve(root)];
  const { command, args } = startOf(program, [
    "install",
    ...named,
    ...(tools === "native" ? [] : ["--tools", tools]),
  ]);
  return [
    `serves ${root ?? "notes in memory"} with the ${tools} tools, to a client on stdin and stdout. Ctrl+C ends it.`,
    root === null
      ? "A client starts it by itself."
      : `A client starts it by itself. To connect one: ${[command, ...args].map(shellWord).join(" ")}`,
  ];
};
