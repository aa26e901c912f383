import { expect, test } from "vitest";
import { localTime, timeAgo, parseTime } from "./times.ts";

const NOW = new Date("2026-11-15T15:30:00Z");

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
  ["2026-11-15T14:00:00.123Z", "Asia/Tokyo", "2026-11-15T14:00:00Z"],
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
])("%j in %s is %s", (written, timeZone, meant) => {
  expect(parseTime(written, NOW, timeZone)).toEqual(new Date(meant));
});

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
])("%j is no time, and that is a mistake in the call", (written) => {
  expect(() => parseTime(written, NOW, "UTC")).toThrow(expect.objectContaining({ code: "input_refused" }));
});

test.each([
  ["2026-11-15T15:30:00Z", "just now"],
  ["2026-11-15T15:31:00Z", "just now"],
  ["2026-11-15T15:29:59Z", "1 second ago"],
  ["2026-11-15T15:28:59Z", "1 minute ago"],
  ["2026-11-15T13:29:00Z", "2 hours ago"],
  ["2026-11-13T15:29:00Z", "2 days ago"],
  ["2025-11-15T15:29:00Z", "52 weeks ago"],
])("%s was %s", (date, said) => {
  expect(timeAgo(new Date(date), NOW)).toBe(said);
});

test("a time is shown as the clocks there showed it", () => {
  expect(localTime(NOW, "Asia/Kolkata")).toBe("2026-11-15 21:00:00");
});
