/** The four tools for a note's versions: its history, one of them, the difference of two, and back to one. */

import { z } from "zod";
import { changedAt, fieldTimes, modifiedAt } from "../../../notebook/modified.ts";
import { EDITS, READS, tool } from "../../surface.ts";
import { noteNamed } from "../../naming.ts";
import { toWiki } from "../address.ts";
import { bounded, path } from "./parameters.ts";
import * as say from "../say.ts";

const HISTORY_LIMIT = 100;
const version = z.string().describe("Commit SHA, short or full");

export const getNoteHistory = tool({
  name: "get_note_history",
  description:
    "List a note's versions: commit, time, author, message. Follows moves; works for a deleted note.",
  annotations: READS,
  input: z.object({
    path,
    limit: z.number().optional().describe("Max versions to return (default 50, max 100)"),
  }),
  async run(notebook, input) {
    const at = await noteNamed(notebook, input.path);
    const revisions = await notebook.log({
      path: at,
      limit: bounded(input.limit ?? 50, HISTORY_LIMIT),
    });
    return say.history(toWiki(at), revisions);
  },
});

export const getNoteVersion = tool({
  name: "get_note_version",
  description: "Read a note as it was at a version.",
  annotations: READS,
  wholeNote: true,
  input: z.object({ path, version }),
  async run(notebook, input) {
    const revision = await notebook.revision(input.version);
    const note = await notebook.read(await noteNamed(notebook, input.path), { revision: revision.id });
    const change = revision.changes.find(({ version: then }) => then === note.version);
    const { counted } = fieldTimes(note.fields, notebook);
    const updated = modifiedAt(counted, change ? changedAt(revision, change) : null, revision.date.getTime());
    const times = { created: note.created ?? revision.date, updated: new Date(updated) };
    return say.note(note, times, say.shortId(revision.id));
  },
});

export const diffNoteVersions = tool({
  name: "diff_note_versions",
  description: "Show what changed in a note between two versions.",
  annotations: READS,
  input: z.object({
    path,
    from_version: z.string().describe("Starting version (commit SHA)"),
    to_version: z.string().describe("Ending version (commit SHA)"),
  }),
  async run(notebook, input) {
    const at = await noteNamed(notebook, input.path);
    const [from, to] = [
      await notebook.revision(input.from_version),
      await notebook.revision(input.to_version),
    ];
    const [older, newer] = [
      await notebook.read(at, { revision: from.id }),
      await notebook.read(at, { revision: to.id }),
    ];
    return say.diff(toWiki(at), older, newer, [from.id, to.id]);
  },
});

export const restoreNoteVersion = tool({
  name: "restore_note_version",
  description:
    "Bring a note back to a version, also after it was deleted. Makes a new version; history is kept.",
  annotations: EDITS,
  input: z.object({ path, version: z.string().describe("Version SHA to restore") }),
  async run(notebook, input) {
    const revision = await notebook.revision(input.version);
    const at = await noteNamed(notebook, input.path);
    const { broken } = await notebook.restore(at, revision.id);
    return say.restored(toWiki(at), revision.id, broken);
  },
});
