/** From puts to file operations: what a list of puts asks of each path, and whether what is there allows it. It is pure, so that every store decides alike. */

import { NoteError } from "../markdown/errors.ts";
import { NOTE_LIMIT, type Put, type Version } from "./parts.ts";
import { folderOf, isNote } from "./paths.ts";
import { fold } from "./resolve.ts";
import { isCanvas, pointsTo } from "./pointer.ts";
import { isVaultFile } from "./vault-path.ts";

/** What is to be at a path. They are to be done in this order: places, respellings, removals, so that no crash loses a note. */
export type FileOperation =
  /** `bytes: null` takes the file `like` as it is; else `like` only lends its mode. */
  | {
      do: "place";
      path: string;
      old: Version | null;
      new: Version;
      bytes: Uint8Array | null;
      like: string | null;
    }
  | { do: "respell"; path: string; from: string; new: Version }
  | { do: "remove"; path: string; old: Version };

/** What a store looks up before it plans. */
export type FactsNeeded = {
  /** The paths that the puts name. A store that looks again when it writes may take the version given here for what is there. */
  files: ReadonlyMap<string, Version | null>;
  /** The names that the puts may make. Where nothing is at one of them, a twin of it is asked for. */
  newNames: ReadonlySet<string>;
};
export type Facts = {
  /** What is at a path; null where nothing is. Two spellings with one `inode` are one note. */
  files: ReadonlyMap<string, { version: Version; inode: string } | null>;
  /** For a new name: something else whose name, or the name of a folder on the way, differs only by case or Unicode form. */
  twins: ReadonlyMap<string, string>;
};

/** Refuses puts that no store could carry out, whatever is there. */
export function factsNeeded(puts: readonly Put[]): FactsNeeded {
  const files = new Map<string, Version | null>();
  const newNames = new Set<string>();
  for (const put of puts) {
    checkShape(put);
    const { path, from, trash, bytes, expect } = put;
    for (const file of [path, from, trash]) if (file !== undefined) files.set(file, null);
    if (trash !== undefined) newNames.add(trash);
    const made = from === undefined ? expect === undefined || expect === "absent" : fold(from) !== fold(path);
    if (bytes !== null && made) newNames.add(path);
  }
  // A change of several is refused before the first of them is touched; of one it makes no difference.
  const [only] = puts;
  if (puts.length === 1 && only!.bytes !== null && !only!.from && only!.expect && only!.expect !== "absent")
    files.set(only!.path, only!.expect);
  return { files, newNames };
}

export function planPuts(
  puts: readonly Put[],
  facts: Facts,
  versionOf: (bytes: Uint8Array) => Version,
): FileOperation[] {
  const at = (path: string) => facts.files.get(path) ?? null;
  const names = namesIn(puts);
  const { goes, comes } = names;
  const places: FileOperation[] = [];
  const respellings: FileOperation[] = [];
  const place = (path: string, bytes: Uint8Array | null, like: string | null): void => {
    const version = bytes === null ? at(like!)!.version : versionOf(bytes);
    places.push({ do: "place", path, old: at(path)?.version ?? null, new: version, bytes, like });
  };
  for (const put of puts) {
    const source = put.from ?? put.path;
    // A new note may take a name that another gives up in the same list.
    const vacant = put.bytes !== null && put.expect === "absent" && goes.has(source);
    const before = vacant && put.from === undefined ? null : at(source);
    checkExpected(put, source, before?.version ?? null);
    if (put.bytes === null) {
      if (put.trash === undefined) continue;
      checkArrival(put.trash, facts, names);
      place(put.trash, null, source);
      continue;
    }
    const version = versionOf(put.bytes);
    const bytes = version === before?.version && put.from !== undefined ? null : put.bytes;
    if (bytes !== null && pointsTo(put.path, bytes)) throw stale(source, version, before?.version ?? null);
    if (put.from !== undefined && respells(put.from, put.path)) {
      if (bytes !== null) place(put.from, put.bytes, put.from);
      respellings.push({ do: "respell", path: put.path, from: put.from, new: version });
      goes.delete(put.from);
      continue;
    }
    if (put.from !== undefined || before === null) checkArrival(put.path, facts, names);
    place(put.path, bytes, before === null ? null : source);
  }
  const removals = [...goes]
    .filter((path) => !comes.has(path))
    .map((path): FileOperation => ({ do: "remove", path, old: at(path)!.version }));
  return [...places, ...respellings, ...removals];

  function respells(from: string, to: string): boolean {
    return fold(from) === fold(to) && (at(to) === null || at(to)!.inode === at(from)!.inode);
  }
}

