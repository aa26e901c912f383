/** Claude Code, where its own program is there: it is asked to change its settings, because it rewrites that file while it runs. */

import { spawnSync } from "node:child_process";
import { NoteError } from "../../markdown/errors.ts";
import { CLIENTS, type Entry } from "./clients.ts";
import { changesTo, freeName, type Ours } from "./entries.ts";
import { readConfiguration } from "./files.ts";
import { serversIn } from "./plan.ts";
import { shellWord } from "../shell-word.ts";

/** How long one call of it may take. */
const PATIENCE = 30_000;

const call = (program: string, words: readonly string[]): void => {
  const { status, stdout, stderr, error } = spawnSync(program, words, {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PATIENCE,
  });
  if (status === 0) return;
  const [line = ""] = `${stderr ?? ""}${stdout ?? ""}`.trim().split("\n");
  throw new NoteError(
    "disk_refused",
    `claude ${words.slice(0, 2).join(" ")} failed: ${error?.message ?? line}`,
  );
};

const adding = (name: string, entry: Entry): string[] => [
  "mcp",
  "add-json",
  "--scope",
  "user",
  name,
  JSON.stringify(entry),
];
const removing = (name: string): string[] => ["mcp", "remove", "--scope", "user", name];

/** Calls of `claude`, as they would be typed. */
export const asTyped = (calls: readonly (readonly string[])[]): string =>
  calls.map((words) => `${["claude", ...words].map(shellWord).join(" ")}\n`).join("");

export const serversOfUser = (file: string): Entry => {
  const { text } = readConfiguration(file);
  return serversIn(text, CLIENTS["claude-code"]!);
};

/** The calls that connect: none where it is connected so. */
export const callsToInstall = (
  servers: Entry,
  { entry, found, called }: { entry: Entry; found: Ours | undefined; called: string },
): string[][] => {
  if (!found) return [adding(freeName(servers, called), entry)];
  const changes = changesTo(found.entry, entry);
  if (Object.keys(changes).length === 0) return [];
  // A key that goes is undefined, which JSON leaves out.
  return [removing(found.name), adding(found.name, { ...found.entry, ...changes })];
};

export const callsToUninstall = ({ name }: Ours): string[][] => [removing(name)];

/** Makes the calls. It has no call that replaces an entry: where adding the new one fails, the old one is put back. */
export const callClaude = (program: string, calls: readonly string[][], found: Ours | undefined): void => {
  for (const [at, words] of calls.entries())
    try {
      call(program, words);
    } catch (error) {
      if (at > 0 && found) call(program, adding(found.name, found.entry));
      throw error;
    }
};
