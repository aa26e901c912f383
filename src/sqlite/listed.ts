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

/** Of a note `n`. One text a row: handing each column over by itself takes longer. */
export const LISTED = `json_array(n.id, n.path, n.name_key, n.title, n.handle, n.field_tags, n.inline_tags,
  n.type, n.created, n.modified, n.updated, n.size) AS row`;

type Columns = [
  number,
  NotePath,
  string,
  string,
  string,
  string,
  string,
  string | null,
  number,
  number,
  string | null,
  number,
];

export function listedIn(rows: readonly { row: string }[]): Listed[] {
  const all = JSON.parse(`[${rows.map(({ row }) => row).join()}]`) as Columns[];
  return all.map(
    ([
      id,
      path,
      nameKey,
      title,
      handle,
      fieldTags,
      inlineTags,
      type,
      created,
      modified,
      updated,
      size,
    ]): Listed => ({
      id,
      path,
      nameKey,
      title,
      handle,
      fieldTags,
      inlineTags,
      type,
      created,
      modified,
      updated,
      size,
    }),
  );
}
