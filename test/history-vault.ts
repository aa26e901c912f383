/** A vault on disk whose every change is recorded, for tests of history and undo: clients write through the notebook, a person writes files. */

import { memoryShelf } from "../src/notebook/proposals/shelf.ts";
import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { NoteError } from "../src/markdown/errors.ts";
import type { Changeset } from "../src/notebook/change.ts";
import { noteOpener } from "../src/notebook/note.ts";
import type { Notebook } from "../src/notebook/notebook.ts";
import type { NoteIndex, Revision } from "../src/notebook/parts.ts";
import { findNow, linksNow } from "../src/notebook/suites/index-vault.ts";
import { notePath, type NotePath } from "../src/notebook/paths.ts";
import { reindex } from "../src/notebook/refresh.ts";
import { readCanvases } from "../src/notebook/refresh-attachments.ts";
import type { UndoConflict } from "../src/notebook/undo/one-note.ts";
import { openSql } from "../src/sqlite/node.ts";
import { openIndex } from "../src/index/note-index.ts";
import { openVault, type TestVault } from "./vault.ts";

export type HistoryVault = TestVault & {
  root: string;
  /** The notebook as a client's calls reach it; each call is a second later than the one before. */
  as(client: string): Notebook;
  /** A person saves or deletes a file, which is noticed at once. */
  person(path: string, bytes: string | Uint8Array | null): Promise<void>;
  edit(client: string, path: string, find: string, by: string): Promise<Changeset>;
  move(client: string, from: string, to: string): Promise<Changeset>;
  /** By `me`, of all that a client did. */
  undoAll(client: string, how?: Parameters<Notebook["undo"]>[1]): Promise<Changeset>;
  /** Newest first. */
  by(author: string): Promise<Revision[]>;
  /** Every note and rule file, byte for byte, as Latin-1. */
  files(): Record<string, string>;
  /** What the index says of every note and link, and what one made anew from the files says. */
  indexes(): Promise<{ kept: unknown; rebuilt: unknown }>;
};

export const openHistory = async (notes: Record<string, string | Uint8Array> = {}): Promise<HistoryVault> => {
  const vault = await openVault({ folder: true });
  const root = vault.root!;
  let time = Date.parse("2026-03-01T09:00:00Z");
  const later = (): Date => {
    const now = new Date((time += 1000));
    vault.setClock(now);
    return now;
  };
  const save = (path: string, bytes: string | Uint8Array | null): void => {
    const at = join(root, path);
    if (bytes === null) return rmSync(at);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, bytes);
    const now = later();
    utimesSync(at, now, now);
  };
  for (const [path, bytes] of Object.entries(notes)) save(path, bytes);
  await vault.notebook.refresh();
  await vault.parts.history.catchUp(vault.parts.store, later());
  const as = (client: string): Notebook => {
    later();
    return vault.notebook.as({ client, surface: "test", tool: "write", connection: "one" });
  };
  const by = (author: string) => vault.notebook.log({ author, limit: 1000 });
  return {
    ...vault,
    root,
    as,
    by,
    edit: (client, path, find, words) =>
      as(client).edit([{ path: notePath(path), edits: [(text) => text.replace(find, words)] }]),
    move: (client, from, to) => as(client).move([{ from: notePath(from), to: notePath(to) }]),
    undoAll: async (client, how) => as("me").undo(await by(client), how),
    async person(path, bytes) {
      save(path, bytes);
      await vault.notebook.refresh();
    },
    files: () => notesBelow(root),
    async indexes() {
      const index = openIndex(await openSql(":memory:"));
      const paths = Object.keys(notesBelow(root)).filter((path) => !path.startsWith("."));
      await reindex(
        { ...vault.parts, index, openNote: noteOpener(), proposals: memoryShelf() },
        // As they are on disk, in whatever Unicode form.
        paths as NotePath[],
      );
      for await (const { attachments } of vault.parts.store.list())
        index.attachments.put(attachments.map((stat) => ({ path: stat.path, stat })));
      await readCanvases({ ...vault.parts, index });
      index.completed();
      const result = { kept: told(vault.parts.index), rebuilt: told(index) };
      index.close();
      return result;
    },
  };
};

/** Every Markdown file below a folder that is no state of ours, as Latin-1. */
export const notesBelow = (root: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(root, { recursive: true, encoding: "utf8" })
      .map((name) => name.replaceAll("\\", "/"))
      .filter((name) => name.endsWith(".md") && !/^\.(?:notewright|git)\//.test(name))
      .toSorted()
      .map((name) => [name, readFileSync(join(root, name), "latin1")]),
  );

const told = (index: NoteIndex): unknown => {
  const { notes } = findNow(index, { all: [] }, { limit: 100_000, sort: "path" });
  const files = [...index.attachments.stamps()].toSorted();
  const told = notes.map(({ path, title, tags }) => ({
    path,
    title,
    tags,
    links: linksNow(index, { from: path }).map(({ target, line, path: to }) => ({ target, line, to })),
    files: linksNow(index, { filesFrom: path }).map(({ target, line, file }) => ({ target, line, file })),
  }));
  const drawn = linksNow(index, { inCanvases: null }).map(({ source, target, anchor, line, path, file }) => ({
    source,
    link: `${target}${anchor}`,
    line,
    to: path ?? file,
  }));
  const unread = [index.attachments.canvases("unread"), index.attachments.canvases("unreadable")];
  return { told, files, drawn, unread, queries: index.queryNotes(), bases: index.attachments.bases() };
};

/** A note of seven lines, so that two edits can stand apart. */
export const LINES = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

/** The index that was kept up to date says what one made anew says. */
export const expectIndexRight = async (vault: HistoryVault): Promise<void> => {
  const { kept, rebuilt } = await vault.indexes();
  expect(kept).toEqual(rebuilt);
};

/** The notes that an undo refuses over. */
export const conflictsOf = async (undo: Promise<Changeset>): Promise<UndoConflict[]> => {
  const error: unknown = await undo.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof NoteError && error.code === "version_conflict")
    return error.details["conflicts"] as UndoConflict[];
  throw error ?? new Error("the undo was not refused");
};
