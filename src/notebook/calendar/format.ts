/** Dates written by a format of Moment's, token for token: what Obsidian names daily notes with, and puts into templates. */

import type { Locale } from "./locales.ts";
import { dayOfYear, ISO, isoWeekOf, weekOf, type WeekRule } from "./weeks.ts";

/** What a clock on the wall shows, as a time in UTC, and how many minutes that clock is ahead of UTC. */
export type WallTime = { wall: Date; offset: number };

/** Longer ones are no formats: nobody writes them, and a hostile vault may. */
export const FORMAT_LIMIT = 200;

const TOKENS =
  /(\[[^[]*\])|(\\e)|(\\)?(eHHmm|[Hh]mm(ss)?|Mo|MM?M?M?|Do|DDDo|DD?D?D?|ddd?d?|do?|w[o|w]?|W[o|W]?|Qo?|N{1,5}|YYYYYY|YYYYY|YYYY|YY|y{2,4}|yo?|gg(ggg?)?|GG(GGG?)?|e|E|a|A|hh?|HH?|kk?|mm?|ss?|S{1,9}|x|X|zz?|ZZ?|.)/g;
const LONG_FORMS = /(\[[^[]*\])|(\\)?(LTS|LT|LL?L?L?|l{1,4})/g;

/** A piece of a format: a token that stands for a part of the date, or text that stands for itself. */
export type Piece = { token: string } | { text: string };

export function piecesOf(format: string, locale: Locale): Piece[] {
  const whole = expanded(format.slice(0, FORMAT_LIMIT), locale);
  return (whole.match(TOKENS) ?? []).map((written) => {
    if (Object.hasOwn(PARTS, written)) return { token: dotless(written, whole, locale) };
    return {
      text: /\[[\s\S]/.test(written) ? written.replace(/^\[|\]$/g, "") : written.replaceAll("\\", ""),
    };
  });
}

/** In some languages the short names of months lose their dot between dashes. */
const dotless = (token: string, format: string, locale: Locale): string =>
  token === "MMM" && locale.dotless && format.includes("-MMM-") ? "-MMM-" : token;

/** A long form may hold others, six times at most, as in Moment. */
function expanded(format: string, locale: Locale): string {
  let text = format;
  for (let times = 0; times < 6 && new RegExp(LONG_FORMS.source).test(text); times++)
    text = text.replace(LONG_FORMS, (written) => longForm(written, locale) ?? written);
  return text;
}

function longForm(written: string, locale: Locale): string | undefined {
  if (Object.hasOwn(locale.long, written)) return locale.long[written];
  const upper = written.toUpperCase();
  if (upper === written || !Object.hasOwn(locale.long, upper)) return undefined;
  return locale.long[upper]!.match(TOKENS)!
    .map((token) => (["MMMM", "MM", "DD", "dddd"].includes(token) ? token.slice(1) : token))
    .join("");
}

export function formatted(at: WallTime, format: string, locale: Locale): string {
  return piecesOf(format, locale)
    .map((piece) => ("text" in piece ? piece.text : PARTS[piece.token]!(at, locale)))
    .join("");
}

/** A format that counts weeks as ISO does means weeks from Monday, whatever the locale. */
export const weeksOf = (format: string, locale: Locale): WeekRule =>
  piecesOf(format, locale).some((piece) => "token" in piece && /^[WG]/.test(piece.token)) ? ISO : locale;

type Part = (at: WallTime, locale: Locale) => string;

const padded = (number: number, digits: number): string => String(number).padStart(digits, "0");
const number = (of: (wall: Date, locale: Locale) => number, digits = 1): Part => {
  return ({ wall }, locale) => padded(of(wall, locale), digits);
};
const ordinal = (of: (wall: Date, locale: Locale) => number, token: string): Part => {
  return ({ wall }, locale) => locale.ordinal(of(wall, locale), token);
};
const clock = (at: WallTime, locale: Locale, ...tokens: string[]): string =>
  tokens.map((token) => PARTS[token]!(at, locale)).join("");

const year = (wall: Date): number => wall.getUTCFullYear();
const month = (wall: Date): number => wall.getUTCMonth() + 1;
const quarter = (wall: Date): number => Math.ceil(month(wall) / 3);
const date = (wall: Date): number => wall.getUTCDate();
const weekday = (wall: Date): number => wall.getUTCDay();
const week = (wall: Date, locale: Locale): number => weekOf(wall, locale).week;
const weekYear = (wall: Date, locale: Locale): number => weekOf(wall, locale).year;
const isoWeek = (wall: Date): number => isoWeekOf(wall).week;
const isoYear = (wall: Date): number => isoWeekOf(wall).year;
const hour = (wall: Date): number => wall.getUTCHours();
const hour12 = (wall: Date): number => hour(wall) % 12 || 12;
const hour24 = (wall: Date): number => hour(wall) || 24;
const minute = (wall: Date): number => wall.getUTCMinutes();
const second = (wall: Date): number => wall.getUTCSeconds();
const two = (of: (wall: Date, locale: Locale) => number) => (wall: Date, locale: Locale) =>
  of(wall, locale) % 100;
const fraction = (digits: number): Part => {
  return ({ wall }) => padded(wall.getUTCMilliseconds(), 3).padEnd(9, "0").slice(0, digits);
};
const zone = (offset: number, between: string): string => {
  const minutes = Math.abs(offset);
  return `${offset < 0 ? "-" : "+"}${padded(Math.floor(minutes / 60), 2)}${between}${padded(minutes % 60, 2)}`;
};
const epoch = ({ wall, offset }: WallTime): number => wall.getTime() - offset * 60_000;

/** What each token stands for. Years are of our era, in every locale. */
const PARTS: Record<string, Part> = {
  M: number(month),
  MM: number(month, 2),
  Mo: ordinal(month, "M"),
  MMM: ({ wall }, locale) => locale.monthsShort[wall.getUTCMonth()]!,
  "-MMM-": ({ wall }, locale) => locale.monthsShort[wall.getUTCMonth()]!.replace(".", ""),
  MMMM: ({ wall }, locale) => locale.months[wall.getUTCMonth()]!,
  Q: number(quarter),
  Qo: ordinal(quarter, "Q"),
  D: number(date),
  DD: number(date, 2),
  Do: ordinal(date, "D"),
  DDD: number(dayOfYear),
  DDDD: number(dayOfYear, 3),
  DDDo: ordinal(dayOfYear, "DDD"),
  d: number(weekday),
  do: ordinal(weekday, "d"),
  dd: ({ wall }, locale) => locale.weekdaysMin[weekday(wall)]!,
  ddd: ({ wall }, locale) => locale.weekdaysShort[weekday(wall)]!,
  dddd: ({ wall }, locale) => locale.weekdays[weekday(wall)]!,
  e: number((wall, locale) => (weekday(wall) + 7 - locale.weekStart) % 7),
  E: number((wall) => weekday(wall) || 7),
  w: number(week),
  ww: number(week, 2),
  wo: ordinal(week, "w"),
  W: number(isoWeek),
  WW: number(isoWeek, 2),
  Wo: ordinal(isoWeek, "W"),
  Y: number(year, 4),
  YY: number(two(year), 2),
  YYYY: number(year, 4),
  YYYYY: number(year, 5),
  YYYYYY: ({ wall }) => `+${padded(year(wall), 6)}`,
  y: number(year),
  yy: number(year, 2),
  yyy: number(year, 3),
  yyyy: number(year, 4),
  yo: ordinal(year, "y"),
  N: () => "AD",
  NN: () => "AD",
  NNN: () => "AD",
  NNNN: () => "Anno Domini",
  NNNNN: () => "AD",
  gg: number(two(weekYear), 2),
  gggg: number(weekYear, 4),
  ggggg: number(weekYear, 5),
  GG: number(two(isoYear), 2),
  GGGG: number(isoYear, 4),
  GGGGG: number(isoYear, 5),
  A: ({ wall }, locale) => locale.meridiem(hour(wall), minute(wall), false),
  a: ({ wall }, locale) => locale.meridiem(hour(wall), minute(wall), true),
  H: number(hour),
  HH: number(hour, 2),
  h: number(hour12),
  hh: number(hour12, 2),
  k: number(hour24),
  kk: number(hour24, 2),
  m: number(minute),
  mm: number(minute, 2),
  s: number(second),
  ss: number(second, 2),
  Hmm: (at, locale) => clock(at, locale, "H", "mm"),
  Hmmss: (at, locale) => clock(at, locale, "H", "mm", "ss"),
  hmm: (at, locale) => clock(at, locale, "h", "mm"),
  hmmss: (at, locale) => clock(at, locale, "h", "mm", "ss"),
  ...Object.fromEntries(Array.from({ length: 9 }, (_, at) => ["S".repeat(at + 1), fraction(at + 1)])),
  // A time of the vault's own zone has no name of it in Moment either.
  z: () => "",
  zz: () => "",
  Z: ({ offset }) => zone(offset, ":"),
  ZZ: ({ offset }) => zone(offset, ""),
  X: (at) => String(Math.floor(epoch(at) / 1000)),
  x: (at) => String(epoch(at)),
};
