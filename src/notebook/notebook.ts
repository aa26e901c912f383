/** Notebook: the verbs every surface is written in, and how they are put together from the parts. */

import type { Edit } from "../markdown/edits.ts";
import { NoteError } from "../markdown/errors.ts";
import type { Changeset, How, Who } from "./change.ts";
import { commit } from "./commit.ts";
import type { Filter, Found, Page } from "./filter.ts";
import type { Link, LinkQuery } from "./link-graph.ts";
import { makeNote, type Note } from "./note.ts";
import type { Count, LogQuery, Parts, Revision } from "./parts.ts";
import type { NotePath } from "./paths.ts";
import { load, missing, planEdit, planMove, planRemove, planWrite, type EditOf, type Move } from "./plan.ts";
import { refresh, refreshFolders, reindex, type Progress } from "./refresh.ts";

export type Notebook = {
  as(who: Who): Notebook;
  /** Never stale. Throws `note_missing` with `nearest`. */
  read(path: NotePath, at?: { revision: string }): Promise<Note>;
  find(filter: Filter, page: Page): Promise<Found>;
  links(query: LinkQuery): Promise<Link[]>;
  /** The one note a name (or `folder/name`) means; `name_ambiguous` with `candidates`, `note_missing` with `nearest`. */
  locate(name: string): Promise<NotePath>;
  tags(from: "fields" | "all"): Promise<Count[]>;
  folders(under: string): Promise<Count[]>;
  log(query: LogQuery): Promise<Revision[]>;
  write(path: NotePath, text: string, how?: How): Promise<Changeset>;
  /** All together or not at all. `orCreate`: the text to begin with where there is no such note. */
  edit(edits: { path: NotePath; edits: Edit[]; orCreate?: string }[], how?: How): Promise<Changeset>;
  move(
    moves: { from: NotePath; to: NotePath; edits?: Edit[] }[],
    how?: How & { backlinks?: "rewrite" | "leave" },
  ): Promise<Changeset>;
  remove(path: NotePath, how?: How & { trash?: boolean; backlinks?: "mark" | "leave" }): Promise<Changeset>;
  /** Resolves when a first indexing has ended (at once, where there is none). */
  ready(): Promise<void>;
  now(): Date;
  random(): string;
};

/** What the process that opened the notebook may do besides. */
export type OpenNotebook = Notebook & {
  /** Compares the whole vault with the index; gives the number of notes that had changed. */
  refresh(progress?: Progress): Promise<number>;
  /** The same for single folders; gives the folders directly below them. */
  refreshFolders(folders: readonly string[]): Promise<string[]>;
  /** The same for single notes. */
  refreshPaths(paths: readonly NotePath[]): Promise<void>;
  close(): Promise<void>;
};

const NOBODY: Who = { client: "notewright", surface: "cli", tool: "", connection: "" };

export function openNotebook(parts: Parts): OpenNotebook {
  const { store, index, history } = parts;
  let markReady: () => void;
  const ready = index.complete() ? Promise.resolve() : new Promise<void>((resolve) => (markReady = resolve));
  const settled = async () => {
    await ready;
    await parts.settle?.();
  };

  const verbs = (who: Who): Notebook => ({
    as: verbs,
    ready: () => ready,
    now: parts.now,
    random: parts.random,
    async read(path, at) {
      if (at) return past(parts, path, at.revision);
      const note = await load(parts, path);
      if (!note) throw missing(parts, path);
      return note;
    },
    find: async (filter, page) => index.find(filter, page),
    links: async (query) => index.links(query),
    tags: async (from) => index.tags(from),
    folders: async (under) => index.folders(under),
    log: (query) => history.log(query),
    async locate(name) {
      await settled();
      const found = index.locate(name);
      if (found.length === 1) return found[0]!;
      if (found.length === 0) throw unknownName(parts, name);
      throw new NoteError(
        "name_ambiguous",
        `Several notes are called "${name}": ${found.join(", ")}. Say which, with its folder.`,
        {
          name,
          candidates: found,
        },
      );
    },
    write: (path, text, how = {}) => commit(parts, who, how, () => planWrite(parts, path, text, how)),
    edit: (edits: readonly EditOf[], how = {}) => commit(parts, who, how, () => planEdit(parts, edits, how)),
    async move(moves: readonly Move[], how = {}) {
      await settled();
      return commit(parts, who, how, () => planMove(parts, moves, how, who));
    },
    async remove(path, how = {}) {
      await settled();
      return commit(parts, who, how, () => planRemove(parts, path, how, who));
    },
  });

  return {
    ...verbs(NOBODY),
    async refresh(progress) {
      const changed = await refresh(parts, progress);
      markReady?.();
      return changed;
    },
    refreshFolders: (folders) => refreshFolders(parts, folders),
    refreshPaths: (paths) => reindex(parts, paths),
    async close() {
      await history.close();
      index.close();
      await store.close();
    },
  };
}

async function past(parts: Parts, path: NotePath, revision: string): Promise<Note> {
  const bytes = await parts.history.read(path, revision);
  if (!bytes)
    throw new NoteError(
      "revision_missing",
      `The note "${path}" has no version ${JSON.stringify(revision)}. Its history lists those there are.`,
      {
        path,
        revision,
      },
    );
  return makeNote(path, bytes, parts.versionOf(bytes), parts.now());
}

function unknownName(parts: Parts, name: string): NoteError {
  const nearest = parts.index.nearest(name, 3);
  const hint =
    nearest.length === 0 ? "" : ` The nearest there are: ${nearest.map((near) => `"${near}"`).join(", ")}.`;
  return new NoteError("note_missing", `There is no note called "${name}".${hint}`, { name, nearest });
}
