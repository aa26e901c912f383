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
export const LISTED = `json_object('id', n.id, 'path', n.path, 'nameKey', n.name_key, 'title', n.title, 'handle', n.handle,
  'fieldTags', n.field_tags, 'inlineTags', n.inline_tags, 'type', n.type, 'created', n.created, 'modified', n.modified,
  'updated', n.updated, 'size', n.size) AS row`;

export const listedIn = (rows: readonly { row: string }[]): Listed[] =>
  JSON.parse(`[${rows.map(({ row }) => row).join()}]`) as Listed[];
