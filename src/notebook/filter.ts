/** Filter: what every search and listing is written in, and what comes back. */

import type { Near } from "./vectors.ts";
import type { NotePath } from "./paths.ts";
import type { SoFar } from "./waiting.ts";

export type Filter =
  | { ask: string } // plain words: any may match, the best notes first
  | { words: string; prefix?: boolean; in?: "text" } // every word, in title, body, tags, aliases or path, or `in` title and body alone; `prefix`: the last one may go on
  | { phrase: string; in?: "title" | "text" }
  | { holds: string; in: "title" | "body" | "either" } // a substring, by folded text
  | { title: string } // every word, in the title
  | { name: string; part?: boolean } // the file's name, whole or in part, folded
  | { path: NotePath }
  | { alias: string } // an alias the note claims for itself, folded
  | { id: string }
  | { tag: string; under?: boolean; from?: "fields" | "all" }
  | { folder: string; deep?: boolean }
  | { inPath: string } // a part of the path, folded
  | { linksTo: NotePath }
  | { linksToName: string } // the note that is called so, by name or path, whether it exists or not
  | { field: string; op: FieldOp; value: string }
  | { since: Date }
  | { time: "created" | "modified"; from: Date | null; before: Date | null }
  | { is: "orphan" | "daily" | "broken" | "hidden" } // without a link to or from another note; called by a day; holds a link that leads nowhere; left out of searches by the vault's settings
  | { among: ReadonlySet<NotePath>; as: string } // some notes, and what they are: a cursor is bound to that alone, and stays good where one comes
  | { all: Filter[] } // an empty list is every note
  | { any: Filter[] }
  | { not: Filter };

/** `:` is equal, or has it as words; the value `*` is any. Numbers are compared as such, dates as far as they are written, else letters without case. Of a list one item is enough. */
export type FieldOp = ":" | "=" | "<" | "<=" | ">" | ">=";

export type Page = {
  limit: number;
  offset?: number;
  cursor?: string;
  /** Names and paths are in the order of code points. */
  sort: "rank" | "path" | "name" | "created" | "modified";
  /** How much text a snippet shows; absent means no snippets are made. `before`: how much may precede the hit. */
  snippet?: { before: number; width: number };
  /** What is near in meaning to the question, to be mixed with what has its words. */
  near?: readonly Near[];
};

/** A piece of one line or paragraph, white space folded to single spaces, with the hits as [start, end) offsets into `text`. */
export type Snippet = {
  in: "title" | "body";
  text: string;
  marks: [number, number][];
  cutBefore: boolean;
  cutAfter: boolean;
};

export type FoundNote = {
  path: NotePath;
  name: string;
  title: string;
  id: string;
  tags: { fields: string[]; inline: string[] };
  /** The field `type` where it is text, else null. */
  type: string | null;
  created: Date;
  modified: Date;
  /** The field `updated` or `modified` as written, or null. */
  updated: string | null;
  size: number;
  snippet: Snippet | null;
  /** The section the snippet is from, as a handle names it; null for the title, or text before any heading. */
  section: { heading: string; hash: string } | null;
  /** The line of the body the snippet is from, from 1; null for the title, or where there is no snippet. */
  bodyLine: number | null;
  /** How well its words fit, the more the better; null where notes are in another order. */
  score: number | null;
};

export type Found = {
  notes: FoundNote[];
  total: number;
  /** Where this page begins in the whole, from 0. */
  offset: number;
  /** More can be had with this; null at the end. */
  cursor: string | null;
  /** Words that were read as others, because the vault has no such word. */
  corrected: { from: string; to: string }[];
  /** Phrases and `name:value` that no note fits, read as plain words, as they were written. */
  loosened: string[];
  /** How many of the total have none of the words, and are there for what they mean. */
  byMeaning: number;
  /** Not every note could be looked at: more may be found later. */
  partial: boolean;
  /** How far a first indexing had come, where that is why. */
  soFar?: SoFar;
  /** How many notes could not be read when they were last looked at, where that is why. */
  unread?: number;
};
