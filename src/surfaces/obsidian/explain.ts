/** How the obsidian surface words a refusal: as its spec does, and what helps further after that. */

import type { NoteError } from "../../markdown/errors.ts";
import { escaped, label } from "../../markdown/label.ts";
import { nameOf, withoutEnding, type NotePath } from "../../notebook/paths.ts";
import { sayIssue, type Issue } from "../../notebook/rules.ts";
import { withoutMd } from "../naming.ts";
import { pythonList } from "./say.ts";

/** What the caller sent stands in the refusal as it was sent, as the spec has it. */
const clipped = (text: unknown): string => {
  const whole = String(text);
  return whole.length > 500 ? `${whole.slice(0, 500)}…` : whole;
};
const quoted = (paths: unknown): string[] =>
  Array.isArray(paths)
    ? (paths as NotePath[]).slice(0, 10).map((path) => `'${escaped(withoutEnding(path))}'`)
    : [];

export function explain(error: NoteError): string {
  const { code, details } = error;
  const path = details["path"] as NotePath | undefined;
  const name = label(String(details["name"] ?? (path === undefined ? "" : nameOf(path))), 500);
  const near = quoted(details["similar"]).slice(0, 3);
  const headings = pythonList(
    ((details["headings"] as string[] | undefined) ?? []).slice(0, 10).map((one) => label(one)),
  ).slice(1, -1);
  switch (code) {
    case "note_missing":
      return `Note '${name}' not found${near.length > 0 ? `. Did you mean ${near.join(" or ")}?` : ""}`;
    case "note_exists":
      return `Note '${name}' already exists${path?.includes("/") ? `, as '${escaped(withoutEnding(path))}'` : ""}`;
    case "name_ambiguous":
      return `Note name '${name}' is ambiguous: ${quoted(details["candidates"]).join(", ")}. Use one of these, with its folder, as the name.`;
    case "path_refused":
      return `Note name '${label(String(path), 500).replace(/\.md$/, "")}' ${clipped(details["reason"])}. Give a name, or folder/name inside the vault.`;
    case "section_missing":
      return `Section '${clipped(details["section"])}' not found in note '${name}'${headings === "" ? "" : `. It has ${headings}`}`;
    case "text_missing":
      return `${details["pattern"] ? "Pattern" : "Text"} '${clipped(details["text"])}' not found in note '${name}'`;
    case "rule_broken":
      return `Note '${name}' does not satisfy the rules of folder '${folderRuled(details)}': ${escaped((details["issues"] as Issue[]).map(sayIssue).join("; "))}`;
    case "constraint_malformed":
      return `Note '${name}' was not written: the rule file ${escaped(String(details["reason"]))}. Mend that file; until then its folder takes no changes.`;
    default:
      return withoutMd(error);
  }
}

const folderRuled = (details: NoteError["details"]): string =>
  escaped((details["constraint"] as { subfolder: string }).subfolder);
