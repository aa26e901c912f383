/** Which period a text names by a format: the format is read from left to right, and what comes out is written again to be sure. */

import { formatted, piecesOf, weeksOf } from "./format.ts";
import type { Locale } from "./locales.ts";
import { beginOf, dayFrom, daysLater, isoWeekFrom, periodsLater, weekFrom, type Period } from "./weeks.ts";

/** The first day of the period; null where the text does not fit, or fits the next period as well. */
export function periodNamed(text: string, format: string, locale: Locale, period: Period): Date | null {
  const found = fieldsIn(text, format, locale);
  const day = found && dayOf(found, locale);
  if (!found || !day || Number.isNaN(day.getTime())) return null;
  const begin = beginOf(period, day, weeksOf(format, locale));
  const time = timeOf(found);
  const named = (at: Date) => formatted({ wall: new Date(at.getTime() + time), offset: 0 }, format, locale);
  return named(begin) === text && named(periodsLater(period, begin, 1)) !== text ? begin : null;
}

type Field =
  | "year"
  | "month"
  | "date"
  | "dayOfYear"
  | "quarter"
  | "weekYear"
  | "week"
  | "isoYear"
  | "isoWeek"
  | "weekday"
  | "localDay"
  | "isoDay"
  | "hour"
  | "hour12"
  | "minute"
  | "second"
  | "past";
type Fields = Partial<Record<Field, number>>;

/** How many digits a token takes at most, and what they are. */
const DIGITS: Record<string, [least: number, most: number, field: Field | null]> = {
  M: [1, 2, "month"],
  MM: [2, 2, "month"],
  Mo: [1, 2, "month"],
  Q: [1, 1, "quarter"],
  Qo: [1, 1, "quarter"],
  D: [1, 2, "date"],
  DD: [2, 2, "date"],
  Do: [1, 2, "date"],
  DDD: [1, 3, "dayOfYear"],
  DDDD: [3, 3, "dayOfYear"],
  DDDo: [1, 3, "dayOfYear"],
  d: [1, 1, "weekday"],
  do: [1, 1, "weekday"],
  e: [1, 1, "localDay"],
  E: [1, 1, "isoDay"],
  w: [1, 2, "week"],
  ww: [2, 2, "week"],
  wo: [1, 2, "week"],
  W: [1, 2, "isoWeek"],
  WW: [2, 2, "isoWeek"],
  Wo: [1, 2, "isoWeek"],
  Y: [4, 4, "year"],
  YYYY: [4, 4, "year"],
  YYYYY: [5, 5, "year"],
  y: [1, 4, "year"],
  yyyy: [4, 4, "year"],
  gggg: [4, 4, "weekYear"],
  ggggg: [5, 5, "weekYear"],
  GGGG: [4, 4, "isoYear"],
  GGGGG: [5, 5, "isoYear"],
  H: [1, 2, "hour"],
  HH: [2, 2, "hour"],
  h: [1, 2, "hour12"],
  hh: [2, 2, "hour12"],
  k: [1, 2, "hour"],
  kk: [2, 2, "hour"],
  m: [1, 2, "minute"],
  mm: [2, 2, "minute"],
  s: [1, 2, "second"],
  ss: [2, 2, "second"],
};
const TWO_DIGIT_YEARS: Record<string, Field> = { YY: "year", gg: "weekYear", GG: "isoYear" };
/** From here on two digits are of the twentieth century, as in Moment. */
const CENTURY_TURNS = 69;

function fieldsIn(text: string, format: string, locale: Locale): Fields | null {
  const fields: Fields = {};
  let rest = text;
  for (const piece of piecesOf(format, locale)) {
    const length =
      "text" in piece
        ? rest.startsWith(piece.text)
          ? piece.text.length
          : -1
        : taken(piece.token, rest, fields, locale);
    if (length < 0) return null;
    rest = rest.slice(length);
  }
  return rest === "" ? fields : null;
}

