/** A note on one line: its path for other programs, and what is known of it as JSON. */

import { escaped } from "../markdown/label.ts";
import type { FoundNote } from "../notebook/filter.ts";
import type { Settings } from "./settings.ts";

/** What every command says of a note in JSON. */
export const noteData = ({ path, title, tags, created, modified }: FoundNote) => ({
  path,
  title,
  tags: [...tags.fields, ...tags.inline],
  created,
  modified,
});

/** A path as it is, or as a person may read it on a terminal, where a name could be made to do harm. With `-0` it ends in a NUL. */
export const pathLine = (
  path: string,
  { null: nul }: Settings["values"],
  output: { isTTY?: boolean },
): string => (nul === undefined ? `${output.isTTY ? escaped(path) : path}\n` : `${path}\0`);

export const countOf = (count: number): string => count.toLocaleString("en-US");
