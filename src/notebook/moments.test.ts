import { describe, expect, test } from "vitest";
import { dayOf, momentOf, requiredMoment } from "./moments.ts";

const clock = (timeZone: string, now = "2026-03-28T23:30:00Z") => ({ now: () => new Date(now), timeZone });

test.each([
  ["2026-02-24", "UTC", "2026-02-24T00:00:00.000Z"],
  ["2026-02-24", "Europe/Berlin", "2026-02-23T23:00:00.000Z"],
  ["2026-02-24T14:00", "America/New_York", "2026-02-24T19:00:00.000Z"],
  ["2026-02-24 14:00", "UTC", "2026-02-24T14:00:00.000Z"],
  ["2026-02-24T14:00Z", "Europe/Berlin", "2026-02-24T14:00:00.000Z"],
  ["2026-02-24T14:00:30+02:00", "UTC", "2026-02-24T12:00:30.000Z"],
  ["12h", "UTC", "2026-03-28T11:30:00.000Z"],
  ["7d", "Asia/Tokyo", "2026-03-21T23:30:00.000Z"],
  ["today", "UTC", "2026-03-28T00:00:00.000Z"],
  ["today", "Europe/Berlin", "2026-03-28T23:00:00.000Z"],
  ["yesterday", "Europe/Berlin", "2026-03-27T23:00:00.000Z"],
  // The day on which clocks go forward there.
  ["2026-03-30", "Europe/Berlin", "2026-03-29T22:00:00.000Z"],
])("%s in %s", (written, zone, moment) => {
  expect(momentOf(written, clock(zone))?.toISOString()).toBe(moment);
});

test.each([
  ["14:00", "UTC", "2026-11-15T14:00:00Z"],
  ["14:00", "Europe/Berlin", "2026-11-15T13:00:00Z"],
  ["14:00", "America/New_York", "2026-11-14T19:00:00Z"],
  ["16:00", "UTC", "2026-11-14T16:00:00Z"],
  ["9:05:30", "UTC", "2026-11-15T09:05:30Z"],
  ["2026-11-15", "UTC", "2026-11-15T00:00:00Z"],
  ["2026-11-15", "Asia/Kolkata", "2026-11-14T18:30:00Z"],
  ["2026-06-01 08:00", "Europe/Berlin", "2026-06-01T06:00:00Z"],
  ["2026-03-29 03:30", "Europe/Berlin", "2026-03-29T01:30:00Z"],
  ["2026-10-25 12:00", "Europe/Berlin", "2026-10-25T11:00:00Z"],
  ["2026-11-15T14:00:00Z", "Asia/Tokyo", "2026-11-15T14:00:00Z"],
  ["2026-11-15T14:00:00.123Z", "Asia/Tokyo", "2026-11-15T14:00:00.123Z"],
  ["2026-11-15T14:00+02:00", "UTC", "2026-11-15T12:00:00Z"],
  ["2026-11-15T14:00-0530", "UTC", "2026-11-15T19:30:00Z"],
  ["2 hours ago", "UTC", "2026-11-15T13:30:00Z"],
  ["an hour ago", "UTC", "2026-11-15T14:30:00Z"],
  ["90 minutes", "UTC", "2026-11-15T14:00:00Z"],
  ["1 Day ago", "UTC", "2026-11-14T15:30:00Z"],
  ["3w", "UTC", "2026-10-25T15:30:00Z"],
  ["30m", "UTC", "2026-11-15T15:00:00Z"],
  ["45s", "UTC", "2026-11-15T15:29:15Z"],
  ["today", "America/New_York", "2026-11-15T05:00:00Z"],
  [" yesterday ", "UTC", "2026-11-14T00:00:00Z"],
  ["yesterday 14:00", "Europe/Berlin", "2026-11-14T13:00:00Z"],
  ["2026-2-4", "UTC", "2026-02-04T00:00:00Z"],
  ["100000 seconds ago", "UTC", "2026-11-14T11:43:20Z"],
  ["a week ago", "UTC", "2026-11-08T15:30:00Z"],
])("%j in %s is %s, of an afternoon", (written, zone, moment) => {
  expect(momentOf(written, clock(zone, "2026-11-15T15:30:00Z"))).toEqual(new Date(moment));
});

// Also what may be the first digits of a revision.
test.each([
  "",
  "soon",
  "25:00",
  "24:00",
  "14:60",
  "2026-02-30",
  "2026-13-01",
  "2 fortnights ago",
  "14",
  "-2 hours ago",
  "0x10",
  "24.2.2026",
  "constructor",
  "ad",
  "an",
  "12345d",
  "1 constructor ago",
  "today 25:00",
])("%j is no time", (written) => {
  expect(momentOf(written, clock("UTC"))).toBeNull();
  expect(() => requiredMoment(written, clock("UTC"))).toThrow(/is no time\. Give one such as/);
});

describe("days", () => {
  test.each([
    [undefined, "UTC", "2026-03-28"],
    [undefined, "Europe/Berlin", "2026-03-29"],
    ["tomorrow", "Europe/Berlin", "2026-03-30"],
    ["yesterday", "America/Los_Angeles", "2026-03-27"],
    ["2024-02-29", "UTC", "2024-02-29"],
    ["2 days ago", "UTC", "2026-03-26"],
    ["2026-3-1", "Asia/Tokyo", "2026-03-01"],
    ["2026-03-01T23:30:00Z", "Asia/Tokyo", "2026-03-02"],
  ])("%s in %s", (written, zone, day) => expect(dayOf(written, clock(zone))).toBe(day));
  test.each(["2026-02-29", "monday", "../x", "24.2.2026"])("%j is none", (written) =>
    expect(() => dayOf(written, clock("UTC"))).toThrow(/is no day/),
  );
});
