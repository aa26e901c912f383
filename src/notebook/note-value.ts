/** A note's form for the wire: plain values where a Note has getters and bytes. */

import type { Fields } from "../markdown/frontmatter.ts";
import type { Note } from "./note.ts";
import type { Version } from "./parts.ts";
import type { NotePath } from "./paths.ts";

export type NoteValue = {
  path: NotePath;
  name: string;
  title: string;
  version: Version;
  /** Null where the note is not UTF-8. */
  text: string | null;
  /** Where the body begins in the text, and on which line. */
  bodyStart: number;
  bodyLine: number;
  fields: Fields;
  /** Why the fields cannot be read; null where they can. */
  trouble: string | null;
  tags: string[];
  aliases: string[];
  headings: { level: number; text: string; line: number }[];
  /** ISO 8601. */
  created: string | null;
  modified: string;
  /** A change of several notes was under way as this was read. */
  pendingOperation: boolean;
};

/** Headings given of one note: an outline of more is read by nobody. */
export const HEADINGS_GIVEN = 2000;

export const noteValue = (note: Note): NoteValue => ({
  path: note.path,
  name: note.name,
  title: note.title,
  version: note.version,
  text: note.text,
  bodyStart: note.front.bodyStart,
  bodyLine: note.front.bodyLine,
  fields: note.fields,
  trouble: note.front.trouble,
  tags: [...new Set([...note.tags.fields, ...note.tags.inline])],
  aliases: note.aliases,
  headings: note.headings.slice(0, HEADINGS_GIVEN).map(({ level, text, line }) => ({ level, text, line })),
  created: note.created?.toISOString() ?? null,
  modified: note.lastModified.toISOString(),
  pendingOperation: note.pendingOperation ?? false,
});