/** How much of the text a token takes, with what it says put into the fields; less than 0 where it does not fit. */
function taken(token: string, rest: string, fields: Fields, locale: Locale): number {
  const names = namesOf(token, locale);
  if (names) return named(names, rest, fields);
  if (Object.hasOwn(TWO_DIGIT_YEARS, token)) {
    const digits = /^\d\d/.exec(rest)?.[0];
    if (digits === undefined) return -1;
    fields[TWO_DIGIT_YEARS[token]!] = Number(digits) + (Number(digits) < CENTURY_TURNS ? 2000 : 1900);
    return 2;
  }
  if (!Object.hasOwn(DIGITS, token)) return -1;
  const [least, most, field] = DIGITS[token]!;
  const digits = /^\d*/.exec(rest.slice(0, most))![0];
  if (digits.length < least) return -1;
  if (field !== null) fields[field] = Number(digits);
  return (
    digits.length + (token.endsWith("o") ? suffixOf(token.slice(0, -1), Number(digits), rest, locale) : 0)
  );
}

/** What follows the digits of an ordinal. */
function suffixOf(token: string, count: number, rest: string, locale: Locale): number {
  const whole = locale.ordinal(count, token);
  return rest.startsWith(whole) ? whole.length - String(count).length : Number.NEGATIVE_INFINITY;
}

function namesOf(token: string, locale: Locale): { field: Field; names: readonly string[] } | null {
  switch (token) {
    case "MMM":
      return { field: "month", names: locale.monthsShort };
    case "-MMM-":
      return { field: "month", names: locale.monthsShort.map((name) => name.replace(".", "")) };
    case "MMMM":
      return { field: "month", names: locale.months };
    case "dd":
      return { field: "weekday", names: locale.weekdaysMin };
    case "ddd":
      return { field: "weekday", names: locale.weekdaysShort };
    case "dddd":
      return { field: "weekday", names: locale.weekdays };
    case "A":
    case "a":
      return { field: "past", names: [0, 12].map((hour) => locale.meridiem(hour, 0, token === "a")) };
    default:
      return null;
  }
}

/** The longest name that the text begins with: `10月` before `1月`. */
function named(
  { field, names }: { field: Field; names: readonly string[] },
  rest: string,
  fields: Fields,
): number {
  let best = -1;
  names.forEach((name, at) => {
    if (!rest.startsWith(name) || (best >= 0 && name.length <= names[best]!.length)) return;
    best = at;
  });
  if (best < 0) return -1;
  fields[field] = field === "month" ? best + 1 : best;
  return names[best]!.length;
}

/** The day that the fields tell together, or the first of the period that they leave open. */
function dayOf(fields: Fields, locale: Locale): Date | null {
  const { year, month, date, dayOfYear, quarter, isoWeek, week } = fields;
  if (year !== undefined && month !== undefined) return dayFrom(year, month, date ?? 1);
  if (year !== undefined && dayOfYear !== undefined) return dayFrom(year, 1, dayOfYear);
  const isoYear = fields.isoYear ?? year;
  if (isoYear !== undefined && isoWeek !== undefined)
    return daysLater(isoWeekFrom(isoYear, isoWeek), dayInWeek(fields, 1));
  const weekYear = fields.weekYear ?? year;
  if (weekYear !== undefined && week !== undefined)
    return daysLater(weekFrom(weekYear, week, locale), dayInWeek(fields, locale.weekStart));
  if (year !== undefined && quarter !== undefined) return dayFrom(year, quarter * 3 - 2, 1);
  return year === undefined ? null : dayFrom(year, 1, 1);
}

/** How many days after the first of its week, which is this day of the week. */
function dayInWeek({ weekday, isoDay, localDay }: Fields, first: number): number {
  if (localDay !== undefined) return localDay;
  const day = weekday ?? isoDay;
  return day === undefined ? 0 : (day + 7 - first) % 7;
}

function timeOf({ hour, hour12, past, minute = 0, second = 0 }: Fields): number {
  const hours = hour ?? (hour12 === undefined ? 0 : (hour12 % 12) + (past === 1 ? 12 : 0));
  return ((hours * 60 + minute) * 60 + second) * 1000;
}
