/** daily_note: the note of a day, wherever this vault keeps such notes. */

import { z } from "zod";
import { append, prepend, type Edit } from "../../../markdown/edits.ts";
import { NoteError } from "../../../markdown/errors.ts";
import { escaped } from "../../../markdown/label.ts";
import { appendToSection, prependToSection } from "../../../markdown/section-edits.ts";
import { headingsOf, sectionOf } from "../../../markdown/sections.ts";
import { noteHandle } from "../../../notebook/handle.ts";
import { textOf } from "../../../notebook/note.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { folderOf, notePath, type NotePath } from "../../../notebook/paths.ts";
import { ADDS, tool } from "../../surface.ts";
import { changedAnswer } from "../changed.ts";
import { dayOf } from "../../../notebook/moments.ts";
import { CHANGED, dry_run } from "./parameters.ts";

const FOLDER = "Daily";
const READ_ROOM = 100_000;

export const dailyNote = tool({
  name: "daily_note",
  description: "Read the note of a day (default today), or, with text, add to it, begun if missing.",
  annotations: { ...ADDS, title: "Daily note" },
  readsToo: true,
  input: z.object({
    date: z.string().optional().describe("2026-02-24, yesterday"),
    text: z.string().optional(),
    section: z.string().optional(),
    prepend: z.boolean().optional(),
    dry_run,
  }),
  output: CHANGED,
  async run(notebook, { date, text, section, prepend: before, dry_run: dryRun = false }) {
    const day = dayOf(date, notebook);
    const path = await dailyPath(notebook, day);
    if (text === undefined) return readDay(notebook, path, day);
    const edit =
      section === undefined
        ? before
          ? prepend(text)
          : append(text, "blank")
        : underSection(section, text, before);
    const orCreate = `# ${day}\n`;
    return changedAnswer(await notebook.edit([{ path, edits: [edit], orCreate }], { dryRun }));
  },
});

/** Adds to the section, which is begun at the end of the note where there is none of that name. */
const underSection =
  (section: string, addition: string, first = false): Edit =>
  (text) => {
    const name = { text: section, folded: true };
    if (!sectionOf(text, headingsOf(text), name))
      return append(`## ${section}\n\n${addition}`, "blank")(text);
    return (first ? prependToSection(name, addition) : appendToSection(name, addition, "block"))(text);
  };

async function readDay(notebook: Notebook, path: NotePath, day: string) {
  try {
    const note = await notebook.read(path);
    const text = textOf(note);
    if (text.length > READ_ROOM)
      throw new NoteError("too_large", `"${path}" is long. Read it in parts with read_notes and lines.`);
    return { text: [escaped(noteHandle(note)), text], structured: { notes: [noteHandle(note)], text } };
  } catch (error) {
    if (!(error instanceof NoteError) || error.code !== "note_missing") throw error;
    return {
      text: [`There is no note for ${day} yet; text would begin ${escaped(path)}.`],
      structured: { notes: [], path },
    };
  }
}

/** The note called after the day, wherever it lies; else beside the newest other one; else in a folder of that name. */
async function dailyPath(notebook: Notebook, day: string): Promise<NotePath> {
  await notebook.ready();
  const own = await notebook.find({ name: day }, { limit: 1, sort: "path" });
  if (own.notes[0]) return own.notes[0].path;
  for (const part of [day.slice(0, 8), day.slice(0, 5), "20"]) {
    const { notes } = await notebook.find({ name: part, part: true }, { limit: 500, sort: "modified" });
    const other = notes.find(({ name }) => /^\d{4}-\d{2}-\d{2}$/.test(name));
    if (other) return notePath(`${folderOf(other.path)}${folderOf(other.path) === "" ? "" : "/"}${day}.md`);
  }
  return notePath(`${FOLDER}/${day}.md`);
}
