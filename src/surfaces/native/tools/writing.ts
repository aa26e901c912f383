/** write_note and edit_notes: the two ways in which text gets into notes. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";
import { escaped } from "../../../markdown/label.ts";
import { eolOf, withEol } from "../../../markdown/line-bounds.ts";
import { merge3 } from "../../../markdown/merge.ts";
import { withFreeAliases, type Guard } from "../../../notebook/aliases.ts";
import { noteHandle } from "../../../notebook/handle.ts";
import { textOf, type Note } from "../../../notebook/note.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { endingOfOther, type NotePath } from "../../../notebook/paths.ts";
import { fromTemplate, templateWith } from "../../../notebook/settings/templates.ts";
import { EDITS, REPLACES, tool, type Answer } from "../../surface.ts";
import { byExactPaths, checkVersion, exactNote, hasMd, isVersion } from "../address.ts";
import { changedAnswer } from "../changed.ts";
import { OPERATIONS, editsByNote, type NoteEdits } from "../edits.ts";
import { tagsLeft } from "../inline-tags.ts";
import { CHANGED, dry_run, if_match } from "./parameters.ts";

const EDITS_AT_ONCE = 500;
export const writeNote = tool({
  name: "write_note",
  description:
    "Create a note, or replace one (needs if_match; what others changed elsewhere in it since is merged in).",
  annotations: { ...REPLACES, title: "Write note" },
  input: z.object({
    path: z.string(),
    text: z.string().optional(),
    template: z.string().optional().describe("path or name; text follows it"),
    if_match,
    dry_run,
  }),
  output: CHANGED,
  run: (notebook, input) =>
    byExactPaths(notebook, [input.path], () =>
      withFreeAliases(notebook, "new", (guard) => createOrReplace(notebook, input, guard)),
    ),
});

async function createOrReplace(
  notebook: Notebook,
  input: { path: string; text?: string; template?: string; if_match?: string; dry_run?: boolean },
  guard: Guard,
): Promise<Answer> {
  const { path, version } = exactNote(input.path);
  const how = { dryRun: input.dry_run ?? false, guard, mdWritten: hasMd(input.path) };
  const known = input.if_match ?? version;
  const text = await textFor(notebook, path, input);
  if (known !== null) return replaceNote(notebook, path, text, versionIn(known), how);
  try {
    return changedAnswer(await notebook.write(path, text, { ...how, expect: "absent" }));
  } catch (error) {
    if (!(error instanceof NoteError) || error.code !== "note_exists") throw error;
    const there = await notebook.read(path).catch(() => null);
    if (there?.text !== text) throw error;
    return unchanged(there);
  }
}

/** The text itself, or a template with the text after it. */
async function textFor(
  notebook: Notebook,
  path: NotePath,
  { text, template }: { text?: string; template?: string },
): Promise<string> {
  if (template === undefined) {
    if (text !== undefined) return text;
    throw new NoteError("input_refused", "write_note needs text, or a template, or both.");
  }
  return templateWith(await fromTemplate(notebook, template, path), text ?? "");
}

async function replaceNote(
  notebook: Notebook,
  path: NotePath,
  sent: string,
  version: string,
  how: { dryRun: boolean; guard: Guard },
): Promise<Answer> {
  const now = await notebook.read(path);
  const base = await baseOf(notebook, now, version);
  if (base === null) {
    if (now.text === sent) return unchanged(now);
    throw new NoteError(
      "version_conflict",
      `"${path}" has changed since version ${version.slice(0, 40)}, which the history does not have. Read it again and repeat the change.`,
      { path, handle: noteHandle(now) },
    );
  }
  const text = inFormOf(base, sent);
  // The edit runs inside the lock, on the text that is there then.
  const set = await notebook.edit(
    [{ path, edits: [(present) => mergedText(path, version, { base, present, text })] }],
    how,
  );
  const isMerged = set.changes.some(({ before }) => isMerge({ base, present: before?.text ?? base, text }));
  const sentences = isMerged ? ["Merged with what others changed in it since you read it."] : [];
  return changedAnswer(set, sentences, { merged: isMerged });
}

/** The text that the caller had read, the one that is there, and the one that was sent. */
type Sides = { base: string; present: string; text: string };

