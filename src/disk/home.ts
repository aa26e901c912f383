/** `.notewright`: the folder of our own in a vault, and the short-lived files in it. */

import { randomBytes } from "node:crypto";
import { codeOf } from "./calls.ts";
import { attempt, type Disk } from "./files.ts";
import { joined, nameIn } from "./vault-path.ts";

export const HOME = ".notewright";
export const TEMPS = `${HOME}/tmp`;
export const JOURNALS = `${HOME}/journal`;
export const LOCK = `${HOME}/lock`;

export function makeHome(disk: Disk): void {
  disk.makeFolder(HOME, { durable: false });
  const ignore = `${HOME}/.gitignore`;
  if (disk.look(ignore) !== null) return;
  try {
    disk.create(ignore, Buffer.from("*\n"), { mode: null, durable: false });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/**
 * Which copy of the vault this is: the inode of our folder. Two containers or hosts on one disk are the same place and may
 * finish each other's work; a copy made by a sync tool is another. (Disks that number files anew at each mounting, exFAT
 * among them, seem another place then: what was unfinished is reported instead of finished.)
 */
export function machineOf(disk: Disk): string | null {
  const home = disk.look(HOME);
  return home?.kind === "folder" ? `m${home.inode}` : null;
}

export function newName(machine: string): string {
  return `${machine}-${randomBytes(6).toString("hex")}`;
}

const OURS = /^(m[0-9a-z]+)-[0-9a-f]{12}\.(?:tmp|old|beside)$/;

/** Whether a temp of this name is one that `newName` could have made. */
export function isTempName(name: string, machine: string): boolean {
  return OURS.exec(name)?.[1] === machine;
}

/** A temp beside the note itself, for a folder on another disk. Only a note says where it is: see `markBeside`. */
export function besideName(temp: string): string {
  return `.${nameIn(temp)}`;
}

/** Written before a temp is put beside a note, so that it is found again after a crash. */
export function markBeside(disk: Disk, temp: string, folder: string): string {
  const mark = temp.replace(/\.[a-z]+$/, ".beside");
  disk.create(mark, Buffer.from(JSON.stringify({ folder, name: besideName(temp) })), {
    mode: null,
    durable: true,
  });
  return mark;
}

/** Deletes what a writer that died left behind. Only the holder of the lock writes temps, so whoever holds it may. */
export function clearTemps(disk: Disk, machine: string, spare: ReadonlySet<string>): void {
  const names = disk.names(TEMPS);
  if (names === null) return;
  for (const name of [...names.file, ...names.link, ...names.other]) {
    const owner = OURS.exec(name)?.[1];
    // A sync tool may have brought the temp of a writer that is alive elsewhere.
    if (spare.has(name) || (owner !== undefined && owner !== machine)) continue;
    attempt(() => {
      if (name.endsWith(".beside")) clearBeside(disk, name);
      disk.unlink(`${TEMPS}/${name}`);
    });
  }
}

function clearBeside(disk: Disk, mark: string): void {
  const bytes = disk.read(`${TEMPS}/${mark}`, 65_536)?.bytes;
  let said: unknown;
  if (!bytes || !attempt(() => void (said = JSON.parse(Buffer.from(bytes).toString("utf8"))))) return;
  const { folder, name } = said as { folder?: unknown; name?: unknown };
  const stem = mark.slice(0, -".beside".length);
  if (typeof folder === "string" && (name === `.${stem}.tmp` || name === `.${stem}.old`))
    disk.unlink(joined(folder, name));
}
