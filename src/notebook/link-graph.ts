/** Links between notes as the index knows them, and the one rule by which a written target means a note. */

import type { LinkMark } from "../markdown/links.ts";
import type { AttachmentPath, NotePath } from "./paths.ts";

/** The index knows this many links of one note, more than anyone writes by hand: a note made to choke the index stops here. */
export const LINK_LIMIT = 50_000;

export type LinkQuery = (
  | { to: NotePath }
  | { from: NotePath }
  | { around: NotePath; depth: number; direction: "in" | "out" | "both" }
  /** Links whose target, as written, would be the note of this path or name, whether it exists or not. */
  | { written: string }
  | { broken: true }
  /** Links to an attachment; links of a note that lead to attachments, or would. */
  | { toFile: AttachmentPath }
  | { filesFrom: NotePath }
  /** Links of canvases: to this note, or all of them. */
  | { inCanvases: NotePath | null }
) & { limit?: number };

export type Link = {
  /** The note that it stands in; a canvas, where those were asked for too. */
  source: NotePath;
  sourceTitle: string;
  /** The target as it was written, decoded, without anchor. */
  target: string;
  anchor: string;
  label: string | null;
  form: LinkMark["form"];
  /** The note it means now, or null where there is none. */
  path: NotePath | null;
  /** The attachment it means, where it means one. */
  file?: AttachmentPath;
  /** That note's title, else the target. */
  title: string;
  /** Line of the file from 1; and of the body, where 0 means that it stands in the fields. */
  line: number;
  bodyLine: number;
  /** The text around it: 50 characters either side, on one line. */
  context: string;
  /** Steps from the note asked for, from 1. */
  depth: number;
  /** What it lacks, where broken links were asked for. */
  lacks?: Lacking;
};

/** What a broken link lacks: what it leads to, or the heading or block that it names there. */
export const LACKING = ["note", "heading", "block", "attachment"] as const;
export type Lacking = (typeof LACKING)[number];
export type BrokenLink = Link & { lacks: Lacking };
/** A page of the broken links of a vault, by note and line, and how many there are of each kind. */
export type BrokenLinks = {
  links: BrokenLink[];
  counts: Record<Lacking, number>;
  /** Where the next page begins; null where there is none. */
  next: string | null;
  /** Links to headings and blocks that were not looked at, because there are so many. */
  left: number;
};
export type BrokenPage = { limit: number; after?: string | null };

/** What resolving asks for by folded keys (see foldKey): NFC, lower case. */
export type Names<Path> = {
  /** Gives what has a path that, without `.md`, folds to this key. */
  byPath(key: string): Path[];
  byName(key: string): Path[];
  byAlias(key: string): Path[];
  byTitle(key: string): Path[];
};

/** What resolving needs to know of a vault: its notes, and its attachments where there may be some. */
export type Lookup = Names<NotePath> & {
  attachments?: Pick<Names<AttachmentPath>, "byPath" | "byName">;
  /** What may not be seen: a link that leads there leads nowhere. */
  hides?(path: NotePath | AttachmentPath): boolean;
};
