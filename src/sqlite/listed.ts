/** A note as it stands in a list: what of its row is handed over, and how. */

import type { NotePath } from "../notebook/paths.ts";

export type Listed = {
  id: number;
  path: NotePath;
  nameKey: string;
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
export const LISTED = `json_array(n.id, n.path, n.name_key, n.title, n.handle, n.field_tags, n.inline_tags,
  n.type, n.created, n.modified, n.updated, n.size) AS row`;

type Columns = [
  ...[id: number, path: NotePath, nameKey: string, title: string, handle: string],
  ...[fieldTags: string, inlineTags: string, type: string | null],
  ...[created: number, modified: number, updated: string | null, size: number],
];

export function listedIn(rows: readonly { row: string }[]): Listed[] {
  const all = JSON.parse(`[${rows.map(({ row }) => row).join()}]`) as Columns[];
  return all.map((row) => ({
    id: row[0],
    path: row[1],
    nameKey: row[2],
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
