/** Points in time as callers write them: `2026-02-24`, `2026-02-24T14:00`, `today`, `yesterday`, `7d`, `12h`; in the person's time zone where none is given. */

import { NoteError } from "../markdown/errors.ts";
import type { Notebook } from "./notebook.ts";
import { dayAt, isDay, zoned } from "./zone.ts";

export type Clock = Pick<Notebook, "now" | "timeZone">;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Null where the words are no time. */
export function momentOf(written: string, clock: Clock): Date | null {
  const ago = /^(\d{1,4})([hd])$/.exec(written);
  if (ago) return new Date(clock.now().getTime() - Number(ago[1]) * (ago[2] === "h" ? HOUR : DAY));
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)(Z|[+-]\d{2}:\d{2})?)?$/.exec(
    dayNamed(written, clock) ?? written,
  );
  if (!match || !isDay(match[1]!)) return null;
  const [, day, hours = "00:00", zone] = match;
  const date = new Date(`${day}T${hours}${zone ?? "Z"}`);
  if (Number.isNaN(date.getTime())) return null;
  return zone === undefined ? zoned(date, clock.timeZone) : date;
}

export function requiredMoment(written: string, clock: Clock): Date {
  const found = momentOf(written, clock);
  if (found) return found;
  throw new NoteError(
    "input_refused",
    `${JSON.stringify(written.slice(0, 60))} is no time. Give one such as 2026-02-24, 2026-02-24T14:00, today, 7d or 12h.`,
  );
}

/** A day as `yyyy-MM-dd`: today where none is named. */
export function dayOf(written: string | undefined, clock: Clock): string {
  const day =
    written === undefined ? dayAt(clock.now(), clock.timeZone) : (dayNamed(written, clock) ?? written);
  if (isDay(day)) return day;
  throw new NoteError(
    "input_refused",
    `${JSON.stringify(day.slice(0, 60))} is no day. Give one such as 2026-02-24, today, yesterday or tomorrow.`,
  );
}

/** How many days they are later than today. */
const NAMED: Record<string, number> = { yesterday: -1, today: 0, tomorrow: 1 };

function dayNamed(written: string, { now, timeZone }: Clock): string | null {
  return Object.hasOwn(NAMED, written) ? dayAt(now(), timeZone, NAMED[written]!) : null;
}
