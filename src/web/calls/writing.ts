/** Calls that write: a note as the person left it, merged with what others wrote meanwhile; and what an editor completes. */

import { z } from "zod";
import { NoteError } from "../../markdown/errors.ts";
import type { Notebook } from "../../notebook/notebook.ts";
import { nameOf, notePath } from "../../notebook/paths.ts";
import type { Issue } from "../../notebook/rules.ts";
import { READS, REPLACES, tool } from "../../surfaces/surface.ts";
import type { Completion, Saved } from "../wire.ts";
import { issueWords } from "./issue-words.ts";
import { merged } from "./merging.ts";

const COMPLETIONS = 30;
const TYPED = 200;

const save = tool({
  name: "save",
  description: "A note as the person left it. version: which one they read; null for a new note.",
  annotations: REPLACES,
  input: z.object({
    path: z.string(),
    text: z.string(),
    version: z.string().nullable(),
    preview: z.boolean().optional(),
  }),
  async run(notebook, { path: written, text, version, preview = false }): Promise<Saved> {
    const path = notePath(written);
    const expect = version ?? "absent";
    try {
      const { changes, revision } = await notebook.write(path, text, { expect, dryRun: preview });
      return { kind: "saved", version: changes[0]?.after?.version ?? expect, revision };
    } catch (error) {
      const issues = issuesIn(error);
      if (issues)
        return { kind: "broken", issues: issues.map((it) => ({ field: it.field, says: issueWords(it) })) };
      const taken = version === null ? "note_exists" : "version_conflict";
      if (!(error instanceof NoteError) || error.code !== taken || preview) throw error;
      return merged(notebook, path, text, version);
    }
  },
});

const issuesIn = (error: unknown): Issue[] | null =>
  error instanceof NoteError && error.code === "rule_broken" ? (error.details["issues"] as Issue[]) : null;

const complete = tool({
  name: "complete",
  description: "Names of notes, tags, or headings of a note, that begin or go on as it is typed.",
  annotations: READS,
  input: z.object({
    kind: z.enum(["note", "tag", "heading"]),
    typed: z.string().max(TYPED),
    note: z.string().optional(),
  }),
  async run(notebook, { kind, typed, note }): Promise<{ choices: Completion[] }> {
    if (kind === "tag") return { choices: await tagsLike(notebook, typed) };
    if (kind === "note") return { choices: await notesLike(notebook, typed) };
    return { choices: await headingsIn(notebook, note ?? "", typed) };
  },
});

const tagsLike = async (notebook: Notebook, typed: string): Promise<Completion[]> => {
  const key = typed.toLowerCase();
  const all = await notebook.tags("all");
  return all
    .filter(({ name }) => name.toLowerCase().includes(key))
    .slice(0, COMPLETIONS)
    .map(({ name, count }) => ({ label: name, detail: String(count) }));
};

/** Names come first; one that several notes have is given with its folder. */
const notesLike = async (notebook: Notebook, typed: string): Promise<Completion[]> => {
  const filter = typed.trim() === "" ? { all: [] } : { name: typed.trim(), part: true };
  const sort = typed.trim() === "" ? "modified" : "name";
  const { notes } = await notebook.find(filter, { limit: COMPLETIONS, sort });
  const names = notes.map(({ path }) => nameOf(path));
  return notes.map(({ path, title }, at) => {
    const twice = names.indexOf(names[at]!) !== names.lastIndexOf(names[at]!);
    return { label: twice ? path.slice(0, -3) : names[at]!, detail: title === names[at] ? "" : title };
  });
};

const headingsIn = async (notebook: Notebook, name: string, typed: string): Promise<Completion[]> => {
  const key = typed.toLowerCase();
  try {
    const { headings } = await notebook.read(await notebook.locate(name));
    return headings
      .filter(({ text }) => text.toLowerCase().includes(key))
      .slice(0, COMPLETIONS)
      .map(({ text, level }) => ({ label: text, detail: `level ${level}` }));
  } catch (error) {
    if (error instanceof NoteError) return [];
    throw error;
  }
};

export const writingCalls = [save, complete];
