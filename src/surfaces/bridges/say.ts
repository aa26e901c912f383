/** How this surface words what it gives: objects in the shapes of its spec, and its fixed sentences. */

import type { Change } from "../../notebook/change.ts";
import { textOf, type Note } from "../../notebook/note.ts";
import type { Standing } from "../../notebook/rulebook.ts";
import type { Base, Constraint, Issue, RuleTrouble } from "../../notebook/rules.ts";

const PREVIEW = 200;
/** The limit of each of two notes in one answer: the change is already made, and an answer that is too large would hide that. */
const CONTENT_ROOM = 2_000_000;

export const NEXT_STEPS =
  "Knowledge base created. Please define folder constraints using add_knowledge_base_folder_constraint to specify machine-checkable metadata rules for notes under specific subfolders.";
export const CHECK_NOTE = `Please verify the note against the knowledge base's organization_rules:

1. Check that the note content follows the organization guidelines
2. Ensure the note structure matches KB conventions

If any issues are found, call update_note with corrected content.`;
const CHECK_UPDATE = `Please verify the update against the knowledge base's organization_rules:

1. Compare original and updated content to ensure no important information was lost
2. Check that the updated note follows the organization guidelines
3. Verify the note structure matches KB conventions

If any issues are found, call update_note again with corrected content.`;

export const baseSummary = ({ name, subfolder }: Base) => ({ name, subfolder });
export const baseWithRules = (base: Base) => ({
  ...baseSummary(base),
  organization_rules: base.organizationRules,
});
export const baseDetails = (base: Base) => ({
  name: base.name,
  create_time: base.createTime,
  description: base.description,
  subfolder: base.subfolder,
  organization_rules: base.organizationRules,
});

/** `problems` stands there only where a rule file cannot be used. */
export const bases = (all: readonly Base[], troubles: readonly RuleTrouble[]) => ({
  knowledge_bases: all.map((base) => ({
    name: base.name,
    description: base.description,
    subfolder: base.subfolder,
    create_time: base.createTime,
    organization_rules_preview: preview(base.organizationRules),
  })),
  ...(troubles.length === 0
    ? {}
    : {
        problems: troubles.map(({ base, file, reason }) => ({
          kb_name: base,
          file,
          problem: reason,
        })),
      }),
});

function preview(text: string): string {
  const end = advance(text, 0, PREVIEW).unit;
  return end < text.length ? `${text.slice(0, end)}...` : text;
}

/** `failing_notes` stands there only where notes that exist already do not satisfy the rules, or were too many to look at. */
export const constrained = ({ base, subfolder, rules }: Constraint, standing: Standing) => {
  const { failing: total, checked, below } = standing;
  const some = checked < below ? { checked, of: below } : {};
  const first = standing.first.map(({ path }) => path);
  return {
    folder_constraint: { kb_name: base, subfolder, rules },
    ...(total === 0 && checked === below ? {} : { failing_notes: { total, first, ...some } }),
  };
};

export const validation = (issues: readonly Issue[]) => ({ passed: issues.length === 0, issues });

export const note = (it: Note) => ({ path: it.path, content: textOf(it), version: it.version });

export const changed = (base: Base, { before, after }: Change) => ({
  knowledge_base: baseWithRules(base),
  original_note: noteWithinRoom(before!),
  updated_note: noteWithinRoom(after!),
  machine_validation: validation([]),
  validation_instruction_for_llm: CHECK_UPDATE,
});

function noteWithinRoom(it: Note) {
  const shown = note(it);
  if (shown.content.length <= CONTENT_ROOM) return shown;
  return {
    ...shown,
    content: shown.content.slice(0, CONTENT_ROOM).replace(/\p{Surrogate}$/u, ""),
    content_cut: true,
  };
}

/** A part of a note, counted in characters (code points). */
export function chunk(it: Note, offset: number, limit: number) {
  const text = textOf(it);
  const start = advance(text, 0, offset);
  const end = advance(text, start.unit, limit);
  const rest = advance(text, end.unit, Number.POSITIVE_INFINITY).count;
  const from = start.count;
  return {
    path: it.path,
    content: text.slice(start.unit, end.unit),
    offset: from,
    next_offset: from + end.count,
    has_more: rest > 0,
    remaining_chars: rest,
    version: it.version,
  };
}

/** The place `count` characters further on, or the end; and how many were really passed. */
function advance(text: string, from: number, wanted: number): { unit: number; count: number } {
  let unit = from;
  let count = 0;
  for (; count < wanted && unit < text.length; count++) unit += text.codePointAt(unit)! > 0xffff ? 2 : 1;
  return { unit, count };
}
