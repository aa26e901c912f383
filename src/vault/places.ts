/** Where the parts of a vault lie on this machine: its folder, its index and its history; and the places that are refused. */

import { createHash } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { SCHEMA } from "../index/schema.ts";
import { NoteError } from "../markdown/errors.ts";
import { historyPlace, type HistoryPlace } from "./history-place.ts";
import type { FolderSettings } from "./open.ts";

const isFolder = (path: string): boolean | null => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return null;
  }
};

/** The folder of the notes itself, whatever links lead to it. */
export const realFolder = (root: string): string => {
  const folder = isFolder(root);
  if (folder === null)
    throw new NoteError(
      "path_refused",
      `There is no folder at ${root}. Give the folder that holds your notes.`,
    );
  if (!folder)
    throw new NoteError("path_refused", `${root} is a file. Give the folder that holds your notes.`);
  return realpathSync(root);
};

const cacheFolder = (environment: FolderSettings["environment"]): string => {
  if (environment.XDG_CACHE_HOME) return environment.XDG_CACHE_HOME;
  if (process.platform === "win32") return environment.LOCALAPPDATA || join(homedir(), "AppData", "Local");
  return process.platform === "darwin" ? join(homedir(), "Library", "Caches") : join(homedir(), ".cache");
};

/** A vault may come from anybody, and what lies in it must never be opened as a database. */
const refuseInside = (root: string, flag: string, place: string): void => {
  let folder = resolve(place);
  while (isFolder(folder) === null && dirname(folder) !== folder) folder = dirname(folder);
  const away = relative(root, realpathSync(folder));
  if (away !== "" && (away === ".." || away.startsWith(`..${sep}`) || isAbsolute(away))) return;
  throw new NoteError(
    "path_refused",
    `${flag} ${place} lies inside the vault. Give a place outside it, or leave ${flag} away.`,
  );
};

/** Derived data stands outside the vault, under a name made from where the vault is. */
export const indexFile = (root: string, settings: FolderSettings): { path: string; inOwnFolder: boolean } => {
  const id = createHash("sha256").update(root).digest("hex").slice(0, 16);
  const { index = join(cacheFolder(settings.environment), "notewright/") } = settings;
  if (settings.index !== undefined) refuseInside(root, "--index", settings.index);
  const inOwnFolder = /[\\/]$/.test(index) || isFolder(index) === true;
  return { path: inOwnFolder ? join(index, id, `index-${SCHEMA}.db`) : index, inOwnFolder };
};

/** Null where no history is kept, or none is there yet and none may be made. */
export const historyAt = (root: string, settings: FolderSettings): HistoryPlace | null => {
  if (!settings.history) return null;
  if (settings.historyDir !== undefined) refuseInside(root, "--history-dir", settings.historyDir);
  return historyPlace(root, settings.historyDir, settings);
};
