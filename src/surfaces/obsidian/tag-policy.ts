/** The tag policy: a tag that no note has is not brought in without being asked for, and two tags have a rule of their own. */

import { NoteError } from "../../markdown/errors.ts";
import { label } from "../../markdown/label.ts";
import type { Change } from "../../notebook/change.ts";
import type { Note } from "../../notebook/note.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { pythonList } from "./say.ts";

export const AUTOCONTEXT_TAG = "claude";

const RULES: Record<string, { holds(note: Note): boolean; error: string }> = {
  Person: {
    holds: (note) => note.name.startsWith("@"),
    error: "Tag 'Person' is for people notes only. Note name must start with '@' (e.g. '@John Doe').",
  },
  [AUTOCONTEXT_TAG]: {
    holds: (note) => Boolean(note.fields["description"]),
    error:
      "Tag 'claude' marks instructions for Claude AI. Requires 'description' field in frontmatter explaining when to read the note.",
  },
};

export const allowedTags = async (notebook: Notebook): Promise<string[]> =>
  (await notebook.tags("fields")).map((tag) => tag.name).toSorted();

// These are enough to choose from; a vault may have tens of thousands.
const SHOWN = 500;
export const TAG_LENGTH = 100;

/** A guard: it checks the tags that a change brings into a note's fields. */
export const checkTags =
  (notebook: Notebook) =>
  async (changes: readonly Change[]): Promise<void> => {
    const added = addedTags(changes);
    if (added.length === 0) return;
    const allowed = await allowedTags(notebook);
    const unknown = added.filter((tag) => !allowed.includes(tag));
    // The first tag of a vault has to come from somewhere.
    if (unknown.length === 0 || allowed.length === 0) return;
    const more = allowed.length > SHOWN ? ` and ${allowed.length - SHOWN} more` : "";
    const shown = allowed.slice(0, SHOWN).map((tag) => label(tag, TAG_LENGTH));
    throw new NoteError(
      "input_refused",
      `Tags not in allowed list: ${pythonList(unknown)}. Allowed: ${pythonList(shown)}${more}. Ask user before creating new tags.`,
      { tags: unknown },
    );
  };

/** A guard: it checks the tags that a change brings in, and the rules of single tags. */
export const checkTagsAndRules =
  (notebook: Notebook) =>
  async (changes: readonly Change[]): Promise<void> => {
    await checkTags(notebook)(changes);
    const note = changes[0]?.after;
    for (const tag of addedTags(changes)) {
      const rule = Object.hasOwn(RULES, tag) ? RULES[tag] : undefined;
      if (rule && note && !rule.holds(note)) throw new NoteError("input_refused", rule.error, { tag });
    }
  };

// The note that was asked for comes first; links rewritten in others bring in no tags.
const addedTags = ([change]: readonly Change[]): string[] => {
  const had = change?.before?.tags.fields ?? [];
  return (change?.after?.tags.fields ?? []).filter((tag) => !had.includes(tag));
};
