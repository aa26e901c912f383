/** Note: what the text says (ParsedNote), and where, when and which version it is. */

import { parseNote, type ParsedNote } from "../markdown/note.ts";
import { nameOf, type NotePath } from "./paths.ts";
import type { Version } from "./parts.ts";

export type Note = ParsedNote & {
  path: NotePath;
  /** File name without `.md`. */
  name: string;
  /** The field `title`, else the first heading, else the name. */
  title: string;
  bytes: Uint8Array;
  /** Null where the bytes are not UTF-8: such a note can be moved, removed and restored, not edited. A BOM is kept as U+FEFF. */
  text: string | null;
  version: Version;
  /** The field `created` where it is a date, else null: the index then knows a time from history or the file. */
  created: Date | null;
  /** The file's time. */
  modified: Date;
  /** Eight hex digits: the field `id` where it is such, else made from the path. */
  id: string;
};
