/** Activity: which calls were made, by whom and on which notes, for a person to see. It holds no text; the last calls are kept in memory. */

import type { Notebook } from "../notebook/notebook.ts";
import type { LinkQuery } from "../notebook/link-graph.ts";
import type { LinkedPath } from "../notebook/paths.ts";

export type Activity = {
  /** Grows by one with each call. */
  id: number;
  at: Date;
  /** The identity that called; null over stdio, where a client has only the name it gives itself. */
  identity: string | null;
  client: string;
  surface: string;
  /** A tool, or the method of a request that read a note. */
  tool: string;
  /** The notes and other files that it named, as many as are kept of one call. */
  paths: LinkedPath[];
  /** `done`, `failed` by a mistake of ours, `cancelled`, or the code of the refusal. */
  outcome: string;
  milliseconds: number;
};

export type Activities = {
  add(call: Omit<Activity, "id">): void;
  /** Gives the calls after this one, as far as they are kept, oldest first. */
  since(id: number): Activity[];
  /** Calls the listener with each that comes, until the function that it gives is called. */
  listen(listener: (call: Activity) => void): () => void;
};

/** So many calls are kept, and so many paths of each. */
export const CALLS_KEPT = 2000;
export const PATHS_KEPT = 20;

export const openActivities = (): Activities => {
  const calls: Activity[] = [];
  const listeners = new Set<(call: Activity) => void>();
  let last = 0;
  return {
    add(call) {
      const one = { ...call, paths: call.paths.slice(0, PATHS_KEPT), id: ++last };
      calls.push(one);
      if (calls.length > CALLS_KEPT) calls.shift();
      for (const listener of listeners) listener(one);
    },
    since: (id) => calls.filter((call) => call.id > id),
    listen(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

/** The notebook, and the paths that its verbs are called with: whatever a surface calls a note, here it has its path. */
export const naming = (notebook: Notebook): { bound: Notebook; paths(): LinkedPath[] } => {
  const named = new Set<LinkedPath>();
  const name = (...paths: readonly LinkedPath[]): void => {
    for (const path of paths) if (named.size < PATHS_KEPT) named.add(path);
  };
  const { read, links, log, file, pdf, check, write, edit, move, remove, put, restore, undo } = notebook;
  return {
    paths: () => [...named],
    bound: {
      ...notebook,
      read: (path, at) => (name(path), read(path, at)),
      links: (query) => (name(...asked(query)), links(query)),
      log: (query, how) => (name(...(query.path === undefined ? [] : [query.path])), log(query, how)),
      file: (path, most) => (name(path), file(path, most)),
      pdf: (path, range) => (name(path), pdf(path, range)),
      check: (path) => (name(path), check(path)),
      write: (path, text, how) => (name(path), write(path, text, how)),
      edit: (edits, how) => (name(...edits.map(({ path }) => path)), edit(edits, how)),
      move: (moves, how) => (
        name(...moves.flatMap((it) => ("from" in it ? [it.from, it.to] : []))),
        move(moves, how)
      ),
      remove: (what, how) => (name(...(typeof what === "string" ? [what] : [])), remove(what, how)),
      put: (brought, how) => (name(...brought.map(({ path }) => path)), put(brought, how)),
      restore: (path, revision, how) => (name(path), restore(path, revision, how)),
      undo: (revisions, how) => {
        for (const { changes } of revisions) name(...changes.slice(0, PATHS_KEPT).map(({ path }) => path));
        return undo(revisions, how);
      },
    },
  };
};

/** The note or file whose links are asked for. */
const asked = (query: LinkQuery): LinkedPath[] => {
  if ("to" in query) return [query.to];
  if ("from" in query) return [query.from];
  if ("around" in query) return [query.around];
  if ("toFile" in query) return [query.toFile];
  return "filesFrom" in query ? [query.filesFrom] : [];
};
