/** Times as people write and read them: `14:00`, `2026-11-15`, `2 hours ago`. Pure: now and the time zone are given. */

import { momentOf, type Clock } from "../notebook/moments.ts";
import { dayAt, wallClock } from "../notebook/zone.ts";
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
const CLOCK = String.raw`([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?`;
const DAY = String.raw`(\d{4})-(\d{1,2})-(\d{1,2})`;
const ON_DAY = new RegExp(`^${DAY}(?:[t ]${CLOCK}(?:\\.\\d+)?(z|[+-]\\d{2}:?\\d{2})?)?$`);
const AT_TIME = new RegExp(`^${CLOCK}$`);

/** The time that a person wrote. A time of day is the last one that has been; a day begins at its midnight. */
export function parseTime(written: string, now: Date, timeZone: string): Date {
  const text = written.trim().toLowerCase();
  const clock = { now: () => now, timeZone };
  const found = span(text, now) ?? onDay(text, clock) ?? atTime(text, clock);
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

function onDay(text: string, clock: Clock): Date | null {
  if (text === "today" || text === "yesterday") return momentOf(text, clock);
  const match = ON_DAY.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7);
  const zone = match[7]?.toUpperCase().replace(/(\d{2}):?(\d{2})$/, "$1:$2") ?? "";
  const time = [hour, minute, second].map(twoDigits).join(":");
  return momentOf(`${year}-${twoDigits(month)}-${twoDigits(day)}T${time}${zone}`, clock);
}

function atTime(text: string, clock: Clock): Date | null {
  const match = AT_TIME.exec(text);
  if (!match) return null;
  const time = match.slice(1).map(twoDigits).join(":");
  const on = (later: number) => momentOf(`${dayAt(clock.now(), clock.timeZone, later)}T${time}`, clock);
  const today = on(0);
  return today && today > clock.now() ? on(-1) : today;
}

const twoDigits = (written = "0"): string => written.padStart(2, "0");

/** `2 hours ago`, rounded down. */
export function timeAgo(date: Date, now: Date): string {
  const passed = Math.max(0, now.getTime() - date.getTime());
  const [unit, length] = Object.entries(UNITS).findLast(([, ms]) => passed >= ms) ?? ["second", 1000];
  const count = Math.floor(passed / length);
  return count === 0 ? "just now" : `${count} ${unit}${count === 1 ? "" : "s"} ago`;
}

/** `2026-11-15 14:03:09`, as the clocks there showed it. */
export function localTime(date: Date, timeZone: string): string {
  return wallClock(date, timeZone).toISOString().slice(0, 19).replace("T", " ");
}
