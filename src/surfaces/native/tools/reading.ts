/** read_notes: whole notes, sections, lines, outlines or what is known about notes, now or as they were. */

import { z } from "zod";
import { NoteError } from "../../../markdown/errors.ts";
import { escaped, label } from "../../../markdown/label.ts";
import {
  noteHandle,
  parseHandle,
  sectionBy,
  sectionsWithHandles,
  type Handle,
} from "../../../notebook/handle.ts";
import { textOf, type Note } from "../../../notebook/note.ts";
import type { When } from "../../../notebook/past.ts";
import type { Notebook } from "../../../notebook/notebook.ts";
import { READS, tool } from "../../surface.ts";
import { meant } from "../address.ts";
import { aboutNote } from "../about.ts";
import { explain } from "../explain.ts";
import { momentOf } from "../../../notebook/moments.ts";
import { rows } from "./parameters.ts";
import { counted, said, time } from "../say.ts";
import { unseenWarning } from "../unseen.ts";

/** For the texts of one answer together: about what a model's host lets through before it cuts by itself. */
const ROOM = 100_000;
const NOTES_AT_ONCE = 50;
/** In an outline; more than anyone reads through, and a hostile note has a million. */
const SECTIONS_SHOWN = 1000;

const PENDING =
  "Warning: a change of several notes is under way, or was cut short and will be finished by the next change. Some notes may be as before it, others as after it; read again before relying on them together.";

export const readNotes = tool({
  name: "read_notes",
  description:
    "Read notes. show: outline = sections with handles; info = fields, tags, backlinks, rule issues.",
  annotations: { ...READS, title: "Read notes" },
  input: z.object({
    notes: z.array(z.string()).describe("paths or handles"),
    show: z.enum(["text", "outline", "info"]).optional(),
    lines: z.string().optional().describe("10-40"),
    at: z.string().optional().describe("revision or date"),
  }),
  output: z.object({ notes: rows }),
  async run(notebook, { notes: asked, show = "text", lines, at }) {
    if (asked.length === 0 || asked.length > NOTES_AT_ONCE)
      throw new NoteError("input_refused", `notes names 1 to ${NOTES_AT_ONCE} notes.`);
    const range = lines === undefined ? null : lineRange(lines);
    const shown: Shown[] = [];
    const problems: { note: string; problem: string }[] = [];
    const left: string[] = [];
    let pending = false;
    let room = ROOM;
    for (const written of new Set(asked)) {
      if (room <= 0) {
        left.push(written);
        continue;
      }
      try {
        const when = at === undefined ? undefined : await whenOf(notebook, written, at);
        const { handle, note } = await meant(notebook, written, when);
        const one = await showing(notebook, handle, note, { show, range, room, past: when !== undefined });
        if (note.pendingOperation) {
          one.data = { ...one.data, pending_operation: true };
          pending = true;
        }
        room -= one.text.reduce((sum, block) => sum + block.length, 0);
        shown.push(one);
      } catch (error) {
        // One note that is not there does not keep the others back.
        if (!(error instanceof NoteError) || asked.length === 1) throw error;
        const worded = explain(error);
        problems.push({ note: written, problem: typeof worded === "string" ? worded : worded.text });
      }
    }
    const unread =
      left.length === 0
        ? []
        : [`Not shown, for want of room: ${left.map((one) => label(one)).join(", ")}. Ask for them again.`];
    return {
      text: [
        ...shown.flatMap((one) => one.text),
        ...problems.map(({ note, problem }) => `${label(note)}: ${problem}`),
        ...unread,
        ...(pending ? [PENDING] : []),
      ],
      structured: { notes: shown.map((one) => one.data), ...said({ problems, left }) },
    };
  },
});

type Shown = { text: string[]; data: object };
type Showing = {
  show: "text" | "outline" | "info";
  range: { from: number; to: number } | null;
  room: number;
  past: boolean;
};

