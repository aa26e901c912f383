/** NoteError: a refusal that a caller can act on. A code and data inside; each surface words it in its own way (decision 2). */

import { label } from "./label.ts";

export type Code =
  | "note_missing"
  | "note_exists"
  | "name_ambiguous"
  | "path_refused"
  | "section_missing"
  | "text_missing"
  | "text_ambiguous"
  | "input_refused"
  | "query_malformed"
  | "version_conflict"
  | "revision_missing"
  | "rule_broken"
  | "alias_taken"
  | "fields_unreadable"
  | "not_utf8"
  | "file_refused"
  | "too_large"
  | "pattern_refused"
  | "indexing"
  | "busy"
  | "read_only"
  | "disk_full"
  | "disk_refused"
  | "disk_failed"
  | "sqlite_missing"
  | "base_missing"
  | "base_exists"
  | "base_overlap"
  | "constraint_malformed";

/** A message may list names: hundreds of tags, on one surface. */
const MESSAGE_LENGTH = 64 * 1024;

// It lives in markdown/, the lowest folder, because edits throw it; a class so that `instanceof` tells it from a defect.
export class NoteError extends Error {
  readonly code: Code;
  /** Enough for any dialect to word it: path, name, section, issues, candidates, similar … */
  readonly details: Record<string, unknown>;
  /** The message becomes one line: names from a vault stand in it. */
  constructor(code: Code, message: string, details: Record<string, unknown> = {}) {
    super(label(message, MESSAGE_LENGTH));
    this.code = code;
    this.details = details;
  }
}

/** Whether the same may well work in a moment, although nothing was changed: it says nothing about the note itself. */
export const isPassing = ({ code }: NoteError): boolean => code === "disk_failed" || code === "busy";
