/** What one linear pass over a note's text finds. */

import type { Fields, Front } from "./frontmatter.ts";
import type { LinkMark } from "./links.ts";
import type { Heading } from "./sections.ts";

export type ParsedNote = {
  front: Front;
  fields: Fields;
  /** The field `title`, else the first heading; null where the file's name must serve. */
  title: string | null;
  /** Without the mark; each once, in order of appearance. */
  tags: { fields: string[]; inline: string[] };
  aliases: string[];
  headings: Heading[];
  links: LinkMark[];
  /** Block ids, written `^like-this` at the end of a block. */
  blocks: string[];
};