async function showing(notebook: Notebook, handle: Handle, note: Note, how: Showing): Promise<Shown> {
  const head = noteHandle(note);
  if (how.show === "info") {
    const about = await aboutNote(notebook, note, how.past);
    return { text: [`${escaped(head)}\n${about.text}`], data: { note: head, ...about.data } };
  }
  if (how.show === "outline") {
    const starts = lineStarts(textOf(note));
    const sections = outlineOf(note, starts);
    const lines = sections.map(
      ({ section, level, lines: at }) => `${"#".repeat(level)} ${escaped(section)} (${at})`,
    );
    const count = counted(linesIn(textOf(note), starts), "line");
    const left = note.sectionCount() - SECTIONS_SHOWN;
    const cut =
      left > 0 ? `the sections of the first ${SECTIONS_SHOWN} headings; there are ${left} more` : null;
    const about = `${escaped(head)}, ${count}; handles are the path and #…${cut === null ? "" : ` (cut: ${cut})`}`;
    return { text: [[about, ...lines].join("\n")], data: { note: head, sections, ...said({ cut }) } };
  }
  const part = partOf(note, handle, how);
  const warning = unseenWarning(part.text, part.from);
  const place = part.lines === null ? "" : `, lines ${part.lines}`;
  const rest = part.cut === null ? "" : ` (cut: ${part.cut})`;
  return {
    text: [
      `${escaped(part.handle ?? head)}${place}${rest}`,
      part.text,
      ...(warning === null ? [] : [`Warning about ${escaped(note.path)}: ${warning}`]),
    ],
    data: {
      note: part.handle ?? head,
      ...said({ lines: part.lines }),
      text: part.text,
      ...said({ cut: part.cut, warning }),
    },
  };
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

/** `lines`: which they are, null for all of them. */
type Part = { handle: string | null; from: number; lines: string | null; text: string; cut: string | null };

/** Whole lines, counted in the file from 1. */
function partOf(note: Note, handle: Handle, { range, room }: Showing): Part {
  const text = textOf(note);
  if (handle.heading === null && range === null && text.length <= room)
    return { handle: null, from: 1, lines: null, text, cut: null };
  const section = handle.heading === null ? null : sectionBy(text, handle, "read", note.headings);
  const starts = lineStarts(text);
  const total = linesIn(text, starts);
  const firstLine = section ? section.heading.line : 1;
  const lastLine = section && section.end < text.length ? lineAt(starts, section.end) - 1 : total;
  const from = Math.max(firstLine, range?.from ?? firstLine);
  const to = Math.min(lastLine, range?.to ?? lastLine);
  if (from > to)
    throw new NoteError(
      "input_refused",
      `Lines ${range!.from}-${Number.isFinite(range!.to) ? range!.to : ""} are not in "${note.path}", which has ${counted(total, "line")}${section ? ` (that section: ${firstLine}-${lastLine})` : ""}.`,
    );
  const begin = starts[from - 1]!;
  const end = starts[to] ?? text.length;
  const linesTo = (last: number): string | null =>
    from === 1 && last === total && section === null ? null : `${from}-${last} of ${total}`;
  const known = { handle: section?.handle ?? null, from };
  if (end - begin <= room) return { ...known, lines: linesTo(to), text: text.slice(begin, end), cut: null };
  const fitting = Math.max(from, lineAt(starts, begin + room) - 1);
  const stop = Math.min(starts[fitting] ?? text.length, begin + room);
  const cut = fitting === to ? `line ${to} is too long` : `go on with lines "${fitting + 1}-${to}"`;
  const shown = text.slice(begin, stop).replace(/[\uD800-\uDBFF]$/, "");
  return { ...known, lines: linesTo(fitting), text: shown, cut };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

const linesIn = (text: string, starts: readonly number[]): number =>
  Math.max(1, starts.length - (text.endsWith("\n") ? 1 : 0));

/** The line, from 1, that holds an offset. */
function lineAt(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle;
  }
  return low + 1;
}

function lineRange(written: string): { from: number; to: number } {
  const match = /^(\d{1,9})(?:-(\d{1,9})?)?$/.exec(written.trim());
  const from = Number(match?.[1]);
  const to = match?.[2] === undefined ? (written.includes("-") ? Infinity : from) : Number(match[2]);
  if (match && from >= 1 && to >= from) return { from, to };
  throw new NoteError(
    "input_refused",
    `lines is such as "10-40" or "10-", not ${JSON.stringify(written.slice(0, 40))}.`,
  );
}

/** How many of a note's revisions are looked through for the one that held at a date. */
const LOOKED_THROUGH = 10_000;

async function whenOf(notebook: Notebook, written: string, at: string): Promise<When> {
  const moment = momentOf(at, notebook);
  if (moment === null) return { revision: (await notebook.revision(at)).id };
  const { handle } = await meantOrGone(notebook, written);
  const log = await notebook.log({ path: handle.path, limit: LOOKED_THROUGH });
  const held = log.find(({ date }) => date <= moment);
  if (held) return { revision: held.id };
  throw new NoteError(
    "revision_missing",
    `The history does not know "${handle.path}" before ${log.length === 0 ? "now" : time(log.at(-1)!.date)}.`,
  );
}

/** A note that is gone still has a past, under its exact path. */
async function meantOrGone(notebook: Notebook, written: string): Promise<{ handle: Handle }> {
  try {
    return await meant(notebook, written);
  } catch (error) {
    if (!(error instanceof NoteError) || error.code !== "note_missing") throw error;
    return { handle: parseHandle(written) };
  }
}
