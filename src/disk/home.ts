/** `.notewright`: the folder of our own in a vault, and the short-lived files in it (decision 7). */

import { attempt, codeOf, diskError } from "../notebook/system-errors.ts";
import type { Disk } from "./files.ts";
import { HOME, joined, nameIn } from "../notebook/vault-path.ts";

export const TEMPS = `${HOME}/tmp`;
export const JOURNALS = `${HOME}/journal`;
export const LOCK = `${HOME}/lock`;

/** Milliseconds since the machine was started: the same for every process on it, whatever is done to its clock. */
function sinceStart(): number {
  return Number((process.hrtime.bigint() / 1_000_000n) & 0xffff_ffffn);
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, "0");

/** A name for a file of this moment, unlike any other of this disk. */
export function newName(disk: Pick<Disk, "serial">, machine: string): string {
  return `${machine}-${hex(sinceStart(), 8)}${hex(disk.serial(), 4)}`;
}

/** How long ago a name was made. For a name from before the machine was last started it may be anything. */
export function ageOf(name: string): number {
  const made = Number.parseInt(name.slice(name.indexOf("-") + 1).slice(0, 8), 16);
  return (sinceStart() - made) >>> 0;
}

/** EHOME where something else stands in its place. It is a person's to move: no part of ours was ever there. */
export function makeHome(disk: Disk): void {
  if ((disk.look(HOME)?.kind ?? "folder") !== "folder") throw diskError("EHOME", "Our folder is none.");
  disk.makeFolder(HOME, { durable: false });
  const ignore = `${HOME}/.gitignore`;
  if (disk.look(ignore) !== null) return;
  try {
    disk.create(ignore, Buffer.from("*\n"), { mode: "own", durable: false });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/** Files in these are names of notes, or become notes: they have a note's mode. */
const SHARED_WITH_NOTES = new Set([TEMPS, `${HOME}/guard`]);

/**
 * Takes the rights of others from a folder that an earlier version made for everybody to read. The folder is closed at once, then
 * what is in it, the deepest first: what is still open tells the next start that there is more to do. The lock is left out: to
 * close any descriptor of it would free it. What the disk refuses stays as it is.
 */
export async function makeHomePrivate(disk: Disk, signal: AbortSignal): Promise<void> {
  attempt(() => void disk.makePrivate(HOME));
  const folders = [HOME];
  const pause = () => new Promise((resolve) => setImmediate(resolve));
  // The list grows while it is walked.
  for (const folder of folders) {
    attempt(() => folders.push(...openFoldersIn(disk, folder)));
    await pause();
    if (signal.aborted) return;
  }
  for (const folder of folders.toReversed()) {
    const files = () => disk.names(folder)?.file.map((name) => joined(folder, name)) ?? [];
    attempt(() => {
      for (const path of [...files().filter((file) => !file.startsWith(LOCK)), folder])
        attempt(() => void disk.makePrivate(path));
    });
    await pause();
    if (signal.aborted) return;
  }
}

function openFoldersIn(disk: Disk, folder: string): string[] {
  const below = disk.names(folder)?.folder.map((name) => joined(folder, name)) ?? [];
  return below.filter((path) => !SHARED_WITH_NOTES.has(path) && ((disk.look(path)?.mode ?? 0) & 0o077) !== 0);
}

/** A folder inside our own. What stands there and is none, a link or a file that somebody planted, is set aside. */
export function makeOwnFolder(disk: Disk, folder: string, how: { durable: boolean }): void {
  try {
    disk.makeFolder(folder, how);
  } catch (error) {
    const segments = folder.split("/");
    const planted = segments
      .map((_, at) => segments.slice(0, at + 1).join("/"))
      .find((path) => path !== HOME && disk.look(path)?.kind !== "folder");
    if (!["ELOOP", "ENOTDIR"].includes(codeOf(error) ?? "") || planted === undefined) throw error;
    disk.rename(planted, `${HOME}/set-aside-${newName(disk, "m")}`);
    disk.makeFolder(folder, how);
  }
}

/**
 * Which copy of the vault this is: the inode of our folder. Two containers or hosts on one disk are the same place and may
 * finish each other's work; a copy made by a sync tool is another. (Disks that number files again at each mounting, exFAT
 * among them, seem another place then: what was unfinished is reported instead of finished.)
 */
export function machineOf(disk: Disk): string | null {
  const home = disk.look(HOME);
  return home?.kind === "folder" ? `m${home.inode}` : null;
}

const OURS = /^(m[0-9a-z]+)-[0-9a-f]{12}\.(?:tmp|beside)$/;

/** Whether a temp of this name is one that `newName` could have made. */
export function isTempName(name: string, machine: string): boolean {
  return OURS.exec(name)?.[1] === machine;
}

/** A temp beside the note itself, for a folder on another disk. Only a note says where it is: see `markBeside`. */
export function besideName(temp: string): string {
  return `.${stemOf(temp)}.tmp`;
}

/** What the files of one operation have in common. */
export function stemOf(temp: string): string {
  return nameIn(temp).split(".", 1)[0]!;
}

/** Written before a temp is put beside a note, so that it is found again after a crash. */
export function markBeside(disk: Disk, temp: string, folder: string): string {
  const mark = `${TEMPS}/${stemOf(temp)}.beside`;
  disk.create(mark, Buffer.from(JSON.stringify({ folder, name: besideName(temp) })), {
    mode: "own",
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
  let content: unknown;
  if (!bytes || !attempt(() => void (content = JSON.parse(Buffer.from(bytes).toString("utf8"))))) return;
  const { folder, name } = content as { folder?: unknown; name?: unknown };
  if (typeof folder === "string" && name === besideName(mark)) disk.unlink(joined(folder, name));
}
