/** The opening block: which notes hold instructions for the assistant, and which tags there are. Built once for a connection. */

import { label } from "../../markdown/label.ts";
import type { Value } from "../../markdown/frontmatter.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { AUTOCONTEXT_TAG, TAG_LENGTH, allowedTags } from "./tag-policy.ts";

const MISSING_DESCRIPTION =
  "⚠️ No description. Claude, please add a 'description' field to this note's frontmatter explaining when to read it.";

// The block is paid for on every connection, and its words come from whoever wrote the notes.
const NOTES_SHOWN = 100;
const TAGS_SHOWN = 1000;
const DESCRIPTION_LENGTH = 300;

export async function openingBlock(notebook: Notebook): Promise<string> {
  await notebook.ready();
  return `${await personalNotes(notebook)}\n\n${await tagPolicy(notebook)}`;
}

async function personalNotes(notebook: Notebook): Promise<string> {
  const found = await notebook.find(
    { tag: AUTOCONTEXT_TAG, from: "fields" },
    { limit: NOTES_SHOWN, sort: "name" },
  );
  const lines = ["## Your personal notes"];
  if (found.total === 0)
    return [
      ...lines,
      "None yet. Create notes tagged 'claude', each with a 'description' field saying when to read it: they are listed here in every session.",
      "Use read_note() to read the full text of a note.",
    ].join("\n");
  for (const row of found.notes) {
    // A note that has gone or cannot be read meanwhile must not cost the others.
    const note = await notebook.read(row.path).catch(() => null);
    if (note)
      lines.push(`- ${JSON.stringify(oneLine(row.name, 255))} — ${described(note.fields["description"])}`);
  }
  if (found.total > NOTES_SHOWN)
    lines.push(`- and ${found.total - NOTES_SHOWN} more: search_notes("claude", mode="tag")`);
  return [...lines, "Use read_note() to read the full text of a note when its description applies."].join(
    "\n",
  );
}

async function tagPolicy(notebook: Notebook): Promise<string> {
  const tags = (await allowedTags(notebook)).map((tag) => oneLine(tag, TAG_LENGTH));
  const more = tags.length > TAGS_SHOWN ? `, and ${tags.length - TAGS_SHOWN} more` : "";
  return [
    "## Allowed tags",
    tags.length === 0 ? "There are no tags in the vault yet." : tags.slice(0, TAGS_SHOWN).join(", ") + more,
    "NEVER create new tags without explicit user permission.",
  ].join("\n");
}

const described = (description: Value | undefined): string =>
  description
    ? oneLine(typeof description === "string" ? description : JSON.stringify(description), DESCRIPTION_LENGTH)
    : MISSING_DESCRIPTION;

/** Text from a note as part of one line: a label, without the markup by which it could pass for something else. */
export const oneLine = (text: string, length: number): string =>
  label(text.replace(/\s+/g, " ").trim(), length).replaceAll("<", "&lt;").replaceAll(">", "&gt;");
