/** The summary of a note in a list: which columns of its row are read, and how. */

import type { NotePath } from "../notebook/paths.ts";

export type NoteSummary = {
  id: number;
  path: NotePath;
  name: string;
  title: string;
  handle: string;
  /** Both are JSON. */
  fieldTags: string;
  inlineTags: string;
  type: string | null;
  created: number;
  modified: number;
  updated: string | null;
  size: number;
};

/** The columns of a note `n`, as one text without names: to hand over each column by itself takes longer, and so does naming them. */
export const SUMMARY = `json_array(n.id, n.path, n.name, n.title, n.handle, n.field_tags, n.inline_tags,
  n.type, n.created, n.modified, coalesce(n.updated, n.modified_field), n.size) AS row`;

type Columns = [
  ...[id: number, path: NotePath, name: string, title: string, handle: string],
  ...[fieldTags: string, inlineTags: string, type: string | null],
  ...[created: number, modified: number, updated: string | null, size: number],
];

/** More rows than this are handed over one by one: a value may not be of any length. */
const JOINED = 1000;

/** Turns a statement that gives such rows, `most` at most, into one that joins them: to hand rows over takes longer than to find them. SQLite keeps their order. */
export const joinedRows = (rows: string, most: number): string =>
  most > JOINED ? rows : `SELECT group_concat(row) AS row FROM (${rows})`;

/** Where there is no row, there is a null. */
export function summariesIn(rows: readonly { row: string | null }[]): NoteSummary[] {
  const texts = rows.flatMap(({ row }) => row ?? []);
  const all = JSON.parse(`[${texts.join()}]`) as Columns[];
  return all.map((row) => ({
    id: row[0],
    path: row[1],
    name: row[2],
    title: row[3],
    handle: row[4],
    fieldTags: row[5],
    inlineTags: row[6],
    type: row[7],
    created: row[8],
    modified: row[9],
    updated: row[10],
    size: row[11],
  }));
}
