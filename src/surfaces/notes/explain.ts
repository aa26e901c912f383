/** How the notes surface words a refusal: one sentence that ends in a cross. */

import type { NoteError } from "../../markdown/errors.ts";
import { escaped } from "../../markdown/label.ts";
import { sayIssue, type Issue } from "../../notebook/rules.ts";

/** Names of files mean nothing here, so a note that its folder's rules hold back is only called the note. */
export function explain({ code, message, details }: NoteError): string {
  const { constraint, issues, reason } = details as {
    constraint?: { subfolder: string };
    issues?: Issue[];
    reason?: string;
  };
  if (code === "rule_broken")
    return `Note does not satisfy the rules of folder '${escaped(constraint!.subfolder)}': ${escaped(issues!.map(sayIssue).join("; "))} ❌`;
  if (code === "constraint_malformed")
    return `Note was not written: the rule file ${escaped(reason!)}. Mend that file; until then its folder takes no changes ❌`;
  return `${message} ❌`;
}
