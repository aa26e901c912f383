/** read_notes: whole notes, sections, lines, outlines or what is known about notes, now or as they were; and files. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";
import { escaped, label } from "../../../markdown/label.ts";
import { noteHandle, sectionBy, sectionsWithHandles, type Handle } from "../../../notebook/handle.ts";
import { textOf, type Note } from "../../../notebook/note.ts";
import type { When } from "../../../notebook/past.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { READS, tool, type Answer } from "../../surface.ts";
import { fileMeant, pathMeant, resolveNote } from "../address.ts";
import { aboutNote } from "../about.ts";
import { explain } from "../explain.ts";
import { showFile } from "../file-reading.ts";
import { lineAt, lineRange, linesIn, lineStarts, partOf } from "../lines.ts";
import { momentOf } from "../../../notebook/moments.ts";
import { plural, withoutEmpty, time } from "../say.ts";
import { FULL_ROOM, shownText, type Room, type Shown, type Wanted } from "../shown.ts";
import { tokensIn } from "../token-room.ts";

const NOTES_AT_ONCE = 50;
/** The most sections of an outline: more than anyone reads, and a hostile note has a million. */
const SECTIONS_SHOWN = 1000;

const PENDING =
  "Warning: a change of several notes is under way, or was cut short and will be finished by the next change. Some notes may be as before it, others as after it; read again before relying on them together.";

export const readNotes = tool({
  name: "read_notes",
  description:
    "Read notes, and files: images, canvases, bases, PDF (x.pdf#page=3-5). show: outline = sections with handles; info = fields, tags, backlinks, rule issues.",
  annotations: { ...READS, title: "Read notes" },
  input: z.object({
    notes: z.array(z.string()).describe("paths, handles or names"),
    show: z.enum(["text", "outline", "info"]).optional(),
    lines: z.string().optional().describe("10-40"),
    at: z.string().optional().describe("revision or time"),
  }),
  async run(notebook, { notes, show = "text", lines, at }) {
    if (notes.length === 0 || notes.length > NOTES_AT_ONCE)
      throw new NoteError("input_refused", `notes names 1 to ${NOTES_AT_ONCE} notes.`);
    const range = lines === undefined ? null : lineRange(lines);
    return readAnswer(await readEach(notebook, notes, { show, range, at }));
  },
});

/** `left`: notes and files for which there was no room. */
type Reading = { shown: Shown[]; problems: { note: string; problem: string }[]; left: string[] };

async function readEach(
  notebook: Notebook,
  notes: readonly string[],
  wanted: Omit<Wanted, "past"> & { at?: string },
): Promise<Reading> {
  const reading: Reading = { shown: [], problems: [], left: [] };
  const room = { ...FULL_ROOM };
  for (const written of new Set(notes)) {
    if (room.tokens <= 0) {
      reading.left.push(written);
      continue;
    }
    try {
      const one = await readOne(notebook, written, wanted, room);
      if (one === "no room") {
        reading.left.push(written);
        continue;
      }
      room.tokens -= one.text.reduce((sum, block) => sum + tokensIn(block), 0);
      room.images -= one.image?.bytes.length ?? 0;
      reading.shown.push(one);
    } catch (error) {
      // One note that is not there does not keep the others back.
      if (!(error instanceof NoteError) || notes.length === 1) throw error;
      const refusal = explain(error);
      reading.problems.push({ note: written, problem: typeof refusal === "string" ? refusal : refusal.text });
    }
  }
  return reading;
}

async function readOne(
  notebook: Notebook,
  written: string,
  { show, range, at }: Omit<Wanted, "past"> & { at?: string },
  room: Room,
): Promise<Shown | "no room"> {
  const file = await fileMeant(notebook, written);
  if (file !== null) return showFile(notebook, file, { show, range, past: at !== undefined }, room);
  const when = at === undefined ? undefined : await whenOf(notebook, written, at);
  const { handle, note } = await resolveNote(notebook, written, when);
  const one = await showing(notebook, handle, note, { show, range, past: when !== undefined }, room);
  return note.pendingOperation
    ? { ...one, data: { ...one.data, pending_operation: true }, pending: true }
    : one;
}

function readAnswer({ shown, problems, left }: Reading): Answer {
  const unread = left.map((one) => label(one)).join(", ");
  const rest = [
    ...problems.map(({ note, problem }) => `${label(note)}: ${problem}`),
    ...(left.length === 0 ? [] : [`Not shown, for want of room: ${unread}. Ask for them again.`]),
    ...(shown.some((one) => one.pending) ? [PENDING] : []),
  ];
  if (shown.some((one) => one.image))
    return { blocks: [...shown.flatMap(({ text, image }) => [...text, ...(image ? [image] : [])]), ...rest] };
  return {
    text: [...shown.flatMap((one) => one.text), ...rest],
    structured: { notes: shown.map((one) => one.data), ...withoutEmpty({ problems, left }) },
  };
}

async function showing(
  notebook: Notebook,
  handle: Handle,
  note: Note,
  how: Wanted,
  room: Room,
): Promise<Shown> {
  switch (how.show) {
    case "text": {
      const of = { path: note.path, text: textOf(note) };
      const section = handle.heading === null ? null : sectionBy(of.text, handle, "read", note.headings);
      return shownText(noteHandle(note), of.path, partOf(of, section, how.range, room.tokens));
    }
    case "outline":
      return showOutline(note);
    case "info": {
      const about = await aboutNote(notebook, note, how.past);
      const head = noteHandle(note);
      return { text: [`${escaped(head)}\n${about.text}`], data: { note: head, ...about.data } };
    }
  }
}

function showOutline(note: Note): Shown {
  const head = noteHandle(note);
  const starts = lineStarts(textOf(note));
  const sections = outlineOf(note, starts);
  const lines = sections.map(
    ({ section, level, lines: at }) => `${"#".repeat(level)} ${escaped(section)} (${at})`,
  );
  const count = plural(linesIn(textOf(note), starts), "line");
  const left = note.sectionCount() - SECTIONS_SHOWN;
  const cut =
    left > 0 ? `the sections of the first ${SECTIONS_SHOWN} headings; there are ${left} more` : null;
  const about = `${escaped(head)}, ${count}; handles are the path and #…${cut === null ? "" : ` (cut: ${cut})`}`;
  return { text: [[about, ...lines].join("\n")], data: { note: head, sections, ...withoutEmpty({ cut }) } };
}

function outlineOf(
  note: Note,
  starts: readonly number[],
): { section: string; level: number; lines: string }[] {
  const text = textOf(note);
  const last = linesIn(text, starts);
  return sectionsWithHandles(note.path, text, note.firstSections(SECTIONS_SHOWN)).map(
    ({ heading, handle, end }) => ({
      section: handle.slice(note.path.length),
      level: heading.level,
      lines: `${heading.line}-${end < text.length ? lineAt(starts, end) - 1 : last}`,
    }),
  );
}

/** How many of a note's revisions are looked through for the one that held at a date. */
const LOOKED_THROUGH = 10_000;

async function whenOf(notebook: Notebook, written: string, at: string): Promise<When> {
  const moment = momentOf(at, notebook);
  if (moment === null) return { revision: (await notebook.revision(at)).id };
  const path = await pathMeant(notebook, written);
  const log = await notebook.log({ path, limit: LOOKED_THROUGH });
  const held = log.find(({ date }) => date <= moment);
  if (held) return { revision: held.id };
  throw new NoteError(
    "revision_missing",
    `The history does not know "${path}" before ${log.length === 0 ? "now" : time(log.at(-1)!.date)}.`,
  );
}
