/** How a client starts this very program: Node and the script by their whole paths, because a desktop app has no PATH of a shell; or npx, where npx runs us. */

import { NoteError } from "../../markdown/errors.ts";
import type { Start } from "./clients.ts";

export type Program = {
  platform: string;
  /** The running Node, and the script it runs, with links resolved. */
  node: string;
  script: string;
  version: string;
  /** Whether that Node has the SQLite we need. */
  ownSqlite: boolean;
  exists(path: string): boolean;
};

const SQLITE = "@photostructure/sqlite@1.2.1";

/** npx keeps packages in a cache that anything may empty. */
export const isFromNpx = ({ script }: Pick<Program, "script">): boolean => /[\\/]_npx[\\/]/.test(script);

/** Homebrew removes the folder of a version with its update; the link that it keeps beside leads to the newest. */
const lastingNode = ({ node, exists }: Program): string => {
  const [, prefix, formula] = /^(.*)\/Cellar\/(node(?:@\d+)?)\/[^/]+\/bin\/node$/.exec(node) ?? [];
  const link = `${prefix}/opt/${formula}/bin/node`;
  return prefix !== undefined && exists(link) ? link : node;
};

/** Windows has npx as a script of cmd, which programs cannot start by themselves. */
export const npxOn = (platform: string): Start =>
  platform === "win32" ? { command: "cmd", args: ["/c", "npx"] } : { command: "npx", args: [] };

/** What cmd takes for its own even where it stands in an argument. */
const OF_CMD = /[&|<>^%!"]/;

export const startOf = (program: Program, words: readonly string[]): Start => {
  if (!isFromNpx(program)) return { command: lastingNode(program), args: [program.script, ...words] };
  const odd = program.platform === "win32" ? words.find((word) => OF_CMD.test(word)) : undefined;
  if (odd !== undefined)
    throw new NoteError(
      "input_refused",
      `npx on Windows cannot be given ${odd}: cmd would read it in its own way. Install notewright (npm install -g notewright) and run notewright install again.`,
    );
  const { command, args } = npxOn(program.platform);
  const packaged = `notewright@${program.version}`;
  const called = program.ownSqlite ? [packaged] : ["-p", SQLITE, "-p", packaged, "notewright"];
  return { command, args: [...args, "-y", ...called, ...words] };
};
