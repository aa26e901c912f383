/** What a note was: at a revision, or by the version that a reader was given of it. */

import type { Who } from "./change.ts";
import { readWithin } from "./memory.ts";
import type { Note } from "./note.ts";
import type { Parts, Version } from "./parts.ts";
import type { NotePath } from "./paths.ts";
import { unknownVersion } from "./undo/restore.ts";

/** A version may be given by its first digits, at least these many, where it is among this many of the note's last revisions. */
const DIGITS = 8;
const LOOKED_AT = 500;

export type When = { revision: string } | { version: Version };

export async function pastNote(
  parts: Parts,
  path: NotePath,
  when: When,
  memory?: Who["memory"],
): Promise<Note> {
  const version = "version" in when ? ((await wholeVersion(parts, path, when.version)) ?? "") : "";
  const read = () =>
    "revision" in when ? parts.history.read(path, when.revision) : parts.history.blob(version);
  const bytes = await readWithin(memory, read, (it) => it);
  if (!bytes) throw unknownVersion(path, "revision" in when ? when.revision : when.version);
  return parts.openNote(path, bytes, parts.versionOf(bytes), parts.now());
}

async function wholeVersion(parts: Parts, path: NotePath, digits: string): Promise<Version | null> {
  if (!/^[0-9a-f]+$/.test(digits) || digits.length < DIGITS) return null;
  if (digits.length >= 40) return digits;
  for (const { changes } of await parts.history.log({ path, limit: LOOKED_AT }))
    for (const { version, before } of changes)
      for (const one of [version, before]) if (one?.startsWith(digits)) return one;
  return null;
}
