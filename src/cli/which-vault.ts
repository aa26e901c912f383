/** Which vault a command is about: the folder it was given, that of the environment, the one around the current folder, or that of the settings file. */

import { statSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { NoteError } from "../markdown/errors.ts";
import { escaped } from "../markdown/label.ts";
import { configuration, expandHome, usageError, type Environment } from "./settings.ts";
import { painter } from "./terminal.ts";

export type Vault = { root: string; by: "argument" | "environment" | "around" | "settings" };

/** What Obsidian and Notewright keep in every vault. */
const MARKS = [".obsidian", ".notewright"];

const isFolder = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};
const isVault = (folder: string): boolean => MARKS.some((mark) => isFolder(join(folder, mark)));

/** Null where the folder that we were started in is gone. */
export const currentFolder = (): string | null => {
  try {
    return process.cwd();
  } catch {
    return null;
  }
};

/** The nearest folder, from this one upwards, that is a vault already. */
export const vaultAround = (start: string | null): string | null => {
  for (let folder = start; folder !== null; folder = dirname(folder)) {
    if (isVault(folder)) return folder;
    if (dirname(folder) === folder) return null;
  }
  return null;
};

/** `surface` is what `serve` serves. A client may start it in any folder, so there the settings count more than the place. */
export type Asked = { environment: Environment; cwd?: string | null; surface?: string };

/** Null where no vault is named and none is around. */
export const vaultOf = (
  argument: string | undefined,
  { environment, cwd = currentFolder(), surface }: Asked,
): Vault | null => {
  const named = (root: unknown, by: Vault["by"]): Vault | null =>
    typeof root === "string" && root !== "" ? { root: expandHome(root), by } : null;
  const settings = named(configuration(environment).vault, "settings");
  // Notes of that surface live in memory unless a folder is named.
  const around = surface === "notes" ? null : named(vaultAround(cwd), "around");
  return (
    named(argument, "argument") ??
    (surface === "obsidian" ? named(environment.OBSIDIAN_VAULT_PATH, "environment") : null) ??
    named(environment.NOTEWRIGHT_VAULT, "environment") ??
    (surface === undefined ? (around ?? settings) : (settings ?? around))
  );
};

export const noVault = (command: string): NoteError =>
  usageError(
    `No vault is named, and no folder from here upwards has .obsidian or .notewright in it. Give the folder, as in notewright ${command} (or . for this one), or set NOTEWRIGHT_VAULT.`,
  );

/** A word that is written as a place on the disk: `~/Notes`, `/n`, `.`, `../Notes`. */
export const IS_PATH = /^(?:~|[\\/]|\.{1,2}(?:[\\/]|$)|[A-Za-z]:[\\/])/;

/** Whether a word at the end of a command is the vault. Inside a vault, a folder of that vault is none, unless it is a vault by itself. */
export const isVaultWord = (word: string, cwd: string | null = currentFolder()): boolean => {
  if (cwd === null) return isFolder(expandHome(word));
  const folder = resolve(cwd, expandHome(word));
  if (!isFolder(folder)) return false;
  const around = vaultAround(cwd);
  if (around === null || IS_PATH.test(word) || isVault(folder)) return true;
  const away = relative(around, folder);
  return away === ".." || away.startsWith(`..${sep}`);
};

const WHY: Partial<Record<Vault["by"], string>> = {
  around: "around this folder",
  settings: "from your settings file",
};

/** Says which vault was chosen, where the caller did not name it. */
export const sayVault = (vault: Vault, environment: Environment): void => {
  const why = WHY[vault.by];
  if (why === undefined) return;
  const paint = painter(process.stderr, environment);
  process.stderr.write(`${paint(2, `notewright: the vault is ${escaped(vault.root)}, ${why}`)}\n`);
};
