/** Times as people write and read them: `14:00`, `2026-11-15`, `2 hours ago`. Pure: now and the time zone are given. */

import { usageError } from "./settings.ts";

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
const CLOCK = String.raw`(\d{1,2}):(\d{2})(?::(\d{2}))?`;
const DAY = String.raw`(\d{4})-(\d{1,2})-(\d{1,2})`;

/** The time that is meant. A time of day is the last one that has been; a day begins at its midnight. */
export function timeMeant(written: string, now: Date, timeZone: string): Date {
  const text = written.trim().toLowerCase();
  const found =
    span(text, now) ?? named(text, now, timeZone) ?? onDay(text, timeZone) ?? atTime(text, now, timeZone);
  if (found) return found;
  throw usageError(
    `"${written.slice(0, 60)}" is no time. Write it like 14:00, 2026-11-15, "2026-11-15 14:00" or "2 hours ago".`,
  );
}

function span(text: string, now: Date): Date | null {
  const match = /^(\d{1,6}|an?)\s*([a-z]+?)s?(?:\s+ago)?$/.exec(text);
  const unit = UNITS[match?.[2] ?? ""] ?? UNITS[SHORT[match?.[2] ?? ""] ?? ""];
  if (!match || unit === undefined) return null;
  return new Date(now.getTime() - (match[1]!.startsWith("a") ? 1 : Number(match[1])) * unit);
}

function named(text: string, now: Date, timeZone: string): Date | null {
  if (text !== "today" && text !== "yesterday") return null;
  const { year, month, day } = wallOf(now, timeZone);
  return instantOf({ year, month, day: text === "today" ? day : day - 1, ...MIDNIGHT }, timeZone);
}

function onDay(text: string, timeZone: string): Date | null {
  const match = new RegExp(`^${DAY}(?:[t ]${CLOCK}(?:\\.\\d+)?(z|[+-]\\d{2}:?\\d{2})?)?$`).exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0));
  const wall = {
    year: year!,
    month: month!,
    day: day!,
    hour: hour!,
    minute: minute!,
    second: second!,
  };
  return real(wall) ? instantOf(wall, timeZone, match[7]) : null;
}

function atTime(text: string, now: Date, timeZone: string): Date | null {
  const match = new RegExp(`^${CLOCK}$`).exec(text);
  if (!match) return null;
  const { year, month, day } = wallOf(now, timeZone);
  const [hour, minute, second] = match.slice(1).map((part) => Number(part ?? 0));
  const wall = { year, month, day, hour: hour!, minute: minute!, second: second! };
  if (!real(wall)) return null;
  const today = instantOf(wall, timeZone);
  return today > now ? instantOf({ ...wall, day: day - 1 }, timeZone) : today;
}

type Wall = { year: number; month: number; day: number; hour: number; minute: number; second: number };
const MIDNIGHT = { hour: 0, minute: 0, second: 0 };

const asUtc = ({ year, month, day, hour, minute, second }: Wall): number =>
  Date.UTC(year, month - 1, day, hour, minute, second);

/** Neither 25:00 nor 30 February. */
const real = (wall: Wall): boolean => {
  const date = new Date(asUtc(wall));
  return (
    date.getUTCMonth() + 1 === wall.month &&
    date.getUTCDate() === wall.day &&
    date.getUTCHours() === wall.hour &&
    date.getUTCMinutes() === wall.minute
  );
};

/** What a clock on the wall shows there. */
function wallOf(date: Date, timeZone: string): Wall {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const parts = Object.fromEntries(
    format.formatToParts(date).map(({ type, value }) => [type, Number(value)]),
  );
  const { year, month, day, hour, minute, second } = parts as Wall;
  return { year, month, day, hour, minute, second };
}

function instantOf(wall: Wall, timeZone: string, zone?: string): Date {
  const utc = asUtc(wall);
  const fixed = zone === undefined ? null : /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (fixed)
    return new Date(
      utc - Number(`${fixed[1]}1`) * (Number(fixed[2]) * UNITS.hour! + Number(fixed[3]) * UNITS.minute!),
    );
  if (zone !== undefined) return new Date(utc);
  const offset = (at: number): number => asUtc(wallOf(new Date(at), timeZone)) - at;
  // Twice, because the clocks may change between the first guess and the time that is meant.
  return new Date(utc - offset(utc - offset(utc)));
}

/** `2 hours ago`, rounded down. */
export function timeAgo(date: Date, now: Date): string {
  const passed = Math.max(0, now.getTime() - date.getTime());
  const [unit, length] = Object.entries(UNITS).findLast(([, ms]) => passed >= ms) ?? ["second", 1000];
  const count = Math.floor(passed / length);
  return count === 0 ? "just now" : `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

/** `2026-11-15 14:03:09`, as the clocks there showed it. */
export function localTime(date: Date, timeZone: string): string {
  return new Date(asUtc(wallOf(date, timeZone))).toISOString().slice(0, 19).replace("T", " ");
}
