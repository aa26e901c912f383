/** Weeks and other periods: which week of which year a day lies in, and where a period begins. Days are midnights in UTC. */

import type { Locale } from "./locales.ts";

export const PERIODS = ["day", "week", "month", "quarter", "year"] as const;
export type Period = (typeof PERIODS)[number];

const DAY = 86_400_000;
export type WeekRule = Pick<Locale, "weekStart" | "firstWeekHolds">;
export const ISO: WeekRule = { weekStart: 1, firstWeekHolds: 4 };

/** Date.UTC takes years below 100 for those of the twentieth century. */
export function dayFrom(year: number, month: number, date: number): Date {
  const day = new Date(Date.UTC(2000, 0, 1));
  day.setUTCFullYear(year, month - 1, date);
  return day;
}

export const daysLater = (day: Date, days: number): Date => new Date(day.getTime() + days * DAY);
const midnight = (wall: Date): Date => new Date(Math.floor(wall.getTime() / DAY) * DAY);

export const dayOfYear = (wall: Date): number =>
  Math.round((midnight(wall).getTime() - dayFrom(wall.getUTCFullYear(), 1, 1).getTime()) / DAY) + 1;

const weekBegin = (wall: Date, { weekStart }: WeekRule): Date =>
  daysLater(midnight(wall), -((wall.getUTCDay() + 7 - weekStart) % 7));

/** The first day of a week of a year. */
export const weekFrom = (year: number, week: number, rule: WeekRule): Date =>
  daysLater(weekBegin(dayFrom(year, 1, rule.firstWeekHolds), rule), (week - 1) * 7);
export const isoWeekFrom = (year: number, week: number): Date => weekFrom(year, week, ISO);

export function weekOf(wall: Date, rule: WeekRule): { year: number; week: number } {
  const begin = weekBegin(wall, rule);
  // A week belongs to a year if that year's first week does not begin after it.
  let year = wall.getUTCFullYear() + 1;
  while (weekFrom(year, 1, rule) > begin) year--;
  return { year, week: Math.round((begin.getTime() - weekFrom(year, 1, rule).getTime()) / DAY / 7) + 1 };
}
export const isoWeekOf = (wall: Date): { year: number; week: number } => weekOf(wall, ISO);

/** The first day of the period that a day lies in. */
export function beginOf(period: Period, day: Date, weeks: WeekRule): Date {
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth() + 1];
  switch (period) {
    case "day":
      return midnight(day);
    case "week":
      return weekBegin(day, weeks);
    case "month":
      return dayFrom(year, month, 1);
    case "quarter":
      return dayFrom(year, month - ((month - 1) % 3), 1);
    case "year":
      return dayFrom(year, 1, 1);
  }
}

/** So many periods later, or earlier. A month that has no such day has its last. */
export function periodsLater(period: Period, day: Date, count: number): Date {
  if (period === "day" || period === "week") return daysLater(day, count * (period === "day" ? 1 : 7));
  const months = count * { month: 1, quarter: 3, year: 12 }[period];
  const first = dayFrom(day.getUTCFullYear(), day.getUTCMonth() + 1 + months, 1);
  const last = daysLater(dayFrom(first.getUTCFullYear(), first.getUTCMonth() + 2, 1), -1).getUTCDate();
  return daysLater(first, Math.min(day.getUTCDate(), last) - 1);
}
