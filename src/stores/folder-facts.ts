/** What is in a folder of notes, as far as puts have to be planned on it: looked up before, so that planning itself is pure. */

import type { Disk } from "../disk/files.ts";
import { blobId } from "../disk/hash.ts";
import { recordedAt } from "../disk/versions.ts";
import { NOTE_LIMIT } from "../notebook/parts.ts";
import { folderOf, isNote } from "../notebook/paths.ts";
import type { Facts, FactsNeeded } from "../notebook/puts.ts";
import { codeOf, diskError } from "../notebook/system-errors.ts";
import { joined, nameIn } from "../notebook/vault-path.ts";
import type { Listings, Names } from "./listings.ts";
import { refusal, refusing } from "./refusals.ts";

type There = { version: string; inode: string };

/** A version that is only expected is believed: file operations look again before they replace a file. */
export function fetchFacts(disk: Disk, listings: Listings, { files, newNames }: FactsNeeded): Facts {
  const there = new Map<string, There | null>();
  for (const [path, expected] of files)
    there.set(path, expected === null ? fileAt(disk, path) : { version: expected, inode: "" });
  const twins = new Map<string, string>();
  const twinOf = twinsOn(disk, listings);
  for (const name of newNames) {
    const twin = there.get(name) === null ? twinOf(name) : null;
    if (twin !== null) twins.set(name, twin);
  }
  return { files: there, twins };
}

function fileAt(disk: Disk, path: string): There | null {
  const file = refusing(path, () => readStill(disk, path));
  if (file !== null) return { version: file.version, inode: file.inode };
  if (refusing(path, () => disk.look(path)) === null) return null;
  throw refusal(diskError("EISDIR", "No regular file."), path);
}

/** A note that is being written just now is not the one that was planned on. */
function readStill(disk: Disk, path: string): There | null {
  try {
    if (!isNote(path)) return recordedAt(disk, path, path);
    const file = disk.read(path, NOTE_LIMIT);
    return file && { version: blobId(file.bytes), inode: file.inode };
  } catch (error) {
    throw codeOf(error) === "EBUSY" ? diskError("ECHANGED", "The note is being written.") : error;
  }
}

/** Lists each folder once, however many notes are to be made in it. */
function twinsOn(disk: Disk, listings: Listings): (path: string) => string | null {
  const listed = new Map<string, Names | null>();
  const names = (folder: string): Names | null => {
    if (!listed.has(folder)) listed.set(folder, listings.names(disk, folder));
    return listed.get(folder)!;
  };
  return function twinOf(path): string | null {
    const folder = folderOf(path);
    const there = folder === "" || disk.look(folder) !== null ? names(folder) : null;
    if (there === null) return folder === "" ? null : twinOf(folder);
    const found = there.twin(nameIn(path));
    return found === null ? null : joined(folder, found);
  };
}
