/** Notebook: the verbs every surface is written in. */

import type { Edit } from "../markdown/edits.ts";
import type { Changeset, How, Who } from "./change.ts";
import type { Filter, Found, Page } from "./filter.ts";
import type { Link, LinkQuery } from "./link-graph.ts";
import type { Note } from "./note.ts";
import type { Count, LogQuery, Revision } from "./parts.ts";
import type { NotePath } from "./paths.ts";

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
