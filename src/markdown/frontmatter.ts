/** Frontmatter: the YAML block a note may open with. Read whole, edited by splicing, so that lines not set keep their bytes. */

/** A YAML value as read: dates, times, `yes`, `1.10` and `1e3` stay the strings they were typed as. Maps have no prototype. */
export type Value = string | number | boolean | null | Value[] | { [key: string]: Value };
export type Fields = { [key: string]: Value };

/** Where the block stands. Offsets count UTF-16 units of the note's text (a BOM, if any, is its first unit). */
export type Front = {
  /** Offset of the first unit after the closing fence's line; 0 (or 1 after a BOM) where there is no block. */
  bodyStart: number;
  /** The line of the file, counted from 1, on which the body begins. */
  bodyLine: number;
  /** The YAML between the fences, as offsets; null where there is no block. */
  yaml: { start: number; end: number } | null;
  /** Why the block cannot be read as a map of fields; then `fields` is empty and edits of fields are refused. */
  trouble: string | null;
};
