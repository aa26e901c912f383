/** How this surface words a refusal: `error_type: message`, with paths as it writes them. */

import type { NoteError } from "../../markdown/errors.ts";
import { escaped, label } from "../../markdown/label.ts";
import type { NotePath } from "../../notebook/paths.ts";
import { sayIssue, type Issue } from "../../notebook/rules.ts";
import { withoutMd } from "../naming.ts";
import { toCairn } from "./address.ts";

const KINDS: Partial<Record<NoteError["code"], string>> = {
  note_missing: "not_found",
  revision_missing: "not_found",
  alias_taken: "alias_conflict",
  note_exists: "conflict",
  name_ambiguous: "conflict",
  text_ambiguous: "conflict",
  version_conflict: "conflict",
  busy: "internal_error",
  indexing: "internal_error",
  disk_full: "internal_error",
  disk_refused: "internal_error",
  disk_failed: "internal_error",
};

export const explain = (error: NoteError): string =>
  `${KINDS[error.code] ?? "validation_error"}: ${escaped(sentence(error))}`;

type Details = {
  path?: NotePath;
  alias?: string;
  similar?: NotePath[];
  movedTo?: NotePath;
  section?: string;
  headings?: string[];
  constraint?: { subfolder: string };
  issues?: Issue[];
  reason?: string;
};

function sentence(error: NoteError): string {
  const { code, details } = error;
  const {
    path,
    alias,
    similar = [],
    movedTo,
    section,
    headings = [],
    constraint,
    issues,
    reason,
  } = details as Details;
  const name = path === undefined ? "" : toCairn(path);
  if (code === "note_missing" && name !== "") {
    if (movedTo) return `${name} was moved to ${toCairn(movedTo)}`;
    const hint = similar.length > 0 ? ` Nearest: ${similar.map(toCairn).join(", ")}.` : "";
    return `There is no note ${name}.${hint}`;
  }
  if (code === "section_missing" && section !== undefined) {
    const hint =
      headings.length > 0
        ? `It has: ${headings.map((heading) => label(heading)).join(", ")}.`
        : "It has no headings.";
    return `The note has no section ${JSON.stringify(section.slice(0, 200))}. ${hint}`;
  }
  if (code === "alias_taken" && alias !== undefined)
    return `The alias "${alias}" belongs to ${name}. Choose another, or take it from that note first.`;
  if (code === "rule_broken" && issues && constraint)
    return `${name} does not satisfy the rules of the folder ${constraint.subfolder}: ${issues.map(sayIssue).join("; ")}.`;
  if (code === "constraint_malformed" && constraint)
    return `${name} was not written: the rule file ${reason}. Mend that file; until then its folder takes no changes.`;
  return withoutMd(error);
}
