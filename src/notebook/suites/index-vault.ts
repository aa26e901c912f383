/** Notes and indexes for the index suite: a few lines of Markdown to a row, and a small vault to ask about. */

import { atOnce } from "../../markdown/steps.ts";
import type { Filter, Found, Page } from "../filter.ts";
import { encodeText, makeNote, shortHash } from "../note.ts";
import type { Link, LinkQuery } from "../link-graph.ts";
import type { IndexRow, NoteIndex } from "../parts.ts";
import type { NotePath } from "../paths.ts";
import { stampOf, type FileStamp, type Stamp } from "../stamp.ts";

/** An index to test. `dump` is everything it holds, in an order of its own, without numbers that depend on the order of coming; `check` throws where it contradicts itself. */
export type OpenedIndex = { index: NoteIndex; dump(): unknown; check(): void };
export type OpenIndex = () => Promise<OpenedIndex>;

export const NOON = new Date("2026-02-24T12:00:00Z");

/** The stamps of files are given as they are; a note is taken for read whole under them. */
export type More = { seen?: Stamp | FileStamp | null; stamp?: FileStamp; modified?: Date };

export function row(path: string, text: string | null, more: More = {}): IndexRow {
  const { seen = null, stamp = "1", modified = NOON } = more;
  const note = text === null ? null : makeNote(path as NotePath, encodeText(text), shortHash(text), modified);
  const held = typeof seen === "string" ? stampOf(seen) : seen;
  return { path: path as NotePath, seen: held, stamp: stampOf(stamp), note };
}

export const fill = (index: NoteIndex, vault: Record<string, string>): void => {
  index.apply(Object.entries(vault).map(([path, text]) => row(path, text)));
  index.completed();
};

export const ALL: Page = { limit: 1000, sort: "path" };

export const pathsOf = (found: Found): string[] => found.notes.map(({ path }) => path);

export const findNow = (index: NoteIndex, filter: Filter, page: Page): Found =>
  atOnce(index.find(filter, page));
export const linksNow = (index: NoteIndex, query: LinkQuery): Link[] => atOnce(index.links(query));

export const findPaths = (index: NoteIndex, filter: Filter, page: Partial<Page> = {}): string[] =>
  pathsOf(findNow(index, filter, { ...ALL, ...page }));
