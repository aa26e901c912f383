/** Templates: notes that others begin from, with `{{title}}`, `{{date}}`, `{{time}}` and their like filled in. Nothing in them is run. */

import { append } from "../../markdown/edits.ts";
import { NoteError } from "../../markdown/errors.ts";
import { escaped } from "../../markdown/label.ts";
import { openFields, setFields } from "../../markdown/field-edits.ts";
import { formatted, weeksOf, type WallTime } from "../calendar/format.ts";
import type { Locale } from "../calendar/locales.ts";
import { beginOf, daysLater, periodsLater } from "../calendar/weeks.ts";
import { textOf } from "../note.ts";
import type { Notebook } from "../notebook.ts";
import { nameOf, namedNote, type NotePath } from "../paths.ts";
import { joined } from "../vault-path.ts";
import { wallClock } from "../zone.ts";

/** What the words in a template stand for. */
export type Filling = {
  title: string;
  /** Now; in the note of a period its first day, at the time it is now. */
  at: WallTime;
  locale: Locale;
  /** How `{{date}}` and `{{time}}` are written where they do not say. */
  date: string;
  time: string;
  /** In the note of a period: its format, by which the days around it are written. */
  period?: { format: string };
};

const WORDS =
  /\{\{\s*(title|date|time|yesterday|tomorrow|sunday|monday|tuesday|wednesday|thursday|friday|saturday)\s*(?:([+-]\d{1,4})([yQqMwdhms]))?\s*(?::([^{}\n]*))?\}\}/gi;
const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];

export function filled(template: string, filling: Filling): string {
  return template.replace(WORDS, (written, word: string, count?: string, unit?: string, format?: string) => {
    const said = format?.trim();
    return (
      wordFor(word.toLowerCase(), { filling, count, unit, format: said === "" ? undefined : said }) ?? written
    );
  });
}

type Said = {
  filling: Filling;
  count: string | undefined;
  unit: string | undefined;
  format: string | undefined;
};

/** Null for a word that means nothing here, and stays as it is written. */
function wordFor(word: string, { filling, count, unit, format }: Said): string | null {
  const { title, at, locale, period } = filling;
  const write = (time: WallTime, how: string): string => formatted(time, how, locale);
  const later = (days: number): WallTime => ({ ...at, wall: daysLater(at.wall, days) });
  switch (word) {
    case "title":
      return count === undefined && format === undefined ? title : null;
    case "date":
    case "time":
      return write(count === undefined ? at : shifted(at, Number(count), unit!), format ?? filling[word]);
    case "yesterday":
    case "tomorrow":
      return (period && write(later(word === "tomorrow" ? 1 : -1), format ?? lastOf(period.format))) || null;
    default:
      return period && format !== undefined ? write(dayOfWeek(filling, DAYS.indexOf(word)), format) : null;
  }
}

/** A format with folders names a note by what follows the last slash. */
export const lastOf = (format: string): string => format.slice(format.lastIndexOf("/") + 1);

function dayOfWeek({ at, locale, period }: Filling, weekday: number): WallTime {
  const weeks = weeksOf(period?.format ?? "", locale);
  const begin = beginOf("week", at.wall, weeks);
  const time = at.wall.getTime() - beginOf("day", at.wall, weeks).getTime();
  const day = daysLater(begin, (weekday + 7 - weeks.weekStart) % 7);
  return { ...at, wall: new Date(day.getTime() + time) };
}

/** Units are Moment's: `m` are minutes, `M` months. */
function shifted(at: WallTime, count: number, unit: string): WallTime {
  const span = { h: 3_600_000, m: 60_000, s: 1000 }[unit];
  if (span !== undefined) return { ...at, wall: new Date(at.wall.getTime() + count * span) };
  const period =
    ({ d: "day", w: "week", M: "month", Q: "quarter", q: "quarter", y: "year" } as const)[unit] ?? "day";
  const day = beginOf("day", at.wall, { weekStart: 0, firstWeekHolds: 1 });
  const time = at.wall.getTime() - day.getTime();
  return { ...at, wall: new Date(periodsLater(period, day, count).getTime() + time) };
}

/** What the clock shows now, in the person's time zone. */
export function wallNow({ now, timeZone }: Pick<Notebook, "now" | "timeZone">): WallTime {
  const moment = now();
  const wall = wallClock(moment, timeZone);
  return { wall, offset: Math.round((wall.getTime() - moment.getTime()) / 60_000) };
}

/** As Obsidian writes them where its settings do not say. */
export const DATE = "YYYY-MM-DD";
export const TIME = "HH:mm";

/** Fills a template for a new note: its dates and times are those of the present moment. */
export async function fromTemplate(notebook: Notebook, template: string, path: NotePath): Promise<string> {
  const { templates } = await notebook.settings();
  return filled(await templateText(notebook, template), {
    title: nameOf(path),
    at: wallNow(notebook),
    locale: notebook.locale,
    date: templates.date || DATE,
    time: templates.time || TIME,
  });
}

/** The text of a template, by its path or by its name in the template folder. What is meant to be run is said not to be. */
export async function templateText(notebook: Notebook, written: string): Promise<string> {
  const { folder } = (await notebook.settings()).templates;
  const bare = written.replace(/\.md$/i, "").replace(/^\/+/, "");
  const places = [namedNote(bare), ...(folder === "" ? [] : [namedNote(joined(folder, bare))])];
  for (const path of places) {
    const text = await textAt(notebook, path);
    if (text === null) continue;
    if (text.includes("<%"))
      notebook.who.remark?.(
        `"${escaped(path)}" has commands in <% %>, for a plugin of Obsidian: they were copied, not run.`,
      );
    return text;
  }
  throw new NoteError(
    "note_missing",
    `There is no template "${bare}"${folder === "" ? "" : `, by that path or in "${folder}/"`}.`,
    { path: places.at(-1), next: "list_notes lists the notes of a folder." },
  );
}

async function textAt(notebook: Notebook, path: NotePath): Promise<string | null> {
  try {
    return textOf(await notebook.read(path));
  } catch (error) {
    if (error instanceof NoteError && error.code === "note_missing") return null;
    throw error;
  }
}

/** A template with a text after it: the fields of both, the text's where both have one. */
export function templateWith(template: string, text: string): string {
  const { fields, front } = openFields(text);
  const body = text.slice(front.bodyStart);
  const withFields = Object.keys(fields).length === 0 ? template : setFields(fields)(template);
  return body.trim() === "" ? withFields : append(body.replace(/^(?:\r?\n)+/, ""), "blank")(withFields);
}
