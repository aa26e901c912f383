/** A note as it stands in a list: what of its row is handed over, and how. */

import type { NotePath } from "../notebook/paths.ts";

export type Listed = {
  id: number;
  path: NotePath;
  name: string;
  title: string;
  handle: string;
  /** As JSON. */
  fieldTags: string;
  inlineTags: string;
  type: string | null;
  created: number;
  modified: number;
  updated: string | null;
  size: number;
};

/** Of a note `n`. One text a row, without names: handing each column over by itself takes longer, and so does naming them there. */
export const LISTED = `json_array(n.id, n.path, n.name, n.title, n.handle, n.field_tags, n.inline_tags,
  n.type, n.created, n.modified, coalesce(n.updated, n.modified_field), n.size) AS row`;

type Columns = [
  ...[id: number, path: NotePath, name: string, title: string, handle: string],
  ...[fieldTags: string, inlineTags: string, type: string | null],
  ...[created: number, modified: number, updated: string | null, size: number],
];

/** More than these are handed over one by one: a value may not be of any length. */
const IN_ONE = 1000;

/** A statement that gives such rows, so many at most, as one that gives all of them in one: to take rows over takes longer than to find them. SQLite keeps their order. */
export const inOne = (rows: string, most: number): string =>
  most > IN_ONE ? rows : `SELECT group_concat(row) AS row FROM (${rows})`;

/** Of none there is a null. */
export function listedIn(rows: readonly { row: string | null }[]): Listed[] {
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
