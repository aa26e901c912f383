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

test.each(["", "soon", "2026-02-30", "2026-13-01", "24.2.2026", "constructor"])(
  "%j is no time",
  (written) => {
    expect(momentOf(written, clock("UTC"))).toBeNull();
    expect(() => requiredMoment(written, clock("UTC"))).toThrow(/is no time\. Give one such as/);
  },
);

describe("days", () => {
  test.each([
    [undefined, "UTC", "2026-03-28"],
    [undefined, "Europe/Berlin", "2026-03-29"],
    ["tomorrow", "Europe/Berlin", "2026-03-30"],
    ["yesterday", "America/Los_Angeles", "2026-03-27"],
    ["2024-02-29", "UTC", "2024-02-29"],
  ])("%s in %s", (written, zone, day) => expect(dayOf(written, clock(zone))).toBe(day));
  test.each(["2026-02-29", "monday", "../x"])("%j is none", (written) =>
    expect(() => dayOf(written, clock("UTC"))).toThrow(/is no day/),
  );
});
