/** From puts to steps: what a list of puts asks of each path, and whether what is there allows it. Pure, so that every store decides alike. */

import { isVaultFile } from "./vault-path.ts";
import { NoteError } from "../markdown/errors.ts";
import { NOTE_LIMIT, type Put, type Version } from "./parts.ts";
import { folderOf } from "./paths.ts";
import { fold } from "./resolve.ts";

/** What is to be at a path. In the order they are to be done: places, respellings, removals, so that no crash loses a note. */
export type Planned =
  /** `bytes: null` takes the file `like` as it is; else `like` only lends its mode. */
  | {
      do: "place";
      path: string;
      old: string | null;
      new: string;
      bytes: Uint8Array | null;
      like: string | null;
    }
  | { do: "respell"; path: string; from: string; new: string }
  | { do: "remove"; path: string; old: string };

export type Vault = {
  /**
   * What is at a path. Two spellings with one `inode` are one note. `expected`: what the whole list, of one put, is about, where that
   * may be believed because whoever carries it out looks again.
   */
  at(path: string, expected?: Version): { version: Version; inode: string } | null;
  /** Something else whose name, or the name of a folder on the way, differs only by case or Unicode form. */
  twin(path: string): string | null;
};

export function planPuts(
  puts: readonly Put[],
  vault: Vault,
  versionOf: (bytes: Uint8Array) => Version,
): Planned[] {
  const at = remembered(vault.at);
  const goes = new Set<string>();
  const comes = new Set<string>();
  const spellings = new Map<string, string[]>();
  for (const put of puts) {
    checkShape(put);
    if (put.from !== undefined || put.bytes === null) once(goes, put.from ?? put.path);
    const target = put.bytes === null ? put.trash : put.path;
    if (target === undefined) continue;
    once(comes, target);
    spellings.set(fold(target), [...(spellings.get(fold(target)) ?? []), target]);
  }

  // A change of several is refused before the first of them is touched; of one it makes no difference.
  const [only] = puts;
  const alone = puts.length === 1 && only!.bytes !== null && !only!.from && only!.expect !== "absent";
  const places: Planned[] = [];
  const respellings: Planned[] = [];
  for (const put of puts) {
    const source = put.from ?? put.path;
    // A new note may take a name that another gives up in the same list.
    const vacant = put.bytes !== null && put.expect === "absent" && goes.has(source);
    const before = vacant && put.from === undefined ? null : at(source, alone ? put.expect : undefined);
    checkExpected(put, source, before?.version ?? null);
    if (put.bytes === null) {
      if (put.trash === undefined) continue;
      checkArrival(put.trash);
      places.push(placed(put.trash, null, source));
      continue;
    }
    const version = versionOf(put.bytes);
    const bytes = version === before?.version && put.from !== undefined ? null : put.bytes;
    if (put.from !== undefined && respells(put.from, put.path)) {
      if (bytes !== null) places.push(placed(put.from, put.bytes, put.from));
      respellings.push({ do: "respell", path: put.path, from: put.from, new: version });
      goes.delete(put.from);
      continue;
    }
    if (put.from !== undefined || before === null) checkArrival(put.path);
    places.push(placed(put.path, bytes, before === null ? null : source));
  }
  const removals = [...goes]
    .filter((path) => !comes.has(path))
    .map((path): Planned => ({ do: "remove", path, old: at(path)!.version }));
  return [...places, ...respellings, ...removals];

  function placed(path: string, bytes: Uint8Array | null, like: string | null): Planned {
    const version = bytes === null ? at(like!)!.version : versionOf(bytes);
    return { do: "place", path, old: at(path)?.version ?? null, new: version, bytes, like };
  }

  function respells(from: string, to: string): boolean {
    return fold(from) === fold(to) && (at(to) === null || at(to)!.inode === at(from)!.inode);
  }

  /** A name that is to be new must be free, or be given up in the same list. */
  function checkArrival(path: string): void {
    const there = at(path);
    if (there !== null && !goes.has(path)) throw stale(path, "absent", there.version);
    const found = there === null ? vault.twin(path) : null;
    const twin =
      found === null || goes.has(found) ? spellings.get(fold(path))!.find((other) => other !== path) : found;
    if (twin === undefined) return;
    const details = { path, existing: twin };
    if (twin.split("/").length < path.split("/").length)
      throw new NoteError(
        "path_refused",
        `There is a folder "${twin}". Spell it the same way in "${path}".`,
        details,
      );
    throw new NoteError(
      "note_exists",
      `There is already a note "${twin}", which differs only in spelling.`,
      details,
    );
  }
}

/** The refusal after which a plan is to be made anew, from what is there now. */
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
  // A note moves among notes; case changes of a folder would touch every note in it.
  if (from !== undefined && fold(from) === fold(path) && folderOf(from) !== folderOf(path))
    throw new NoteError("path_refused", "The spelling of a folder cannot be changed by moving a note.", {
      path,
    });
}

function checkExpected(put: Put, source: string, actual: Version | null): void {
  const { expect } = put;
  if (expect === "absent" ? actual !== null : expect !== undefined && actual !== expect)
    throw stale(source, expect!, actual);
  if (actual === null && (put.bytes === null || put.from !== undefined))
    throw new NoteError("note_missing", `There is no note "${source}".`, { path: source });
}

function once(paths: Set<string>, path: string): void {
  if (paths.has(path)) throw new Error("two puts of one list are about one note");
  paths.add(path);
}

function remembered(ask: Vault["at"]): Vault["at"] {
  const known = new Map<string, ReturnType<Vault["at"]>>();
  return (path, expected) => {
    if (!known.has(path)) known.set(path, ask(path, expected));
    return known.get(path)!;
  };
}
