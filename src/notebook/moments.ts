/** Points in time as callers write them: `2026-02-24`, `2026-02-24 14:00`, `14:00`, `yesterday`, `2 hours ago`, `7d`; in the person's time zone where none is given. */

import { NoteError } from "../markdown/errors.ts";
import { dateOf } from "./note.ts";
import type { Notebook } from "./notebook.ts";
import { dayAt, isDay, zoned } from "./zone.ts";

export type Clock = Pick<Notebook, "now" | "timeZone">;

const UNITS: Record<string, number> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};
const SHORT: Record<string, string> = {
  s: "second",
  sec: "second",
  m: "minute",
  min: "minute",
  h: "hour",
  d: "day",
  w: "week",
};
const CLOCK = String.raw`([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d(?:\.\d+)?))?`;
const ON_DAY = new RegExp(
  String.raw`^(\d{4}-\d{1,2}-\d{1,2}|today|yesterday|tomorrow)(?:[t ]${CLOCK}(z|[+-]\d{2}:?\d{2})?)?$`,
);
const AT_TIME = new RegExp(`^${CLOCK}$`);
/** A digit and a short unit could be a revision's first digits, `1234d`, so long numbers have their unit in words. */
const SPAN = /^(?:(\d{1,4})\s*([a-z]+?)s?|(\d{1,6})\s+([a-z]{3,}?)s?|an?\s+([a-z]{3,}))(?:\s+ago)?$/;

/** Null where the words are no time. A time of day is the last one that has been; a day begins at its midnight. */
export function momentOf(written: string, clock: Clock): Date | null {
  const text = written.trim().toLowerCase();
  return span(text, clock) ?? onDay(text, clock) ?? atTime(text, clock);
}

function span(text: string, clock: Clock): Date | null {
  const match = SPAN.exec(text);
  if (!match) return null;
  const unit = match[2] ?? match[4] ?? match[5]!;
  const name = Object.hasOwn(SHORT, unit) ? SHORT[unit]! : unit;
  if (!Object.hasOwn(UNITS, name)) return null;
  return new Date(clock.now().getTime() - Number(match[1] ?? match[3] ?? 1) * UNITS[name]!);
}

function onDay(text: string, clock: Clock): Date | null {
  const match = ON_DAY.exec(text);
  if (!match) return null;
  const day = dayNamed(match[1]!, clock) ?? match[1]!.split("-").map(twoDigits).join("-");
  if (!isDay(day)) return null;
  const zone = match[5]?.toUpperCase().replace(/(\d{2}):?(\d{2})$/, "$1:$2");
  const date = new Date(`${day}T${timeIn(match, 2)}${zone ?? "Z"}`);
  return zone === undefined ? zoned(date, clock.timeZone) : date;
}

function atTime(text: string, clock: Clock): Date | null {
  const match = AT_TIME.exec(text);
  if (!match) return null;
  const on = (later: number) =>
    zoned(new Date(`${dayAt(clock.now(), clock.timeZone, later)}T${timeIn(match, 1)}Z`), clock.timeZone);
  const today = on(0);
  return today > clock.now() ? on(-1) : today;
}

/** Hours, minutes and seconds from a match on. */
const timeIn = (match: RegExpExecArray, at: number): string =>
  [match[at], match[at + 1], match[at + 2]].map((part) => twoDigits(part ?? "0")).join(":");
const twoDigits = (written: string): string => (/^\d(?:\.|$)/.test(written) ? `0${written}` : written);

/** For surfaces whose spec takes ISO times, which are UTC there where they say no zone: those as they are, and words beside them. */
export const timeNamed = (written: string, clock: Clock): Date | null =>
  dateOf(written) ?? momentOf(written, clock);

export function requiredMoment(written: string, clock: Clock): Date {
  const found = momentOf(written, clock);
  if (found) return found;
  throw new NoteError(
    "input_refused",
    `${JSON.stringify(written.slice(0, 60))} is no time. Give one such as 2026-02-24, "2026-02-24 14:00", 14:00, yesterday, "2 hours ago" or 7d.`,
  );
}

/** A day as `yyyy-MM-dd`: today where none is named; else the day of any time. */
export function dayOf(written: string | undefined, clock: Clock): string {
  if (written === undefined) return dayAt(clock.now(), clock.timeZone);
  const moment = momentOf(written, clock);
  if (moment) return dayAt(moment, clock.timeZone);
  throw new NoteError(
    "input_refused",
    `${JSON.stringify(written.slice(0, 60))} is no day. Give one such as 2026-02-24, today, yesterday or tomorrow.`,
  );
}

/** How many days they are later than today. */
const NAMED: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 };

function dayNamed(written: string, { now, timeZone }: Clock): string | null {
  return Object.hasOwn(NAMED, written) ? dayAt(now(), timeZone, NAMED[written]!) : null;
}
