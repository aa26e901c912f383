/** Copies of a vault: what one holds, by versions, and what another brings into it, note by note, byte for byte (decision 34). */

import { NoteError } from "../markdown/errors.ts";
import type { Change, Plan } from "./change.ts";
import { load } from "./load.ts";
import { NOTE_LIMIT, type NoteStore, type Parts, type Version } from "./parts.ts";
import { notePath, type NotePath } from "./paths.ts";

/** A note as a copy of the vault has it. */
export type Held = { path: NotePath; version: Version; size: number };
/** Some of the notes of a copy, in the order of their paths. */
export type HeldPage = {
  notes: Held[];
  /** More come after this path; null where there are none. */
  next: NotePath | null;
  /** How many notes there are in all, and how many other files, which are not among them. */
  total: number;
  attachments: number;
  /** What is there, but nobody knows as what: what is missing among the notes for that reason has not been removed. */
  unread: Unread[];
};
/** Why a note is not among those that are held: too large, not permitted, not read yet; or a folder may not be listed, and so is whatever lies in it. */
export type Unread = { path: string; why: "too_large" | "refused" | "failed" | "closed" };

/** What another copy brings for one note. `bytes: null` removes it; `from` is where it was here until now. */
export type Brought = {
  path: NotePath;
  from?: NotePath;
  bytes: Uint8Array | null;
  /** What it must be here for this to be right; null for nothing. */
  expect: Version | null;
};

export async function heldAfter(parts: Parts, after: string, limit: number): Promise<HeldPage> {
  const { index, store } = parts;
  const stamps = index.stamps();
  const paths = [...stamps.keys()].toSorted();
  const rest = paths.filter((path) => path > after);
  const page = rest.slice(0, limit);
  const notes: Held[] = [];
  const unread = after === "" ? await unlisted(parts) : [];
  for (const path of page) {
    const version = index.version(path);
    if (version === null) continue;
    const size = await sizeAt(store, path);
    // Also a long note of which not all is in the index yet.
    if (stamps.get(path)!.partial) unread.push({ path, why: "failed" });
    else if (size === null) unread.push({ path, why: "refused" });
    else if (version === "") unread.push({ path, why: size > NOTE_LIMIT ? "too_large" : "refused" });
    else notes.push({ path, version, size });
  }
  return {
    notes,
    next: rest.length > page.length ? page.at(-1)! : null,
    total: paths.length,
    attachments: index.attachments.stamps().size,
    unread,
  };
}

/** Null where the store does not say. */
async function sizeAt(store: NoteStore, path: NotePath): Promise<number | null> {
  try {
    return (await store.stat(path))?.size ?? 0;
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return null;
  }
}

/** What the store has and the index does not: folders that may not be listed, and notes that have just come. */
async function unlisted({ index, store }: Parts): Promise<Unread[]> {
  const found: Unread[] = [];
  for await (const { notes, closed = [] } of store.list()) {
    const known = index.stamps({ paths: notes.map(({ path }) => path) });
    found.push(...closed.map((path) => ({ path, why: "closed" as const })));
    for (const { path } of notes) if (!known.has(path)) found.push({ path, why: "failed" });
  }
  return found;
}

/**
 * Names and texts come as they are in the other copy: what binds a caller who chooses them binds nobody here, but a path that leads out of
 * the notes is refused, and so is one that another note has in another spelling.
 */
export async function planPut(parts: Parts, brought: readonly Brought[]): Promise<Plan> {
  const changes: Change[] = [];
  const named = new Set<string>();
  for (const { path, from, bytes, expect } of brought) {
    for (const name of from === undefined ? [path] : [path, from]) {
      notePath(name);
      if (named.has(name))
        throw new NoteError("input_refused", `"${name}" is named twice. Name it once.`, { path: name });
      named.add(name);
    }
    const source = from ?? path;
    const found = await load(parts, source);
    const before = found?.path === source ? found : null;
    checkExpected(source, expect, before?.version ?? null);
    if (bytes !== null && bytes.length > NOTE_LIMIT) throw tooLarge(path, bytes.length);
    const after =
      bytes === null ? null : await parts.openNote(path, bytes, parts.versionOf(bytes), parts.now());
    changes.push({ path, ...(from === undefined ? {} : { from }), before, after, why: "asked" });
  }
  return { changes, backlinkers: [] };
}

function checkExpected(path: NotePath, expected: Version | null, actual: Version | null): void {
  if (expected === actual) return;
  throw new NoteError(
    "version_conflict",
    `The note "${path}" is not what it was taken for. Look at it again and repeat the change.`,
    { path, expected, actual },
  );
}

const tooLarge = (path: NotePath, size: number): NoteError =>
  new NoteError("too_large", `The note "${path}" would be larger than ${NOTE_LIMIT / 1024 / 1024} MiB.`, {
    path,
    size,
    limit: NOTE_LIMIT,
  });
