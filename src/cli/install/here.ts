/** This computer, as `install` and `doctor` look at it: which clients are there, their configurations, and how this program is started. */

import { accessSync, constants, existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import manifest from "../../../package.json" with { type: "json" };
import { NoteError } from "../../markdown/errors.ts";
import { hasOwnSqlite } from "../../sqlite/node.ts";
import { expandHome, type Environment } from "../settings.ts";
import { CLIENTS, type Client, type Machine, type Place } from "./clients.ts";
import { oursIn, type Ours } from "./entries.ts";
import { readConfiguration } from "./files.ts";
import { serversIn } from "./plan.ts";
import type { Program } from "./program.ts";

export const machineHere = (environment: Environment): Machine => ({
  platform: process.platform,
  environment,
  home: homedir(),
  here: process.cwd(),
  namesIn(folder) {
    try {
      return readdirSync(folder);
    } catch {
      return [];
    }
  },
});

export const programHere = (): Program => ({
  platform: process.platform,
  node: process.execPath,
  script: realpathSync(process.argv[1]!),
  version: manifest.version,
  ownSqlite: hasOwnSqlite(),
  exists: existsSync,
});

/** Where the client's configuration is, or would be; the client is there where one of its folders is. */
export const placeOn = (client: Client, machine: Machine): Place & { there: boolean } => {
  const places = client.places(machine);
  const there = places.filter(({ sign }) => existsSync(sign));
  const [place = places[0]!] = [...places.filter(({ file }) => existsSync(file)), ...there];
  return { ...place, there: there.length > 0 };
};

/** Where a program of this name lies on the PATH. Scripts of cmd cannot be started without a shell, which would read our words in its own way. */
export const onPath = (name: string, { environment, platform }: Machine): string | null => {
  const endings = platform === "win32" ? [".exe"] : [""];
  for (const folder of (environment.PATH ?? "").split(delimiter))
    for (const ending of endings) {
      const file = join(folder, name + ending);
      try {
        if (folder === "") continue;
        accessSync(file, constants.X_OK);
        return file;
      } catch {
        continue;
      }
    }
  return null;
};

/** The file in which Claude Code keeps the servers of its user; it rewrites it while it runs, so we only read it. */
export const claudeCodeFile = ({ environment, home }: Machine): string =>
  join(environment.CLAUDE_CONFIG_DIR || home, ".claude.json");

/** Folders are compared as they are on the disk, whatever links lead to them. */
export const realPlace = (folder: string): string => {
  const place = resolve(expandHome(folder));
  try {
    return realpathSync(place);
  } catch {
    return place;
  }
};

export type Connected = { client: string; file: string; ours: Ours[]; trouble: string | null };

/** Every configuration that is there, with the entries of ours in it, or why it cannot be read. */
export const connectedHere = (machine: Machine): Connected[] => {
  const files = Object.entries(CLIENTS).map(
    ([client, it]) => [client, it, placeOn(it, machine).file] as const,
  );
  const all = [...files, ["claude-code", CLIENTS["claude-code"]!, claudeCodeFile(machine)] as const];
  return all.flatMap(([client, it, file]): Connected[] => {
    try {
      const { text } = readConfiguration(file);
      return text === null ? [] : [{ client, file, ours: oursIn(serversIn(text, it)), trouble: null }];
    } catch (error) {
      if (!(error instanceof NoteError)) throw error;
      return [{ client, file, ours: [], trouble: error.message }];
    }
  });
};