const isMerge = ({ base, present, text }: Sides): boolean => present !== base && present !== text;

function mergedText(path: NotePath, version: string, sides: Sides): string {
  if (!isMerge(sides)) return sides.text;
  const both = merge3(sides.base, sides.present, sides.text);
  if ("text" in both) return both.text;
  throw new NoteError(
    "version_conflict",
    `Others have changed the same lines of "${path}" since version ${version.slice(0, 40)}, so nothing was written. Read it again, put both together and repeat.`,
    { path, places: both.conflicts, next: "" },
  );
}

/** The text that a version stands for: the note's own, or one that its history has. */
async function baseOf(notebook: Notebook, now: Note, version: string): Promise<string | null> {
  if (isVersion(version, now)) return textOf(now);
  try {
    return (await notebook.read(now.path, { version })).text;
  } catch (error) {
    if (error instanceof NoteError && error.code === "revision_missing") return null;
    throw error;
  }
}

/** Line endings and BOM of the file are kept: a model that rewrites a note rarely sends them back. */
const inFormOf = (base: string, sent: string): string => {
  const text = sent.includes("\r\n") ? sent : withEol(sent, eolOf(base));
  return base.startsWith("\uFEFF") && !text.startsWith("\uFEFF") ? `\uFEFF${text}` : text;
};

const unchanged = (note: Note): Answer => ({
  text: [`unchanged ${escaped(noteHandle(note))}: it already has just this text`],
  structured: { notes: [noteHandle(note)], already_applied: true },
});

/** The version alone, or the handle that it is part of. */
const versionIn = (written: string): string => written.slice(written.lastIndexOf("@") + 1);

export const editNotes = tool({
  name: "edit_notes",
  description:
    "Edit notes, all or nothing, on the text that is there now. A section's handle limits append, prepend, replace (keeps the heading), delete, insert_*, replace_text to it. insert_* goes beside the whole line find, or beside the section; replace_text finds a piece, which occurs once unless all. null empties a field, unset_fields takes it out.",
  annotations: { ...EDITS, title: "Edit notes" },
  input: z.object({
    edits: z.array(
      z
        .object({
          note: z.string().describe("path or handle"),
          do: z.enum(OPERATIONS),
          text: z.string().optional(),
          find: z.string().optional(),
          all: z.boolean().optional(),
          fields: z.record(z.string(), z.unknown()).optional(),
          items: z.array(z.string()).optional().describe("tags, aliases, field names"),
          if_match,
        })
        .strict(),
    ),
    create: z.boolean().optional().describe("begin missing notes"),
    dry_run,
  }),
  output: CHANGED,
  async run(notebook, { edits, create, dry_run: dryRun = false }) {
    if (edits.length === 0 || edits.length > EDITS_AT_ONCE)
      throw new NoteError("input_refused", `edits holds 1 to ${EDITS_AT_ONCE} edits.`);
    const names = edits.map(({ note }) => note);
    return byExactPaths(notebook, names, () =>
      withFreeAliases(notebook, "new", (guard) =>
        applyEdits(notebook, editsByNote(edits), {
          create,
          dryRun,
          guard,
          mdWritten: names.every(isNoteName),
        }),
      ),
    );
  },
});

const isNoteName = (name: string): boolean => hasMd(name) || endingOfOther(name) === null;

async function applyEdits(
  notebook: Notebook,
  notes: readonly NoteEdits[],
  {
    create,
    dryRun,
    guard,
    mdWritten,
  }: { create: boolean | undefined; dryRun: boolean; guard: Guard; mdWritten: boolean },
): Promise<Answer> {
  const begun = create ? { orCreate: "" } : {};
  const set = await notebook.edit(
    notes.map(({ path, edits }) => ({ path, edits, ...begun })),
    {
      dryRun,
      mdWritten,
      async guard(changes) {
        // There is one change for each note, in the order given.
        changes.forEach(({ path, before }, at) => {
          for (const version of notes[at]?.versions ?? []) checkVersion(before, path, version);
        });
        await guard(changes);
      },
    },
  );
  const { sentences, data } = await tagsLeft(
    set.changes,
    notes.map(({ untagged }) => untagged),
  );
  return changedAnswer(set, sentences, data);
}