/** The names that a list of puts gives up and takes, and those it takes by how they fold. */
type PutNames = { goes: Set<string>; comes: Set<string>; spellings: Map<string, string[]> };

function namesIn(puts: readonly Put[]): PutNames {
  const [goes, comes] = [new Set<string>(), new Set<string>()];
  const spellings = new Map<string, string[]>();
  for (const put of puts) {
    if (put.from !== undefined || put.bytes === null) addOnce(goes, put.from ?? put.path);
    const target = put.bytes === null ? put.trash : put.path;
    if (target === undefined) continue;
    addOnce(comes, target);
    spellings.set(fold(target), [...(spellings.get(fold(target)) ?? []), target]);
  }
  return { goes, comes, spellings };
}

/** A name that is to be new must be free, or be given up in the same list. */
function checkArrival(path: string, facts: Facts, { goes, spellings }: PutNames): void {
  const there = facts.files.get(path) ?? null;
  if (there !== null && !goes.has(path)) throw stale(path, "absent", there.version);
  const found = there === null ? facts.twins.get(path) : undefined;
  const twin =
    found === undefined || goes.has(found)
      ? spellings.get(fold(path))!.find((other) => other !== path)
      : found;
  if (twin !== undefined) throw twinRefusal(path, twin);
}

/** `twin` is what differs from the path, or from a folder on its way, only in spelling. */
export function twinRefusal(path: string, twin: string): NoteError {
  const details = { path, existing: twin };
  return twin.split("/").length < path.split("/").length
    ? new NoteError(
        "path_refused",
        `There is a folder "${twin}". Spell it the same way in "${path}".`,
        details,
      )
    : new NoteError(
        "note_exists",
        `There is already a note "${twin}", which differs only in spelling.`,
        details,
      );
}

/** A note moves among notes; case changes of a folder would touch every note in it. */
export function folderRefusal(path: string, from: string): NoteError | null {
  if (fold(from) !== fold(path) || folderOf(from) === folderOf(path)) return null;
  return new NoteError("path_refused", "The spelling of a folder cannot be changed by moving a note.", {
    path,
  });
}

/** The refusal after which a change is planned again, from what is there now. */
export function stale(path: string, expected: string | null, actual: Version | null): NoteError {
  return new NoteError(
    "version_conflict",
    `The note "${path}" was changed meanwhile. Read it again and repeat the change.`,
    { by: "store", path, expected, actual },
  );
}

function checkShape({ path, from, trash, bytes }: Put): void {
  for (const file of [path, from, trash])
    if (file !== undefined && !isVaultFile(file))
      throw new NoteError("path_refused", "The path does not name a note in this vault.", { path: file });
  // Attachments are moved and removed; what is in them is nobody's to write but a canvas's links.
  if (bytes !== null && from === undefined && !isNote(path) && !isCanvas(path))
    throw new NoteError("path_refused", "The path does not name a note in this vault.", { path });
  if (bytes !== null && bytes.length > NOTE_LIMIT)
    throw new NoteError(
      "too_large",
      `The note "${path}" would be larger than ${NOTE_LIMIT / 1024 / 1024} MiB.`,
      {
        path,
        size: bytes.length,
        limit: NOTE_LIMIT,
      },
    );
  if (bytes === null && from !== undefined) throw new Error("a put either moves or removes");
  if (from === path) throw new Error("a put moves from one path to another");
  const respelled = from === undefined ? null : folderRefusal(path, from);
  if (respelled) throw respelled;
}

function checkExpected(put: Put, source: string, actual: Version | null): void {
  const { expect } = put;
  if (expect === "absent" ? actual !== null : expect !== undefined && actual !== expect)
    throw stale(source, expect!, actual);
  if (actual === null && (put.bytes === null || put.from !== undefined))
    throw new NoteError("note_missing", `There is no note "${source}".`, { path: source });
}

function addOnce(paths: Set<string>, path: string): void {
  if (paths.has(path)) throw new Error("two puts of one list are about one note");
  paths.add(path);
}
