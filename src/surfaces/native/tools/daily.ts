/** daily_note: the note of a day or another period, wherever this vault keeps such notes. */

import { z } from "zod";
import { append, prepend, type Edit } from "../../../markdown/edits.ts";
import { NoteError } from "../../../markdown/errors.ts";
import { escaped } from "../../../markdown/label.ts";
import { appendToSection, prependToSection } from "../../../markdown/section-edits.ts";
import { headingsOf, sectionOf } from "../../../markdown/sections.ts";
import { noteHandle } from "../../../notebook/handle.ts";
import { textOf } from "../../../notebook/note.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { PERIODS } from "../../../notebook/calendar/weeks.ts";
import { periodNote, type PeriodNote } from "../../../notebook/settings/periodic-notes.ts";
import { ADDS, tool, type Answer } from "../../surface.ts";
import { changedAnswer } from "../changed.ts";
import { dayOf } from "../../../notebook/moments.ts";
import { reach, TOKENS_ROOM } from "../token-room.ts";
import { CHANGED, dry_run } from "./parameters.ts";

export const dailyNote = tool({
  name: "daily_note",
  description:
    "Read the note of a day (default today) or other period, or, with text, add to it, begun if missing, where the vault's settings keep it.",
  annotations: { ...ADDS, title: "Daily note" },
  readsToo: true,
  input: z.object({
    date: z.string().optional().describe("2026-02-24, yesterday"),
    period: z.enum(PERIODS).optional(),
    text: z.string().optional(),
    section: z.string().optional(),
    prepend: z.boolean().optional(),
    template: z.string().optional().describe("to begin from, else that of the settings"),
    dry_run,
  }),
  output: CHANGED,
  async run(
    notebook,
    { date, period = "day", text, section, prepend: first, template, dry_run: dryRun = false },
  ) {
    const note = await periodNote(notebook, period, dayOf(date, notebook));
    const { path, exists } = note;
    if (text === undefined && (exists || template === undefined)) return readPeriod(notebook, note);
    if (exists && template !== undefined)
      notebook.who.remark?.("The note was there already, so the template was not used.");
    const begun = exists ? {} : { orCreate: await note.begun(template) };
    const edits = text === undefined ? [] : [adding(text, section, first), ...(exists ? [] : [endingLine])];
    return changedAnswer(await notebook.edit([{ path, edits, ...begun }], { dryRun }));
  },
});

/** A file that is new ends as files do. */
const endingLine: Edit = (text) => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

function adding(text: string, section: string | undefined, first = false): Edit {
  if (section !== undefined) return underSection(section, text, first);
  return first ? prepend(text) : append(text, "blank");
}

/** Adds to the section, which is begun at the end of the note where there is none of that name. */
const underSection =
  (section: string, addition: string, first: boolean): Edit =>
  (text) => {
    const name = { text: section, folded: true };
    if (!sectionOf(text, headingsOf(text), name))
      return append(`## ${section}\n\n${addition}`, "blank")(text);
    return (first ? prependToSection(name, addition) : appendToSection(name, addition, "block"))(text);
  };

async function readPeriod(notebook: Notebook, { path, period, begin }: PeriodNote): Promise<Answer> {
  try {
    const note = await notebook.read(path);
    const text = textOf(note);
    if (reach(text, 0, text.length, TOKENS_ROOM) < text.length)
      throw new NoteError("too_large", `"${path}" is long. Read it in parts with read_notes and lines.`);
    return { text: [escaped(noteHandle(note)), text], structured: { notes: [noteHandle(note)], text } };
  } catch (error) {
    if (!(error instanceof NoteError) || error.code !== "note_missing") throw error;
    const day = begin.toISOString().slice(0, 10);
    const when = period === "day" ? day : `the ${period} from ${day} on`;
    return {
      text: [`There is no note for ${when} yet; text would begin ${escaped(path)}.`],
      structured: { notes: [], path },
    };
  }
}
