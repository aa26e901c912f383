import fc from "fast-check";
import moment from "moment";
import "moment/min/locales.js";
import { describe, expect, test } from "vitest";
import { formatted, weeksOf } from "./format.ts";
import { LOCALES, localeNamed } from "./locales.ts";
import { periodNamed } from "./parse.ts";
import { beginOf, PERIODS, periodsLater } from "./weeks.ts";

const TOKENS =
  "M Mo MM MMM MMMM Q Qo D Do DD DDD DDDo DDDD d do dd ddd dddd e E w wo ww W Wo WW Y YY YYYY YYYYY YYYYYY gg gggg ggggg GG GGGG GGGGG A a H HH h hh k kk m mm s ss S SS SSS SSSS SSSSSSSSS Z ZZ X x LT LTS L LL LLL LLLL l ll lll llll Hmm Hmmss hmm hmmss y yy yyyy N NNNN".split(
    " ",
  );
/** Moment counts the years of these by emperors. */
const OWN_ERAS = { ja: /^(?:y|N)/ } as Record<string, RegExp>;

/** One time for both: minutes from UTC, and what the clock shows. */
const both = (at: Date, offset: number, name: string) => ({
  ours: { wall: at, offset },
  theirs: moment(at.getTime() - offset * 60_000)
    .utcOffset(offset)
    .locale(name),
});

const someDates = fc.date({ min: new Date("1900-01-01"), max: new Date("2150-12-31"), noInvalidDate: true });
const offsets = fc.constantFrom(0, 60, -300, 330, 845);
const locales = fc.constantFrom(...LOCALES);

describe("formats are Moment's", () => {
  test.each(LOCALES)("each token in %s, on days around the new year and through it", (name) => {
    const locale = localeNamed(name)!;
    const days = [
      "2026-01-01",
      "2024-12-30",
      "2027-01-03",
      "2026-02-24",
      "2026-05-31",
      "2026-12-31",
      "2020-02-29",
    ];
    for (const day of days)
      for (const time of ["00:00:00.000", "05:07:09.012", "12:00:00.500", "23:59:59.999", "11:31:00.000"])
        for (const token of TOKENS) {
          if (OWN_ERAS[name]?.test(token)) continue;
          const { ours, theirs } = both(new Date(`${day}T${time}Z`), 60, name);
          expect([day, token, formatted(ours, token, locale)]).toEqual([day, token, theirs.format(token)]);
        }
  });

  test("a time of one's own zone has no name for it", () => {
    const at = { wall: new Date("2026-02-24T10:00:00Z"), offset: 0 };
    expect(formatted(at, "[in ]z zz.", localeNamed("en")!)).toBe(moment(at.wall).format("[in ]z zz."));
  });

  test("formats of tokens and text, on any day, in any locale", () => {
    const text = fc.constantFrom(
      "-",
      " ",
      "/",
      "[W]",
      "[on ]",
      "\\Y",
      ". ",
      "[a]b",
      "_",
      "[]",
      "年",
      "[",
      "]",
    );
    const format = fc.array(fc.oneof(fc.constantFrom(...TOKENS), text), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(someDates, offsets, locales, format, (at, offset, name, pieces) => {
        const written = pieces.join("");
        fc.pre(!(OWN_ERAS[name] && /y|N/.test(written)));
        const { ours, theirs } = both(at, offset, name);
        expect(formatted(ours, written, localeNamed(name)!)).toBe(theirs.format(written));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("periods begin where Moment's do", () => {
  test("and so does the next", () => {
    fc.assert(
      fc.property(
        someDates,
        locales,
        fc.constantFrom(...PERIODS),
        fc.integer({ min: -20, max: 20 }),
        (at, name, period, count) => {
          const locale = localeNamed(name)!;
          const theirs = moment.utc(at).locale(name).startOf(period);
          expect(beginOf(period, at, locale)).toEqual(theirs.toDate());
          const day = moment.utc(at).startOf("day");
          expect(periodsLater(period, day.toDate(), count)).toEqual(day.clone().add(count, period).toDate());
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("a name is read by its format", () => {
  const DAYS = [
    "YYYY-MM-DD",
    "YYYY/MM/YYYY-MM-DD",
    "dddd, MMMM Do YYYY",
    "D.M.YY",
    "YYYYMMDD",
    "gggg-[W]ww-e",
    "GGGG-[W]WW-E",
    "YYYY-DDDD",
    "DDDo [of] YYYY",
    "MMM D, YYYY",
    "LL",
    "ddd DD-MMM-YYYY",
    "YYYY-MM-DD HH.mm",
    "dddd/GGGG/WW",
  ];
  const OTHERS = {
    week: ["gggg-[W]ww", "GGGG/[Week] W"],
    month: ["YYYY-MM", "MMMM YYYY"],
    quarter: ["YYYY-[Q]Q", "Qo YYYY"],
    year: ["YYYY"],
  };
  test("and none but the day that it was made of", () => {
    const days = fc.date({ min: new Date("1970-01-01"), max: new Date("2060-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(days, locales, fc.constantFrom(...DAYS), (at, name, format) => {
        const locale = localeNamed(name)!;
        const day = beginOf("day", at, locale);
        const text = moment.utc(day).locale(name).format(format);
        expect(periodNamed(text, format, locale, "day")).toEqual(day);
      }),
      { numRuns: 600 },
    );
  });
  test.each(Object.entries(OTHERS))("the %s it was made of", (period, formats) => {
    fc.assert(
      fc.property(someDates, locales, fc.constantFrom(...formats), (at, name, format) => {
        const locale = localeNamed(name)!;
        const begin = beginOf(period as "week", at, weeksOf(format, locale));
        const text = moment.utc(begin).locale(name).format(format);
        expect(periodNamed(text, format, locale, period as "week")).toEqual(begin);
      }),
      { numRuns: 300 },
    );
  });
  test.each([
    ["2026-02-30", "YYYY-MM-DD"],
    ["2026-2-3", "YYYY-MM-DD"],
    ["2026-02-24 ", "YYYY-MM-DD"],
    ["Monday 2026-02-24", "dddd YYYY-MM-DD"],
    ["February 3st 2026", "MMMM Do YYYY"],
    ["24 février 2026", "D MMMM YYYY"],
    ["2026-02", "YYYY-MM"],
    ["", ""],
    ["x", "[x]"],
    ["1".repeat(100), "D".repeat(100)],
    ["2026-99-99", "YYYY-MM-DD"],
  ])("%j is no day by %s", (text, format) => {
    expect(periodNamed(text, format, localeNamed("en")!, "day")).toBeNull();
  });
  test("a long format takes no long time", () => {
    const format = "DM".repeat(100);
    for (let length = 0; length < 400; length++)
      expect(periodNamed("1".repeat(length), format, localeNamed("en")!, "day")).toBeNull();
  });
});
