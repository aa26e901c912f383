/** Attachments, as the index knows them: every visible file that is no note. */

import type { CanvasLink } from "../markdown/canvas-links.ts";
import type { Steps } from "../markdown/steps.ts";
import type { Stat, Within } from "./parts.ts";
import type { AttachmentPath } from "./paths.ts";
import type { FileStamp } from "./stamp.ts";

/** An attachment as the index knows it. */
export type Attachment = { path: AttachmentPath; size: number; modified: Date };
/** The first bytes of an attachment; all of them, where there are `size`. */
export type FirstBytes = Stat<AttachmentPath> & { bytes: Uint8Array };
/** One attachment's place in the index; `stat: null` takes it out. `links` are those of a canvas that was read, null where it cannot be. */
export type AttachmentRow = {
  path: AttachmentPath;
  stat: Omit<Stat, "path"> | null;
  links?: readonly CanvasLink[] | null;
};
/** The attachments of a vault: known by name, size and time; of none but canvases anything is read for this. */
export type Attachments = {
  /** Their stamps: of all, or of those directly in a folder or, `deep`, at any depth below it. */
  stamps(which?: Extract<Within, { folder: string }>): Map<AttachmentPath, FileStamp>;
  stamp(path: AttachmentPath): FileStamp | null;
  /** The folders directly below, by their whole path, that hold some at any depth. */
  folders(under: string): string[];
  put(rows: readonly AttachmentRow[]): void;
  /** Canvases whose links were not read since they changed; and those that cannot be read. */
  canvases(state: "unread" | "unreadable"): AttachmentPath[];
  /** Files of Bases (`.base`). */
  bases(): AttachmentPath[];
  /** Canvases that hold a link filed under one of these keys. */
  canvasesUnder(keys: Iterable<string>): AttachmentPath[];
  /** Attachments that a name or path could mean: exact path, else name with its ending (or path ending). Exact spelling wins over folded. */
  locate(name: string): AttachmentPath[];
  /** What a folder holds, and those below it (`unused`: that no link leads to), by path, after a path; and how many there are in all. */
  list(query: AttachmentQuery): Steps<{ attachments: Attachment[]; total: number }>;
};
export type AttachmentQuery = { folder: string; unused?: boolean; after?: string; limit: number };
