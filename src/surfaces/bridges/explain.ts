/** How this surface words a refusal: an object with a code of its spec, a message, and the rules that were broken. */

import type { NoteError } from "../../markdown/errors.ts";

const CODES: { [code in NoteError["code"]]?: string } = {
  base_missing: "knowledge_base_not_found",
  base_exists: "knowledge_base_already_exists",
  base_overlap: "subfolder_overlap",
  rule_broken: "folder_constraint_violation",
  constraint_malformed: "schema_validation_failed",
  pattern_refused: "schema_validation_failed",
  input_refused: "schema_validation_failed",
  path_refused: "invalid_note_path",
  note_missing: "note_not_found",
  note_exists: "note_already_exists",
};

/** What the spec has no code for keeps our own. */
export function explain(error: NoteError): object {
  const { constraint, issues, actual } = error.details;
  const { message } = error;
  // A folder whose rules cannot be read is refused like one whose rules are broken, but the message names the file.
  if (constraint !== undefined)
    return {
      error: {
        code: "folder_constraint_violation",
        message:
          error.code === "rule_broken" ? "Note does not satisfy folder constraint requirements" : message,
        constraint,
        issues,
      },
    };
  const version = error.code === "version_conflict" && actual ? { current_version: actual } : {};
  return { error: { code: CODES[error.code] ?? error.code, message, ...version } };
}
