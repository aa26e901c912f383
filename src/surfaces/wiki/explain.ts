/** How this surface words a refusal: `Error: ` and one plain sentence, with notes of a similar name where a path led nowhere. */

import type { NoteError } from "../../markdown/errors.ts";
import { escaped } from "../../markdown/label.ts";
import type { NotePath } from "../../notebook/paths.ts";
import type { Issue } from "../../notebook/rules.ts";
import { withoutMd } from "../naming.ts";
import { toWiki } from "./address.ts";
import { issueLines, shortId } from "./say.ts";

export function explain(error: NoteError): string {
  const { path, similar, movedTo, constraint, issues, reason } = error.details as {
    path?: NotePath;
    similar?: NotePath[];
    movedTo?: NotePath;
    constraint?: { subfolder: string };
    issues?: Issue[];
    reason?: string;
  };
  switch (error.code) {
    case "note_missing": {
      if (movedTo) return `Error: Note not found: ${named(path)}. It was moved to ${named(movedTo)}`;
      const hint = similar && similar.length > 0 ? `. Did you mean: ${similar.map(named).join(", ")}?` : "";
      return `Error: Note not found: ${named(path)}${hint}`;
    }
    case "note_exists":
      return `Error: Note already exists at ${named(path)}`;
    case "revision_missing":
      return path === undefined
        ? `Error: ${withoutMd(error)}`
        : `Error: ${named(path)} has no version ${shortId(String(error.details["revision"]))}`;
    case "rule_broken":
      return [
        `Error: Note ${named(path)} does not satisfy the rules of ${escaped(constraint!.subfolder)}:`,
        ...issueLines(issues!),
      ].join("\n");
    case "constraint_malformed":
      return `Error: Note ${named(path)} was not written: the rule file ${escaped(reason!)}. Mend that file; until then its folder takes no changes.`;
    default:
      return `Error: ${withoutMd(error)}`;
  }
}

const named = (path: NotePath | undefined): string => (path === undefined ? "" : escaped(toWiki(path)));
