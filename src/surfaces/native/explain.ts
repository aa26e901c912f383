/** How this surface words a refusal: its code, what is wrong, what is there instead, and what to call next. */

import type { NoteError } from "../../markdown/errors.ts";
import { escaped, label } from "../../markdown/label.ts";
import type { Conflict } from "../../markdown/merge.ts";
import type { Deleted } from "../../notebook/load.ts";
import { truncated, shortRevision, time } from "./say.ts";

const CONFLICTS_SHOWN = 5;
const CONFLICT_ROOM = 1500;

const NEXT: Partial<Record<NoteError["code"], string>> = {
  note_exists:
    "To change part of it, edit_notes; to replace it, read_notes and give write_note its version as if_match.",
  rule_broken: "manage_rules lists the rules; mend the text and call again.",
  revision_missing: "get_history lists the revisions there are.",
  text_missing: "read_notes gives the text as it is.",
  base_missing: "manage_rules lists the knowledge bases.",
  fields_unreadable: "read_notes shows the block; mend it with write_note.",
};

export function explain(error: NoteError): string | { text: string; remark: string } {
  const { details } = error;
  const next = details["next"] ?? nextFor(error);
  const text = escaped([`${error.code}: ${error.message}`, next].filter(Boolean).join(" "));
  const conflicts = details["places"] as Conflict[] | undefined;
  return conflicts ? { text, remark: conflictsOf(conflicts) } : text;
}

function nextFor({ code, details }: NoteError): string | undefined {
  if (code === "note_missing" && details["movedTo"]) return "Call again with that path.";
  if (code === "note_missing" && details["file"])
    return 'list_notes with what "files" lists those there are.';
  if (code === "note_missing" && details["deleted"])
    return sayDeleted(String(details["path"]), details["deleted"] as Deleted);
  if (code === "note_missing")
    return "search_notes finds notes by their words, list_notes by folder; write_note makes a new one.";
  if (code === "version_conflict" && Array.isArray(details["conflicts"]))
    return "undo_changes takes their paths as skip.";
  if (code === "version_conflict" && typeof details["handle"] === "string")
    return `It is now ${details["handle"]}.`;
  return NEXT[code];
}

function sayDeleted(path: string, { by, had }: Deleted): string {
  const back = had
    ? `undo_changes with note "${path}" and to "${shortRevision(had.id)}"`
    : `undo_changes with revisions ["${shortRevision(by.id)}"]`;
  return `It was deleted in revision ${shortRevision(by.id)} (${time(by.date)}, ${label(by.author)}); ${back} gets it back.`;
}

/** Every conflict with both of its texts, that of the note first. */
function conflictsOf(conflicts: readonly Conflict[]): string {
  const shown = conflicts.slice(0, CONFLICTS_SHOWN).map(({ ours, theirs, line }) => {
    return `At line ${line} the note has:\n${truncated(ours, CONFLICT_ROOM)}\nand you sent:\n${truncated(theirs, CONFLICT_ROOM)}`;
  });
  const more = conflicts.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more places`] : [])].join("\n");
}
